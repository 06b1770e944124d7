"""Speaking first: only where moderators want it, about what is open, and never against anybody."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from cogs.speaking import speaking_worker
from cogs.speaking.speaking_worker import SpeakingWorker
from tests.e2e.den import NEVER_BY_ITSELF_S, Den, attentive
from tests.e2e.test_alerts_e2e import press
from tests.e2e.test_changed_readers_e2e import close
from tests.e2e.test_chat_tools_e2e import calling
from tests.e2e.test_commands_e2e import use
from tests.fakes.discord import Channel, Member, Message, perms
from tests.fakes.model_server import ChatRequest, prompt_of
from utils.models.guild import Purpose
from utils.models.memory import Consent, Role
from utils.models.memory import Member as Known

LABEL = "Don't speak first"
DAY_S = 24 * 3600
ALWAYS = {"quiet_from": 0, "quiet_until": 0}


@pytest.fixture(autouse=True)
def looks_only_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker would look by itself in a test that takes longer than a minute."""
    monkeypatch.setattr(speaking_worker, "LOOK_EVERY_S", NEVER_BY_ITSELF_S * 100)


@pytest.fixture
def kith(own_kith: Den) -> Den:
    return own_kith


def judges(request: ChatRequest) -> bool:
    return "You decide whether Kith" in prompt_of(request, "system")


def chooses(den: Den, subject: int | Callable[[], int]) -> None:
    """Let the model choose this subject, and write of an exam when it writes first."""

    def arguments(request: ChatRequest) -> dict[str, Any]:
        if not judges(request):
            return attentive(request)
        return {"subject": subject if isinstance(subject, int) else subject()}

    den.model.extract_with(arguments)
    den.model.reply_with("How did the exam go? @everyone [asked 1]")


def judged(den: Den) -> int:
    return sum(map(judges, den.model.chats))


async def asks_to_be_asked(
    den: Den, who: Member, place: Channel | None = None, what: str = "how my exam went"
) -> Message:
    """Let somebody leave something open for tomorrow, and return what they said."""
    den.model.reply_with(calling("ask_later", {"what": what, "day": "tomorrow"}))
    said = await den.say(who, f"ask me tomorrow {what}", place)
    assert (await den.answer_to(said)).content.startswith("So: Noted")
    return said


async def look(den: Den, after_s: float = 0) -> None:
    """Let time pass, and every client look for silence once."""
    await den.calm()
    den.clock.pass_time(after_s)
    den.fake.advance(after_s)
    cogs = [client.get_cog("SpeakingWorker") for client in den.clients]
    await asyncio.gather(*(cog.speak_where_it_is_silent() for cog in cogs if cog is not None))
    assert all(isinstance(cog, SpeakingWorker) for cog in cogs)
    await den.calm()


def remarks(den: Den, channel: Channel | None = None) -> list[Message]:
    said = den.fake.messages(channel or den.general, author=den.fake.bot_user)
    return [message for message in said if "exam go?" in message.content and not message.reply_to]


async def switch_on(den: Den, place: Channel | None = None, **options: object) -> str:
    options = {"channel": place or den.general, **ALWAYS, **options}
    return (await use(den, den.moderator, "speak on", **options)).content


async def test_it_asks_once_about_what_somebody_left_open_and_that_goes_with_their_words(
    kith: Den,
) -> None:
    said = await asks_to_be_asked(kith, kith.alice)
    chooses(kith, 1)
    await look(kith, 26 * 3600)
    assert (judged(kith), remarks(kith)) == (0, [])  # off by default
    assert "at any hour" in await switch_on(kith)
    assert "<#" in (await use(kith, kith.moderator, "speak show")).content
    await look(kith)
    await look(kith)
    (remark,) = remarks(kith)
    assert remark.content == "How did the exam go? @everyone"
    assert not kith.fake.pings(remark)
    subjects = next(prompt_of(request, "user") for request in kith.model.chats if judges(request))
    assert "1. Alice: how my exam went (wants to be asked" in subjects
    turn = (await kith.last_turns())[-1]
    assert (turn.role, turn.text) == (Role.KITH, remark.content)
    assert kith.alice.id in turn.about_ids
    await look(kith, 2 * DAY_S)  # nobody wrote since
    assert remarks(kith) == [remark]
    await kith.fake.delete(said)
    await kith.fake.wait_until(lambda: remarks(kith) == [], "what rests on it is deleted too")


async def test_whom_it_is_about_mutes_it_for_themselves_and_anybody_else_for_the_channel(
    kith: Den,
) -> None:
    room = kith.guild.add_text_channel("room")
    for place, what in ((None, "how my exam went"), (room, "how the flat is")):
        await switch_on(kith, place)
        await asks_to_be_asked(kith, kith.alice, place, what)
    chooses(kith, 1)
    await look(kith, 26 * 3600)
    (first,), (second,) = remarks(kith), remarks(kith, room)
    assert "`/kith speaking`" in await press(kith, kith.alice, first, LABEL)
    await kith.fake.wait_until(lambda: not first.components, "the button is gone")
    assert "`/speak on`" in await press(kith, kith.bob, second, LABEL)
    show = (await use(kith, kith.moderator, "speak show")).content
    assert f"<#{room.id}>" not in show
    assert f"<#{kith.general.id}>" in show
    await asks_to_be_asked(kith, kith.alice, what="how the trip was")
    chooses(kith, 1)
    await look(kith, 26 * 3600)
    assert remarks(kith) == [first]
    assert "speak first" in (await use(kith, kith.alice, "kith speaking", state="on")).content
    await kith.fake.say(kith.alice, kith.general, "hello again")
    await look(kith, 2 * DAY_S)
    assert len(remarks(kith)) == 2
    gone = await use(kith, kith.moderator, "speak off", channel=kith.general)
    assert "any more" in gone.content


async def test_it_is_silent_where_people_talk_where_it_may_not_and_when_the_judge_says_no(
    kith: Den,
) -> None:
    settings, answers = kith.app.guilds.settings, [0]
    await asks_to_be_asked(kith, kith.alice)
    chooses(kith, lambda: answers[-1])
    await switch_on(kith)
    await look(kith, 26 * 3600)
    assert (judged(kith), remarks(kith)) == (1, [])  # the judge says no
    answers.append(1)
    await kith.fake.say(kith.bob, kith.general, "hi there")
    await look(kith, 60)
    assert judged(kith) == 1  # people are talking
    await settings.set_values(kith.guild.id, frozen=True)
    await look(kith, 4 * 3600)
    await settings.set_values(kith.guild.id, frozen=False)
    hour = kith.clock.now().hour
    await switch_on(kith, quiet_from=hour, quiet_until=(hour + 2) % 24)
    await look(kith)
    assert judged(kith) == 1
    await switch_on(kith)
    kith.model.reply_with("That is what Bob asked: how the exam go? exam go?")
    await kith.app.memory.editor.set_consent(Known(kith.guild.id, kith.bob.id), Consent.OFF)
    await look(kith)
    assert (judged(kith), remarks(kith)) == (2, [])  # it names somebody whose consent is off
    await kith.fake.set_overwrite(
        kith.general, kith.guild.bot_role, allow=perms("read_message_history")
    )
    await kith.fake.set_overwrite(
        kith.general, kith.guild.everyone, deny=perms("read_message_history")
    )
    await look(kith, 7 * 3600)
    assert judged(kith) == 2  # newcomers could not read what was said
    kith.general.overwrite(kith.guild.bot_role, deny=perms("send_messages"))
    assert "⚠️ <#" in await switch_on(kith)
    await settings.add_channel(kith.guild.id, kith.general.id, Purpose.NEVER)
    assert "I never answer there" in await switch_on(kith)


async def test_of_two_processes_one_speaks_and_a_talk_that_begins_meanwhile_silences_it(
    den: Den,
) -> None:
    async with den.awake(clients=2):
        await asks_to_be_asked(den, den.alice)
        await switch_on(den)
        chooses(den, 1)

        async def writes(_request: ChatRequest) -> str:
            await den.fake.say(den.bob, den.general, "good morning")
            await den.calm()
            return "How did the exam go?"

        den.model.reply_with(writes)
        await look(den, 26 * 3600)
        assert (judged(den), remarks(den)) == (1, [])
        chooses(den, 1)
        await look(den, 4 * 3600)
        assert (judged(den), len(remarks(den))) == (2, 1)


async def test_it_keeps_to_itself_what_not_everybody_there_may_hear_any_more(kith: Den) -> None:
    club = kith.guild.add_text_channel("club")
    await kith.teach(kith.alice, "I have an exam in zoology", club)
    await asks_to_be_asked(kith, kith.alice)
    await switch_on(kith)
    chooses(kith, 1)

    async def writes(request: ChatRequest) -> str:
        assert "zoology" in str(request["messages"])
        await close(kith, club)
        await kith.calm()
        return "How did the zoology exam go?"

    kith.model.reply_with(writes)
    await look(kith, 26 * 3600)
    assert (judged(kith), remarks(kith)) == (1, [])
