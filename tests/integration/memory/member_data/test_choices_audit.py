"""The audit says who chose what about a member: passive notes, being ignored, a frozen server."""

from tests.fakes.builders import ADA, GUILD, make_guild_settings
from utils.database.memories import audit
from utils.models.memory import SERVER_USER_ID, Member

MIA = 77


async def actions(database, member: Member) -> list[tuple[str, int]]:
    entries = await database.read(audit.load_entries, member)
    return [(entry.action, entry.actor_id) for entry in reversed(entries)]


async def test_ignoring_and_freezing_are_in_the_audit_with_who_did_it(database, clock) -> None:
    settings = make_guild_settings(database, clock)
    for state in (True, True, False):
        await settings.ignore(ADA, ignored=state, actor_id=MIA)
        await settings.set_values(GUILD, frozen=state, actor_id=MIA)
        await settings.set_values(
            GUILD, tool_servers=["a-long-service"] if state else [], actor_id=MIA
        )
    assert await actions(database, ADA) == [("ignored", MIA), ("no longer ignored", MIA)]
    server = Member(GUILD, SERVER_USER_ID)
    assert await actions(database, server) == [
        ("frozen", MIA),
        ("@a-long-service on", MIA),
        ("unfrozen", MIA),
        ("@a-long-service off", MIA),
    ]
