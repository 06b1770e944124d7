"""What Discord and the network do to a bot: lost lines, limits, failures, echoes. Nothing that was
asked is lost or answered twice, and nothing of it is a traceback."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import timedelta

import pytest

from tests.e2e.den import Den, Held
from tests.fakes.discord import FakeDiscord, Interaction, Message
from utils.models.memory import Consent, Member

MESSAGES = "/channels/{}/messages"
TYPING = "/channels/{}/typing"
LOOKED_AT = ("GET", "/channels/{channel_id}/messages")

Strike = Callable[[FakeDiscord, str], object]

# What can become of one request, by what it is called in a report.
MISFORTUNES: dict[str, Strike] = {
    "429": lambda fake, path: fake.rate_limit("POST", path, times=2, retry_after=0.05),
    "502": lambda fake, path: fake.fail("POST", path, status=502),
    "520": lambda fake, path: fake.fail("POST", path, status=520),
    "503": lambda fake, path: fake.fail("POST", path, status=503),
    "line cut": lambda fake, path: fake.cut("POST", path),
}
RECEIPT_LOST: dict[str, Strike] = {
    "503 in place of the receipt": lambda fake, path: fake.fail(
        "POST", path, status=503, after=True
    ),
    "line cut in place of the receipt": lambda fake, path: fake.cut("POST", path, after=True),
}


@pytest.fixture(autouse=True)
def nothing_is_a_traceback(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test during which anything was logged with a traceback.

    A connection that was lost and is taken up again is told in one line.
    """
    logging.getLogger("discord").setLevel(logging.ERROR)
    with caplog.at_level(logging.INFO):
        yield
    traced = [one for one in caplog.get_records("call") if one.exc_info]
    assert not traced, [one.getMessage() for one in traced]


def answers_to(den: Den, asked: Message) -> list[str]:
    return [one.content for one in den.answers(asked.channel) if one.reply_to is asked]


# --- REST -------------------------------------------------------------------------------------


async def test_an_answer_is_given_once_whatever_becomes_of_its_message_or_of_typing(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.chat.reply_targets.TYPING_S", 0.2)
    asked: dict[str, Message] = {}
    for name, strike in MISFORTUNES.items():
        place = kith.guild.add_text_channel("a-room")
        strike(kith.fake, TYPING.format(place.id))
        asked[f"typing: {name}"] = await kith.say(kith.alice, "hello", place)
    down = kith.guild.add_text_channel("a-room")
    kith.fake.fail("POST", TYPING.format(down.id), times=9)
    asked["typing is down"] = await kith.say(kith.alice, "hello", down)
    for name, strike in (MISFORTUNES | RECEIPT_LOST).items():
        place = kith.guild.add_text_channel("a-room")
        strike(kith.fake, MESSAGES.format(place.id))
        asked[name] = await kith.say(kith.alice, "hello", place)
    for question in asked.values():
        await kith.answer_to(question, within_s=15.0)  # discord.py's five attempts take 25 s
    await kith.calm()
    given = {name: answers_to(kith, question) for name, question in asked.items()}
    assert given == {name: ["Hello from the fake model."] for name in asked}


async def use(
    den: Den, callback: Strike | None = None, follow: Strike | None = None
) -> Interaction:
    """Have a command used, with misfortunes for its two requests."""
    used = await den.fake.slash(
        den.alice, den.general, "privacy" if follow is None else "kith mode"
    )
    if callback is not None:
        callback(den.fake, f"/interactions/{used.id}/*")
    if follow is not None:
        follow(den.fake, f"/webhooks/*/{used.token}")
    return used


async def test_a_command_is_answered_once_whatever_becomes_of_its_requests(kith: Den) -> None:
    strikes = MISFORTUNES | RECEIPT_LOST
    used = {name: await use(kith, callback=strike) for name, strike in strikes.items()}
    used |= {f"then {name}": await use(kith, follow=one) for name, one in MISFORTUNES.items()}
    for one in used.values():
        assert (await one.reply()).content
    deferred = [await use(kith, strike, lambda *_: None) for strike in RECEIPT_LOST.values()]
    for one in deferred:
        await one.response()
    told = await deferred[-1].reply()  # discord.py does not try again: they hear that it failed
    assert told.content.startswith("Discord did not answer me just now; please try again")
    await kith.calm()
    assert {name: len(one.followups) for name, one in used.items()} == dict.fromkeys(used, 0)
    assert not any(one.followups for one in deferred)


async def test_a_command_that_came_too_late_does_nothing(kith: Den) -> None:
    used = await kith.fake.slash(kith.moderator, kith.general, "mod freeze", {"state": "on"})
    used.expire()
    await kith.fake.wait_until(lambda: used.refused, "a refusal")
    await kith.calm()
    assert used.refused == [10062]
    assert not (await kith.app.guilds.settings.latest(kith.guild.id)).frozen


# --- the socket -------------------------------------------------------------------------------


@pytest.fixture
async def busy(own_kith: Den) -> AsyncIterator[tuple[Den, Message, Held]]:
    """Kith, known to Alice, with a question that its model is thinking about."""
    kith = own_kith
    await kith.looked()  # the look of the start is none of what follows
    await kith.talk(kith.alice, "before")
    await kith.app.memory.editor.set_consent(Member(kith.guild.id, kith.bob.id), Consent.OFF)
    await kith.talk(kith.bob, "of this nothing is stored")
    kith.model.reply_with(held := Held())
    asked = await kith.say(kith.alice, "under way")
    await held.asked.wait()
    await kith.fake.duplicate_last_dispatch("MESSAGE_CREATE")
    yield kith, asked, held
    held.release()


async def test_after_a_break_that_can_be_resumed_everything_is_answered_once(
    busy: tuple[Den, Message, Held],
) -> None:
    kith, under_way, held = busy
    looks = len(kith.fake.requests_to(*LOOKED_AT))
    breaking = asyncio.ensure_future(kith.fake.drop_connection())
    await asyncio.sleep(0)
    meanwhile = await kith.say(kith.alice, "meanwhile")
    held.release()
    for asked in (under_way, meanwhile):
        await kith.answer_to(asked)
    await breaking
    await kith.fake.wait_resumed()
    await kith.fake.duplicate_last_dispatch("MESSAGE_CREATE")
    await kith.calm()
    assert [len(answers_to(kith, one)) for one in (under_way, meanwhile)] == [1, 1]
    assert len(kith.fake.requests_to(*LOOKED_AT)) == looks  # Discord told everything: no look


async def test_what_was_asked_while_there_was_no_session_is_answered_once_unless_it_is_old(
    busy: tuple[Den, Message, Held],
) -> None:
    kith, under_way, held = busy
    long_ago, cy = kith.clock.now() - timedelta(minutes=10), kith.guild.add_member("Cy")
    kith.fake.advance(3)  # Discord's clock is ahead
    erased = await kith.say(cy, "erased")
    await kith.heard()
    await kith.app.memory.editor.forget_all(Member(kith.guild.id, cy.id))
    await kith.fake.drop_connection(forget_session=True)
    stale = await kith.fake.say(kith.moderator, kith.general, "<@bot> old", at=long_ago)
    missed = await kith.say(kith.moderator, "missed")
    chatter = await kith.fake.say(kith.moderator, kith.general, "not for Kith")
    await kith.fake.wait_until(lambda: kith.fake.gateway.identifies == 2, "a second IDENTIFY")
    await kith.fake.wait_ready()
    held.release()
    for asked in (under_way, missed):
        await kith.answer_to(asked)
    await kith.looked()
    await kith.calm()
    asked_for = (under_way, missed, stale, chatter, erased)
    assert [len(answers_to(kith, one)) for one in asked_for] == [1, 1, 0, 0, 0]
    assert len(kith.answers()) == len(kith.prompts()) == 4  # being ready twice answers nothing anew


async def test_a_server_that_removed_kith_while_there_was_no_session_is_none_of_its_own(
    own_kith: Den,
) -> None:
    await own_kith.teach(own_kith.alice, "I have a secret twin.")
    own_kith.fake.world.users[own_kith.alice.id].has_app = True
    await own_kith.fake.drop_connection(forget_session=True)
    own_kith.guild.members.pop(own_kith.fake.bot_user.id)
    await own_kith.fake.wait_until(lambda: not own_kith.client.guilds, "the server is gone")
    used = await own_kith.fake.slash(own_kith.alice, own_kith.general, "memory show")
    assert (await used.reply()).content.startswith("I am not a member of this server.")
