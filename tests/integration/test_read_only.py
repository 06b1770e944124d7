"""Where MEMORY_READ_ONLY is on, nothing new is written, and what has to go still goes."""

import bot
from tests.fakes.builders import ADA, GUILD, audience, make_event, make_turn
from tests.fakes.clock import ManualClock
from tests.integration.residue import WORD, Household
from utils.config import Settings
from utils.model.guild import GuildSettings
from utils.model.memory import Consent
from utils.model.recall import Person


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
    return bot.build(settings, home.clock)


async def use_of(home):
    (row,) = (await home.reader.show(ADA)).rows
    return row.use_count, row.last_used_at


async def test_what_is_recalled_is_not_counted(database, database_url):
    home = await lived_in(database, database_url)
    core = reading(home)
    await core.start()
    settings = GuildSettings(GUILD)
    recall = await core.reader.recall(
        audience(), [Person(ADA.user_id, "Ada")], WORD, settings=settings
    )
    assert WORD in recall.block
    await core.reader.write_uses()
    assert await use_of(home) == (0, None)
    await core.close()
    assert await use_of(home) == (0, None)


async def test_what_is_said_is_answered_and_not_stored(database, database_url):
    home = await lived_in(database, database_url)
    core = reading(home)
    await core.start()
    answer = await core.conversation.answer(make_turn(make_event("I also like timbuktu")))
    assert WORD in answer.text
    await core.close()
    assert await home.residue("timbuktu") == []


async def test_expiry_and_erasure_go_on(database, database_url):
    home = await lived_in(database, database_url)
    await home.keeper.set_consent(ADA, Consent.TEMPORARY)
    core = reading(home)
    await core.start()
    home.clock.advance(days=31)
    report = await core.upkeep.prune()
    assert report.expired == {GUILD: 1}
    await core.close()
    assert await home.residue() == []
