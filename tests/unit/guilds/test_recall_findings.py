"""Each channel that cannot recall, or be recalled elsewhere, is named once with its reason."""

from tests.unit.guilds.test_channel_readers import GUILD, server
from utils.guilds.channel_readers import Obstacle
from utils.guilds.permission_rules import VIEW, ChannelOverwrite, ServerChannel, ServerRole
from utils.guilds.recall_findings import FindingKind, RecallFinding, recall_findings

VERIFIED, GUEST, BOB = 10, 11, 800
HIDDEN = ChannelOverwrite(GUILD, False, 0, VIEW)
ROLES = [ServerRole(VERIFIED, 0), ServerRole(GUEST, 0)]


def hidden(channel_id: int, *target_ids: int) -> ServerChannel:
    """A channel that only these roles and people can view."""
    allowed = [ChannelOverwrite(id, id == BOB, VIEW, 0) for id in target_ids]
    return ServerChannel(channel_id, [HIDDEN, *allowed])


def test_a_channel_that_misses_open_channels_names_them_and_the_role():
    members, lounge, reception = hidden(1, VERIFIED), hidden(2, VERIFIED), hidden(3, GUEST)
    readers = server(members, lounge, reception, roles=ROLES, base_role_id=VERIFIED)
    assert recall_findings(readers, [1, 2, 3], {}) == [
        RecallFinding(FindingKind.STAYS, Obstacle(VIEW, (VERIFIED,)), (3,)),
        RecallFinding(FindingKind.MISSES, Obstacle(VIEW, (GUEST,)), (3,), (1, 2)),
    ]
    assert recall_findings(readers, [1, 2], {}) == []
    implied = server(
        members, lounge, reception, roles=ROLES, base_role_id=VERIFIED, implied_role_ids=[GUEST]
    )
    assert [finding.kind for finding in recall_findings(implied, [1, 2, 3], {})] == [
        FindingKind.STAYS
    ]


def test_a_person_is_the_reason_where_an_overwrite_names_them():
    ticket, members = hidden(1, VERIFIED, BOB), hidden(2, VERIFIED)
    readers = server(ticket, members, roles=ROLES, base_role_id=VERIFIED)
    missing = RecallFinding(FindingKind.MISSES, Obstacle(VIEW, user_id=BOB), (1,), (2,))
    for roles in ({BOB: frozenset()}, {}):
        assert recall_findings(readers, [1, 2], roles) == [missing]
    assert recall_findings(readers, [1, 2], {BOB: frozenset({VERIFIED})}) == []
    assert recall_findings(readers, [1, 2], {BOB: None}) == []
