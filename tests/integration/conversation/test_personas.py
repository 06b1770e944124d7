"""A server's own personas, the modes of its channels, and who refuses to be made fun of."""

import asyncio

import pytest

from tests.fakes.builders import ADA, BOB, GUILD
from utils.common.errors import BadInput
from utils.conversation.personas import PersonaService
from utils.models.guild import PERSONA_LIMIT
from utils.models.memory import Member

MODERATOR = 77
OTHER_GUILD = GUILD + 1
HERE = 10


@pytest.fixture
def book(database, clock, guilds):
    return PersonaService(database, clock, guilds)


async def make(book, name="pirate", text="Arr.", guild_id=GUILD):
    return await book.create(guild_id, name, text, actor_id=MODERATOR)


async def test_a_persona_is_stored_with_who_wrote_it_and_when(book, clock):
    made = await make(book, " Pirate-2 ")
    assert made.name == "pirate-2"
    assert await book.own(GUILD, "pirate-2") == made
    assert (made.created_by, made.created_at) == (MODERATOR, clock.now())
    clock.advance(60)
    await book.edit(GUILD, "pirate-2", "Ahoy.", actor_id=MODERATOR + 1)
    changed = await book.own(GUILD, "pirate-2")
    assert changed.text == "Ahoy."
    assert (changed.created_by, changed.created_at) == (made.created_by, made.created_at)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ä-ö",
        "Ａb",
    ],
)
async def test_a_name_is_small_letters_digits_and_hyphens(book, name):
    with pytest.raises(BadInput, match="2 to 32 characters"):
        await make(book, name)


@pytest.mark.parametrize("text", ["", "\x00", "🙂" * PERSONA_LIMIT])
async def test_words_that_cannot_be_stored_are_refused(book, text):
    with pytest.raises(BadInput, match="A mode"):
        await make(book, text=text)


async def test_words_with_slurs_are_refused_when_written_and_when_rewritten(book):
    with pytest.raises(BadInput, match="described with slurs"):
        await make(book, text="Say n1gg3r a lot.")
    await make(book)
    with pytest.raises(BadInput, match="described with slurs"):
        await book.edit(GUILD, "pirate", "You faggot!", actor_id=MODERATOR)
    assert (await book.own(GUILD, "pirate")).text == "Arr."


async def test_the_same_name_is_made_once(book):
    made = await asyncio.gather(*(make(book) for _ in range(3)), return_exceptions=True)
    assert len([one for one in made if not isinstance(one, Exception)]) == 1


async def test_a_deleted_persona_is_the_mode_nowhere(book, guilds):
    await make(book)
    await guilds.set_mode(GUILD, "pirate")
    await guilds.set_mode(GUILD, "pirate", HERE)
    await guilds.set_mode(GUILD, "helpful", HERE + 1)
    settings = await guilds.get(GUILD)
    assert settings.mode_in(HERE) == "pirate"
    assert settings.persona("pirate").text == "Arr."
    await book.delete(GUILD, "pirate")
    settings = await guilds.get(GUILD)
    assert settings.mode == settings.mode_in(HERE) == "friendly"
    assert settings.mode_in(HERE + 1) == "helpful"
    for change in (
        book.delete(GUILD, "pirate"),
        book.edit(GUILD, "pirate", "Ahoy.", actor_id=MODERATOR),
    ):
        with pytest.raises(BadInput, match="There is no mode pirate"):
            await change


async def test_who_refuses_to_be_made_fun_of_is_known_by_server(book):
    await book.refuse_roasts(ADA, refused=True)
    await book.refuse_roasts(ADA, refused=True)
    assert await book.any_refuses(GUILD, [BOB.user_id, ADA.user_id])
    assert not await book.any_refuses(GUILD, [BOB.user_id])
    assert not await book.any_refuses(OTHER_GUILD, [ADA.user_id])
    assert not await book.any_refuses(GUILD, [])
    await book.refuse_roasts(ADA, refused=False)
    await book.refuse_roasts(Member(GUILD, 5), refused=False)
    assert not await book.any_refuses(GUILD, [ADA.user_id])
