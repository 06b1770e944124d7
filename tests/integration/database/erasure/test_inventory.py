"""Every table is in the inventory, and each erasure takes the rows that it says, and no others."""

from datetime import timedelta

import pytest
from sqlalchemy import BigInteger, LargeBinary, select

from tests.fakes.builders import ADA, BOB, GUILD, NOON
from tests.integration.database.erasure.test_retention import add_everywhere, tables_of
from tests.integration.stored_rows import ELSEWHERE, add, by, of, stored
from tests.rows import each_row
from utils.database.core import queries
from utils.database.erasure import consent, messages
from utils.database.erasure.deletion import (
    delete_expired,
    delete_of_channels,
    delete_of_messages,
    delete_said_up_to,
)
from utils.database.erasure.inventory import DERIVED, INVENTORY, without
from utils.database.schema.column_types import BoundedText, LongText
from utils.database.schema.memory_tables import (
    account_link,
    alert,
    alert_message,
    artifact,
    artifact_text,
    episode,
    episode_member,
    episode_summary,
    erasure_ledger,
    memory_event,
    message_score,
    metadata,
    moderator_action,
    shadow_recall,
    tension,
    waiting_message,
)
from utils.memory.privacy import retraction
from utils.models.alert import AlertState
from utils.models.memory import Member
from utils.models.operator import ErasureKind

IDS_PER_STATEMENT = queries.IDS_PER_STATEMENT  # as Kith has it: conftest.py makes it 1
BEFORE, AFTER = NOON - timedelta(seconds=1), NOON + timedelta(seconds=1)
OTHER_GUILD = ELSEWHERE.guild_id
OF_NO_MEMBER = {
    *("GuildId", "ChannelId", "SourceId", "PlaceId", "BaseRoleId", "PingRoleId", "PostChannelId"),
    *("MessageId", "ReplyToId", "ContextMessageId", "LastMessageId", "NoticeId", "PostId"),
    *("Id", "EventId", "FirstEventId", "LastEventId", "ResetEventId", "SummarisedId", "EpisodeId"),
    *("MemoryId", "ContextMemoryId", "SupersededById", "ConfirmsId", "ReplacesId", "ArtifactId"),
    *("AlertId", "LoopId", "ApplicationId"),
}
"""Ids of servers, channels, roles, messages and of rows."""
OF_MODERATORS = {"ActorId", "DecidedById", "CreatedById", "ChangedById"}
"""Who decided something; docs/privacy.md says how long that is kept."""
NO_WORDS = {
    "MemoryEvent": {"AboutIds"},  # by which answers about a member are found
    "UserMemory": {"Uid"},
    "MemoryEvidence": {"Model", "PromptHash", "VerifierModel", "VerifierHash"},
    "MemoryAudit": {"Action"},
}
"""Texts that stay in a blanked row."""

NOT_COMPUTED = {
    "MemoryEvent": {*NO_WORDS["MemoryEvent"], "Receipt"},
    "UserMemory": NO_WORDS["UserMemory"],
    "EpisodeSummary": {"Model", "PromptHash"},
    "EventEmbedding": {"Model"},
    "MemoryEmbedding": {"Model"},
    "Artifact": set(),
    "ArtifactText": set(),
}
"""Texts beside words that are not computed from them."""

PROMISED = {
    **dict.fromkeys(("ShadowRecall", "MessageScore", "Tension"), 30),
    **dict.fromkeys(("WaitingMessage", "AccountLink"), 1),
    **dict.fromkeys(("HistoryImport", "TokenUse"), 90),
    "ModeratorAction": 365,
    "DailyCount": 400,
}
"""After how many days rows end (docs/privacy.md)."""


def test_every_table_is_in_the_inventory_once():
    assert sorted(entry.table.name for entry in INVENTORY) == sorted(metadata.tables)


@each_row("entry", INVENTORY)
def test_a_table_says_how_its_rows_go_or_why_they_stay(entry):
    big = {c.name for c in entry.table.c if isinstance(c.type, BigInteger)}
    ids = {name for name in big if name.endswith("Id")} - OF_NO_MEMBER - OF_MODERATORS
    assert ids == {column.name for column in entry.member_columns} or entry.table is erasure_ledger
    assert entry.extent or entry.with_message or entry.channel or entry.expiries or entry.why
    assert entry.extent is None or entry.member_columns
    texts = {c.name for c in entry.table.c if isinstance(c.type, BoundedText | LongText)}
    if entry.blank is not None:
        assert texts - set(entry.blank) == NO_WORDS.get(entry.table.name, set())
    assert [
        name
        for name in (*entry.channel, *(end.column for end in entry.expiries), *(entry.blank or ()))
        if name not in entry.table.c
    ] == []


def test_what_is_computed_from_words_is_listed():
    derived = {column for columns in DERIVED.values() for column in columns}
    listed = {column.table.name for column in (*DERIVED, *derived)}
    assert listed == set(NOT_COMPUTED)
    for table in metadata.sorted_tables:
        texts = {c for c in table.c if isinstance(c.type, BoundedText | LongText | LargeBinary)}
        if table.name in listed:
            others = {column.name for column in texts - derived - set(DERIVED)}
            assert others - {"AuthorName"} == NOT_COMPUTED[table.name]
        else:
            assert not {column.name for column in texts} & {"Stems", "Vector", "Sha256", "Caption"}


def test_a_blanked_row_keeps_nothing_that_is_computed_from_its_words():
    for entry in INVENTORY:
        for words in set(DERIVED) & set(entry.table.c):
            if entry.blank is not None:
                assert without(words).items() <= entry.blank.items()
    assert without(memory_event.c.Text) == {"Text": "", "Stems": ""}


# --- messages -----------------------------------------------------------------------------------


def say(connection):
    """Let Ada and Bob have said something in a watched channel; the ids are 1 to 4."""
    for member, message_id in ((ADA, 1), (ADA, 2), (BOB, 3), (ELSEWHERE, 1)):
        add(connection, memory_event, **by(member), MessageId=message_id)
        for table in (waiting_message, message_score, shadow_recall, artifact):
            row_id = add(connection, table, **of(member), MessageId=message_id)
        add(connection, artifact_text, **of(member), ArtifactId=row_id)


def left(connection):
    """Return the messages that something is stored of, by table, and how many texts there are."""
    tables = (waiting_message, message_score, shadow_recall, artifact)
    rows = {table.name: stored(connection, table.c.GuildId, table.c.MessageId) for table in tables}
    return rows | {"ArtifactText": len(stored(connection, artifact_text.c.Id))}


def after(*gone, tables=("WaitingMessage", "MessageScore", "ShadowRecall", "Artifact")):
    """Return what is left in every table, without some messages in some of them."""
    everything = [(GUILD, 1), (GUILD, 2), (GUILD, 3), (OTHER_GUILD, 1)]
    rest = [key for key in everything if key not in gone]
    names = ("WaitingMessage", "MessageScore", "ShadowRecall", "Artifact")
    rows = {name: rest if name in tables else everything for name in names}
    return rows | {"ArtifactText": len(rows["Artifact"])}


def test_what_is_stored_beside_a_message_goes_with_it(connection):
    say(connection)
    messages.erase(connection, GUILD, [1, 3], NOON)
    assert left(connection) == after((GUILD, 1), (GUILD, 3))


def test_an_edit_takes_the_attachments_alone_unless_they_are_kept(connection):
    say(connection)
    messages.erase(connection, GUILD, [1], NOON, new_text="tea", keeps_attachments=True)
    assert left(connection) == after()
    messages.erase(connection, GUILD, [1], NOON, new_text="")
    assert left(connection) == after((GUILD, 1), tables=["Artifact"])


def test_what_goes_with_thousands_of_messages_goes_in_parts(connection, monkeypatch):
    monkeypatch.setattr(queries, "IDS_PER_STATEMENT", IDS_PER_STATEMENT)
    say(connection)
    delete_of_messages(connection, GUILD, range(2, 2_600))
    assert left(connection) == after((GUILD, 2), (GUILD, 3))


def test_a_batch_of_a_members_messages_takes_what_is_stored_beside_them(connection):
    say(connection)
    messages.erase_member(connection, ADA, NOON, only=[2])
    assert left(connection) == after((GUILD, 2))


# --- members ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ErasureKind.SAID, ErasureKind.MEMBER])
def test_what_stays_of_a_member(connection, kind):
    for member in (ADA, BOB, ELSEWHERE):
        add_everywhere(connection, member)
    others = [tables_of(connection, *key) for key in ((GUILD, 20), (OTHER_GUILD, 10))]
    retraction.erase_member(connection, ADA, NOON, kind)
    choices = {"RoastRefusal", "TokenUse"} if kind is ErasureKind.SAID else set()
    assert tables_of(connection, GUILD, ADA.user_id) == choices | {
        *("ErasureLedger", "MemoryAudit", "PassiveRefusal", "UserState")
    }
    assert [tables_of(connection, *key) for key in ((GUILD, 20), (OTHER_GUILD, 10))] == others


def test_an_erasure_that_was_interrupted_leaves_what_is_newer_than_its_beginning(connection):
    for number, at in ((1, BEFORE), (2, NOON), (3, AFTER)):
        add(connection, account_link, **of(Member(GUILD, number)), OtherId=ADA.user_id, At=at)
        for member in (ADA, BOB, ELSEWHERE):
            add(connection, tension, **of(member), ChannelId=number, At=at)
            add(connection, moderator_action, **of(member), At=at)
            add(connection, account_link, **of(member), OtherId=90 + number, At=at)
            episode_id = add(connection, episode, GuildId=member.guild_id, LastAt=at)
            add(connection, episode_member, **of(member), EpisodeId=episode_id)
            artifact_id = add(connection, artifact, **of(member), MessageId=number)
            add(connection, artifact_text, **of(member), ArtifactId=artifact_id)
    delete_said_up_to(connection, ADA, 2, NOON)
    for table in (tension, moderator_action, account_link, episode_member, artifact, artifact_text):
        rows = stored(connection, table.c.GuildId, table.c.UserId)
        counts = [rows.count((m.guild_id, m.user_id)) for m in (ADA, BOB, ELSEWHERE)]
        assert counts == [1, 3, 3], table.name
    naming_her = select(account_link.c.UserId).where(account_link.c.OtherId == ADA.user_id)
    assert list(connection.scalars(naming_her)) == [3]


@each_row(
    "entry",
    [entry for entry in INVENTORY if entry.member_columns and "ExpiresAt" in entry.table.c],
)
def test_whatever_has_an_end_ends_sooner_after_a_shorter_choice(connection, entry):
    columns, late = entry.table.c, NOON + timedelta(days=400)
    ids = {}
    for member in (ADA, BOB, ELSEWHERE):
        whose = {"GuildId": member.guild_id, entry.member[0]: member.user_id}
        artifact_id = add(connection, artifact, **of(member), ExpiresAt=late)
        parent = {"ArtifactId": artifact_id} if entry.table is artifact_text else {}
        ids[member] = add(connection, entry.table, **whose, **parent, ExpiresAt=late)
    consent.shorten_lifetimes(connection, ADA, timedelta(days=30), now=NOON)
    ends = dict(stored(connection, columns.Id, columns.ExpiresAt))
    assert ends[ids[ADA]] == NOON + timedelta(days=30)
    assert ends[ids[BOB]] == ends[ids[ELSEWHERE]] == late


# --- channels and ends --------------------------------------------------------------------------


def fill(connection, place, at=NOON, state=AlertState.OPEN):
    """Store an episode with its parts, and an alert with its message, of a place."""
    server, channel_id = place
    parent = {"GuildId": server, "ChannelId": channel_id, "SourceId": channel_id}
    episode_id = add(connection, episode, **parent, ExpiresAt=at)
    add(connection, episode_summary, GuildId=server, EpisodeId=episode_id, ExpiresAt=AFTER)
    add(connection, episode_member, GuildId=server, EpisodeId=episode_id)
    alert_id = add(connection, alert, GuildId=server, PlaceId=channel_id, ChangedAt=at, State=state)
    add(connection, alert_message, GuildId=server, AlertId=alert_id)


def parts(connection):
    """Return how many rows there are of each table that :func:`fill` fills."""
    tables = (episode, episode_summary, episode_member, alert, alert_message)
    return [len(stored(connection, table.c.GuildId)) for table in tables]


def test_a_channel_takes_the_parts_of_what_it_takes_and_leaves_alerts_to_be_blanked(connection):
    for place in ((GUILD, 100), (GUILD, 200), (OTHER_GUILD, 100)):
        fill(connection, place)
    for channel_ids in ([100], [100, 300]):
        delete_of_channels(connection, GUILD, channel_ids)
        assert parts(connection) == [2, 2, 2, 3, 3]


def test_what_ends_takes_its_parts_along_in_every_server(connection):
    for server in (GUILD, GUILD, OTHER_GUILD):
        fill(connection, (server, 100))
    fill(connection, (GUILD, 200), at=AFTER)
    assert delete_expired(connection, "Episode", NOON, 9) == {GUILD: 2, OTHER_GUILD: 1}
    later = NOON + timedelta(days=31, seconds=1)
    assert delete_expired(connection, "Alert", later, 2).total() == 2
    assert delete_expired(connection, "Alert", later, 9).total() == 1
    assert parts(connection) == [1] * 5


@each_row(("name", "days"), PROMISED.items())
def test_it_ends_after_so_many_days_and_not_before(connection, name, days):
    (entry,) = [entry for entry in INVENTORY if entry.table.name == name]
    (end,) = entry.expiries
    is_day = end.column == "Day"
    add(connection, entry.table, **{end.column: NOON.date().isoformat() if is_day else NOON})
    kept_until = NOON + timedelta(days=days)
    assert delete_expired(connection, name, kept_until, 9).total() == 0
    later = timedelta(days=1) if is_day else timedelta(microseconds=1)
    assert delete_expired(connection, name, kept_until + later, 9).total() == 1


def test_a_case_ends_later_than_other_alerts(connection):
    for state in (AlertState.OPEN, AlertState.CASE):
        fill(connection, (GUILD, 100), state=state)
    for days, count in ((31, 0), (32, 1), (91, 0), (92, 1)):
        now = NOON + timedelta(days=days)
        assert delete_expired(connection, "Alert", now, 9).total() == count
