"""Where MEMORY_READ_ONLY is on, nothing new is written, and what has to go still goes."""

from sqlalchemy import update

from tests.fakes.builders import ADA, GUILD, audience, make_event, make_turn
from tests.fakes.clock import ManualClock
from tests.integration.residue import WORD, Household
from utils.build import build
from utils.common.config import Settings
from utils.database.schema.memory_tables import memory_event, user_memory, user_state
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Kind
from utils.models.recall import Person


async def lived_in(database, database_url):
    """A household in which Ada has said one thing, and its clock."""
    home = Household(database, database_url, ManualClock())
    await home.move_in()
    await home.tell(f"likes {WORD}")
    await home.recorder.close()
    return home


def reading(home):
    """The same, as a process that may only read builds it."""
    settings = Settings(_env_file=None, database_url=home.url, memory_read_only=True)
    return build(settings, home.clock)


async def test_what_is_recalled_is_not_counted(database, database_url):
    home = await lived_in(database, database_url)
    # Neither the profile nor the message says it: the memory itself is recalled.
    for change in (
        update(memory_event).values(Text="", Stems=""),
        update(user_memory).values(Kind=Kind.PREFERENCE),
        update(user_state).values(UserNotes="", NotesRowIds=""),
    ):
        await database.write(lambda connection, change=change: connection.execute(change))
    app = reading(home)
    await app.start()
    settings = GuildSettings(GUILD)
    recall = await app.memory.reader.recall(
        audience(), [Person(ADA.user_id, "Ada")], WORD, settings=settings
    )
    assert WORD in recall.block
    assert len(recall.rows) == 1
    await app.memory.reader.write_uses()
    await app.close()
    (row,) = (await home.member_data.show(ADA)).rows
    assert row.use_count == 0


async def test_what_is_said_is_answered_and_not_stored(database, database_url):
    home = await lived_in(database, database_url)
    app = reading(home)
    await app.start()
    assert (await app.conversation.answer(make_turn(make_event("I also like timbuktu")))).text
    await app.close()
    assert await home.residue("timbuktu") == []


async def test_expiry_and_erasure_go_on(database, database_url):
    home = await lived_in(database, database_url)
    await home.keeper.set_consent(ADA, Consent.TEMPORARY)
    app = reading(home)
    await app.start()
    home.clock.advance(days=31)
    assert (await app.admin.job_runs.prune()).by_reason["expired"] == {GUILD: 1}
    await app.close()
    assert await home.residue() == []
