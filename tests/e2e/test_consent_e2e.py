"""First contact and /memory consent, as people meet them."""

import asyncio

import pytest

from cogs.bot.texts import ANOTHERS_NOTICE
from tests.e2e.den import PATIENCE_S, Den, memory
from tests.e2e.test_commands_e2e import use
from tests.fakes.discord import Member, Message
from tests.fakes.model_server import prompt_of
from utils.models.memory import Consent
from utils.models.memory import Member as Known
from utils.models.recall import MemberView

LABELS = ["Remember me lastingly", "30 days", "Don't remember me"]
HIDE, SHOW = "Don't let others find me", "Let others find me by my notes"


def notices(kith: Den, channel: object = None) -> list[Message]:
    """What Kith said with buttons under it, or without them any more."""
    said = kith.fake.messages(channel or kith.general, author=kith.fake.bot_user)
    return [message for message in said if message.reply_to is None]


async def meet(kith: Den, who: Member, text: str = "I have a dog named Rex") -> Message:
    """Let somebody talk to Kith for the first time, and return its notice."""
    await kith.talk(who, text)
    await kith.calm()
    return notices(kith)[-1]


async def shown(kith: Den, who: Member) -> MemberView:
    return await kith.app.memory.member_data.show(Known(kith.guild.id, who.id))


def labels(message: Message) -> list[str]:
    return [button["label"] for row in message.components for button in row["components"]]


# --- the notice ---------------------------------------------------------------------------------


async def test_the_first_answer_is_followed_by_one_notice(kith: Den) -> None:
    answer = await kith.talk(kith.alice, "hello")
    await kith.calm()
    (notice,) = notices(kith)
    assert notice.id > answer.id
    assert notice.content.startswith("Alice, I remember what you tell me about yourself")
    assert len(notice.content) < 250
    assert all(one in notice.content for one in ("30 days", "`/memory consent`", "`/privacy`"))
    assert labels(notice) == [*LABELS, HIDE]
    pinged = kith.fake.pings(notice)
    assert not pinged.users
    assert not pinged.everyone
    await kith.talk(kith.alice, "hello again")
    await kith.talk(kith.alice, "and again", kith.guild.add_text_channel("other"))
    await kith.calm()
    assert len(notices(kith)) == 1


async def test_that_a_date_comes_after_the_end_is_said_once_and_where_it_was_said(
    kith: Den,
) -> None:
    """Temporary consent ends the memory of a wedding before the wedding."""
    kith.model.extract_with(
        lambda request: {
            "memories": [
                memory("is getting married on 5 June 2037", quote, kind="task", until="2037-06-05")
                for quote in ["getting married on 5 June 2037"]
                if quote in prompt_of(request)
            ],
            "profile_update": None,
        }
    )
    await kith.teach(kith.alice, "I'm getting married on 5 June 2037")
    await kith.talk(kith.alice, "hello", kith.guild.add_text_channel("other"))
    await kith.talk(kith.bob, "hello")
    await kith.calm()
    assert [notice for notice in notices(kith) if "forgotten" in notice.content] == []
    for _ in range(2):
        await kith.talk(kith.alice, "hello again")
        await kith.calm()
    (told,) = [notice for notice in notices(kith) if "forgotten" in notice.content]
    assert "I remember what you tell me for 30 days" in told.content
    assert "<t:2127816000:D>" in told.content
    assert not kith.fake.pings(told).users


async def test_each_member_is_asked_and_in_each_place_once(kith: Den) -> None:
    await kith.talk(kith.alice, "hello")
    await kith.talk(kith.bob, "hello")
    await kith.talk(kith.alice, "hello", kith.dm(kith.alice))
    await kith.calm()
    assert [notice.content.split(",")[0] for notice in notices(kith)] == ["Alice", "Bob"]
    (direct,) = notices(kith, kith.dm(kith.alice))
    assert labels(direct) == LABELS
    assert "our direct messages only" in direct.content
    assert not any("direct messages" in notice.content for notice in notices(kith))


async def test_who_could_not_be_asked_is_asked_the_next_time(
    kith: Den, caplog: pytest.LogCaptureFixture
) -> None:
    await kith.calm()
    refusing = kith.fake.hold("POST", "/channels/*/messages")
    asked = await kith.say(kith.alice, "hello")
    await asyncio.wait_for(refusing.reached.wait(), PATIENCE_S)
    kith.fake.cut("POST", "/channels/*/messages")  # the notice's turn
    refusing.release()
    await kith.answer_to(asked)
    await kith.calm()
    assert notices(kith) == []
    assert "a consent notice could not be sent" in caplog.text
    for words in ("hello again", "and again"):
        await kith.talk(kith.alice, words)
        await kith.calm()
        assert len(notices(kith)) == 1


async def test_a_failed_notice_takes_no_choice_back(kith: Den) -> None:
    alice = Known(kith.guild.id, kith.alice.id)
    keeper = kith.app.memory.editor
    assert await keeper.mark_consent_asked(alice)
    await keeper.set_consent(alice, Consent.LASTING)
    assert not await keeper.unmark_consent_asked(alice)
    assert not await keeper.mark_consent_asked(alice)


async def test_hostile_names_ping_nobody(kith: Den) -> None:
    notice = await meet(kith, kith.guild.add_member("Mallory", nick="@everyone **`x`**"))
    assert not kith.fake.pings(notice).everyone
    assert "@everyone" not in notice.content


# --- its buttons --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "choice", "sentence"),
    [
        (LABELS[0], Consent.LASTING, "I remember you lastingly here"),
        (LABELS[2], Consent.OFF, "Everything about you here is erased"),
    ],
)
async def test_a_press_takes_the_notice_away_and_only_its_member_is_told_what_they_chose(
    kith: Den, label: str, choice: Consent, sentence: str
) -> None:
    notice = await meet(kith, kith.alice)
    await kith.app.memory.recorder.settle()
    (first,) = (await shown(kith, kith.alice)).rows
    assert first.expires_at is not None
    pressed = await kith.fake.click(kith.alice, notice, label)
    told = await pressed.followup()
    assert told.content.startswith(sentence)
    assert told.ephemeral
    await kith.fake.wait_deleted(notice)
    assert not any(one.content.startswith(sentence) for one in kith.fake.messages(kith.general))
    known = await shown(kith, kith.alice)
    assert (known.consent, known.choices.consent) == (choice, choice)
    expected = [] if choice is Consent.OFF else [("has a dog named Rex", choice is Consent.LASTING)]
    assert [(row.text, row.expires_at is None) for row in known.rows] == expected


async def test_a_stranger_presses_in_vain(kith: Den) -> None:
    notice = await meet(kith, kith.alice)
    for stranger in (kith.bob, kith.moderator):
        reply = await (await kith.fake.click(stranger, notice, LABELS[2])).reply()
        assert reply.ephemeral
        assert reply.content == ANOTHERS_NOTICE
    assert labels(notice) == [*LABELS, HIDE]
    assert (await shown(kith, kith.alice)).choices.consent is None
    assert (await shown(kith, kith.bob)).choices.consent is None


async def test_a_press_in_a_direct_message_is_about_direct_messages(kith: Den) -> None:
    direct = kith.dm(kith.alice)
    await kith.talk(kith.alice, "I have a dog", direct)
    await kith.calm()
    pressed = await kith.fake.click(kith.alice, notices(kith, direct)[0], LABELS[0])
    await pressed.followup()
    places = {0: Consent.LASTING, kith.guild.id: None}
    for guild_id, choice in places.items():
        known = await kith.app.memory.member_data.show(Known(guild_id, kith.alice.id))
        assert known.choices.consent is choice


# --- /memory consent ----------------------------------------------------------------------------


async def test_consent_shows_what_holds_and_changes_it(kith: Den) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex")
    used = await kith.fake.slash(kith.alice, kith.general, "memory consent")
    offered = await used.reply()
    assert offered.ephemeral
    assert "30 days after you last said it (the default here)" in offered.content
    assert labels(offered) == [
        *LABELS,
        "Also listen when I talk to others",
        "Don't listen when I talk to others",
        HIDE,
    ]
    pressed = await kith.fake.click(kith.alice, offered, LABELS[0])
    assert (await pressed.edited()).content.startswith("I remember you lastingly here")
    assert (await shown(kith, kith.alice)).rows[0].expires_at is None
    again = await use(kith, kith.alice, "memory consent")
    assert "I remember you lastingly (your choice)" in again.content


async def test_off_is_asked_once_more_and_erases(kith: Den) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex")
    used = await kith.fake.slash(kith.alice, kith.general, "memory consent")
    question = await kith.fake.click(kith.alice, await used.reply(), LABELS[2])
    asked = await question.reply()
    assert "This cannot be undone." in asked.content
    await kith.fake.click(kith.alice, asked, "Keep it")
    await kith.fake.wait_until(lambda: asked.content == "Nothing was changed.", "the refusal")
    assert await kith.known_of(kith.alice) == ["has a dog named Rex"]

    used = await kith.fake.slash(kith.alice, kith.general, "memory consent")
    question = await kith.fake.click(kith.alice, await used.reply(), LABELS[2])
    asked = await question.reply()
    await kith.fake.click(kith.alice, asked, "Erase everything")
    await kith.fake.wait_until(
        lambda: asked.content.startswith("Everything about you here is erased"), "the erasure"
    )
    assert await kith.known_of(kith.alice) == []
    await kith.teach(kith.alice, "I have a cat")
    assert await kith.known_of(kith.alice) == []
    assert "I store nothing about you" in (await use(kith, kith.alice, "memory consent")).content


async def test_listening_to_others_is_a_choice_of_its_own(kith: Den) -> None:
    for label, opted in (
        ("Also listen when I talk to others", True),
        ("Don't listen when I talk to others", False),
    ):
        used = await kith.fake.slash(kith.alice, kith.general, "memory consent")
        await (await kith.fake.click(kith.alice, await used.reply(), label)).edited()
        known = await shown(kith, kith.alice)
        assert (known.choices.passive_opt_in, known.choices.consent) == (opted, None)


async def test_who_presses_not_to_be_found_is_not_and_the_notice_stays(kith: Den) -> None:
    notice = await meet(kith, kith.alice)
    assert "who else likes Go?" in notice.content
    await kith.fake.click(kith.bob, notice, HIDE)
    pressed = await kith.fake.click(kith.alice, notice, HIDE)
    assert (await pressed.followup()).content.startswith("I name you to nobody")
    assert (await shown(kith, kith.alice)).choices.not_findable
    assert not (await shown(kith, kith.bob)).choices.not_findable
    assert labels(notices(kith)[-1]) == [*LABELS, HIDE]
    used = await kith.fake.slash(kith.alice, kith.general, "memory consent")
    pressed = await kith.fake.click(kith.alice, await used.reply(), SHOW)
    assert "may hear your name" in (await pressed.edited()).content
    assert not (await shown(kith, kith.alice)).choices.not_findable
