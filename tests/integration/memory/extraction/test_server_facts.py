"""What members state for their server is stored as the server's, up to a number."""

from tests.fakes.builders import GUILD, NOON
from tests.unit.memory.consolidation.test_planner import planned
from tests.unit.memory.consolidation.test_server_facts import GAME_NIGHT, fact
from utils.memory.extraction import server_facts


async def test_a_server_that_is_full_of_facts_keeps_them_and_says_so(database, monkeypatch, caplog):
    monkeypatch.setattr(server_facts, "MAX_OF_SERVER", 3)
    for text, is_kept in (
        (GAME_NIGHT, True),
        (GAME_NIGHT, False),
        ("der Club ist freitags offen", True),
        ("der Club ist freitags nicht offen", True),  # stems have no "nicht"
        ("quiz night is Sunday", False),
    ):
        facts = planned(fact(text)).server_facts
        stored = await database.write(server_facts.store, guild_id=GUILD, facts=facts, now=NOON)
        assert bool(stored) is is_kept
        assert ("a server has 3 facts" in caplog.text) is text.startswith("quiz")
