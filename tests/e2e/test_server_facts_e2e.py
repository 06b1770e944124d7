"""What a member states for the server is told to others as what a member said."""

import re
from functools import partial
from typing import Any

import pytest

from tests.e2e.den import Den, memory
from tests.e2e.test_commands_e2e import use
from tests.fakes.discord import Message, perms
from tests.fakes.model_server import ChatRequest, prompt_of
from utils.models.memory import DIRECT_MESSAGES, SERVER_USER_ID, Member

NIGHT = re.compile(r"[\w ,@']*(?:game night|spoilers)[^\n]*")
SAID = 'A member said here: "game night is'


@pytest.fixture
def kith(shared_kith: Den) -> Den:
    """Kith, started once for this module; each test has a server of its own."""
    shared_kith.model.extract_with(facts)
    return shared_kith


def facts(request: ChatRequest) -> dict[str, Any]:
    """Note what is said of game night as a fact of the server."""
    said = prompt_of(request, "user").rpartition("\nSAID\n")[2]
    lines = re.findall(r"^s\d+(?: \[.*?\])?(?: \(.*?\))?: (.*)", said, re.MULTILINE)
    return {
        "memories": [
            memory(line, line, kind="server_fact") for line in lines if NIGHT.search(line)
        ],
        "profile_update": None,
    }


def shown_text(message: Message) -> str:
    """What a person reads of a message, its card included."""
    return "\n".join([message.content, *(card["description"] for card in message.embeds)])


async def stored(kith: Den) -> list[str]:
    shown = await kith.app.memory.member_data.show(Member(kith.guild.id, SERVER_USER_ID))
    return [row.text for row in shown.rows]


async def test_what_one_states_is_told_to_another_as_what_a_member_said(kith: Den) -> None:
    counted = partial(
        kith.app.runtime.metrics.registry.get_sample_value,
        "kith_memories_learnt_total",
        {"kind": "server_fact"},
    )
    before = counted() or 0
    await kith.teach(kith.bob, "game night is Friday at 8")
    assert (await kith.known_of(kith.bob), counted()) == ([], before + 1)
    await kith.talk(kith.alice, "when is game night?")
    assert SAID in kith.last_words()
    await kith.talk(kith.alice, "do you like tea?")
    assert SAID not in kith.last_words().rpartition("<background>")[2]


async def test_it_stays_where_its_channel_is_readable(kith: Den) -> None:
    closed = kith.guild.add_text_channel("crew", private=True)
    for reader in (kith.bob, kith.guild.bot_role):
        closed.overwrite(reader, allow=perms("view_channel"))
    await kith.calm()
    await kith.teach(kith.bob, "game night is Friday at 8", closed)
    await kith.talk(kith.alice, "when is game night?")
    assert SAID not in kith.last_words()
    await kith.talk(kith.bob, "when is game night?", closed)
    assert SAID in kith.last_words()


@pytest.mark.parametrize(
    "said",
    [
        "I host game night on Friday",
        "Alice runs game night on Friday",
    ],
)
async def test_what_is_not_for_everybody_is_no_fact_of_the_server(kith: Den, said: str) -> None:
    await kith.talk(kith.alice, "hello")  # so that her name is known here
    await kith.teach(kith.bob, said)
    assert await stored(kith) == []
    is_own = said.startswith("I ")  # a sentence about its author becomes their own note
    assert any("game night" in text for text in await kith.known_of(kith.bob)) is is_own


async def test_what_is_said_in_private_is_no_fact_of_a_server(kith: Den) -> None:
    await kith.talk(kith.bob, "game night is Friday at 8", kith.dm(kith.bob))
    await use(kith, kith.bob, "ask", question="game night is Friday at 8")
    await kith.app.memory.recorder.settle()
    shown = await kith.app.memory.member_data.show(Member(DIRECT_MESSAGES, SERVER_USER_ID))
    assert [*shown.rows, *await stored(kith)] == []
    for is_direct in (True, False):
        (text,) = await kith.known_of(kith.bob, direct=is_direct)
        assert text.startswith("game night is Friday")


async def test_it_goes_with_its_message_and_so_does_the_answer(kith: Den) -> None:
    said = await kith.teach(kith.bob, "game night is Friday at 8")
    answer = await kith.talk(kith.alice, "when is game night?")
    await kith.calm()
    assert len(await stored(kith)) == 1
    await kith.fake.delete(said)
    await kith.calm()
    assert await stored(kith) == []
    await kith.fake.wait_until(lambda: answer.deleted, "the answer to go")


async def test_it_goes_when_its_teller_forgets_everything(kith: Den) -> None:
    await kith.teach(kith.bob, "game night is Friday at 8")
    await kith.app.memory.editor.forget_all(Member(kith.guild.id, kith.bob.id))
    assert await stored(kith) == []


async def test_its_teller_sees_and_withdraws_it(kith: Den) -> None:
    await kith.teach(kith.bob, "game night is Friday at 8")
    answer = await kith.talk(kith.alice, "when is game night?")
    await kith.calm()
    listed = await (await kith.fake.slash(kith.bob, kith.general, "memory show")).reply()
    number = re.search(r"`#(\d+)` game night is Friday", shown_text(listed))
    assert number is not None
    assert "server fact" in shown_text(listed)
    assert "game night" not in shown_text(await use(kith, kith.alice, "memory show"))
    await use(kith, kith.alice, "memory forget", memory=f"#{number[1]}")
    assert len(await stored(kith)) == 1  # it is not hers
    await use(kith, kith.bob, "memory forget", memory=f"#{number[1]}")
    assert await stored(kith) == []
    await kith.fake.wait_until(lambda: answer.deleted, "the answer to go")


async def test_moderators_see_and_erase_it(kith: Den) -> None:
    closed = kith.guild.add_text_channel("crew", private=True)
    for reader in (kith.bob, kith.guild.bot_role):
        closed.overwrite(reader, allow=perms("view_channel"))
    moderator = kith.moderator
    await kith.calm()
    assert "no stories" in (await use(kith, moderator, "mod lore")).content
    await kith.teach(kith.bob, "game night is Friday at 8")
    await kith.teach(kith.bob, "game night for the crew is Sunday", closed)
    listed = shown_text(await use(kith, moderator, "mod lore"))
    assert "game night is Friday" in listed
    assert "for the crew" not in listed
    assert "said where you can't read" in listed
    numbers = sorted(set(re.findall(r"`#(\d+)`", listed)))
    assert len(numbers) == 2
    for number in numbers:
        gone = await use(kith, moderator, "mod lore", remove=number)
        assert f"`#{number}` is erased" in gone.content
    assert await stored(kith) == []
    again = await use(kith, moderator, "mod lore", remove=numbers[0])
    assert "no story or fact" in again.content
