"""An answer that is seen while it is written: what is shown of it when, and what becomes of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from cogs.bot.texts import BLOCKED
from cogs.chat.reply_sender import EDIT_EVERY_S, MARKER
from tests.e2e.den import PATIENCE_S, Den, MovableClock, chat_of, open_den
from tests.fakes.discord import FakeDiscord, Message
from tests.fakes.model_server import Writing
from utils.conversation.message_split import split_message
from utils.models.memory import Consent, Member

UNFIT = "you are such a faggot"
SHORT_S, BLINK_S = 2.0, 0.02
PROGRAM = "\n".join(f"print({number})  # a line of code" for number in range(150))


class FlyingClock(MovableClock):
    """The machine's clock, but that a short sleep takes a blink, for Kith and Discord alike."""

    def __init__(self, fake: FakeDiscord) -> None:
        super().__init__()
        self._fake = fake

    async def sleep(self, seconds: float) -> None:
        if seconds > SHORT_S:
            await super().sleep(seconds)
            return
        until = self.monotonic() + seconds
        await asyncio.sleep(BLINK_S)  # meanwhile the model writes on
        rest_s = max(0.0, until - self.monotonic())
        self.pass_time(rest_s)
        self._fake.advance(rest_s)


@pytest.fixture
async def streaming(den: Den) -> Den:
    """A den in which short sleeps take a blink; Kith sleeps."""
    den.clock = FlyingClock(den.fake)
    return den


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running_den(shared_database_url: str) -> AsyncIterator[Den]:
    """Kith awake with such a clock, with servers for the tests of this module."""
    async with open_den(shared_database_url) as opened:
        opened.clock = FlyingClock(opened.fake)
        opened.add_spare_places(30)
        async with opened.awake():
            yield opened


@pytest.fixture
def kith(hasty_kith: Den) -> Den:
    return hasty_kith


async def asked(kith: Den, text: str = "tell me a story") -> tuple[Message, Writing]:
    """Have Alice ask, and return the question and the pen that the answer is written with."""
    writing = Writing()
    kith.model.script(writing({}))
    question = await kith.say(kith.alice, text)
    await asyncio.wait_for(writing.begun.wait(), PATIENCE_S)  # the first one loads the client
    return question, writing


async def shown(kith: Den, contains: str) -> Message:
    """Wait until one of Kith's messages says that."""
    look: Callable[[], Any] = lambda: [one for one in kith.answers() if contains in one.content]  # noqa: E731
    return (await kith.fake.wait_until(look, f"{contains!r} to be shown"))[0]


async def begun(
    kith: Den, words: str, text: str = "tell me a story"
) -> tuple[Message, Writing, Message]:
    """Have Alice ask, and the model begin its answer; returns the question, the pen, and what is
    shown."""
    question, writing = await asked(kith, text)
    writing.write(words)
    return question, writing, await shown(kith, words[:-1].rpartition(" ")[0])


async def recorded(kith: Den) -> list[tuple[int, str]]:
    await kith.calm()
    return [(one.message_id, one.text) for one in await kith.last_turns()]


async def told_to_end(look: Callable[[], asyncio.Task[Any] | None], times: int = 1) -> None:
    """Wait until a task is told to end, so often."""
    async with asyncio.timeout(PATIENCE_S):
        while (  # noqa: ASYNC110 - nothing tells of it
            task := look()
        ) is None or task.cancelling() < times:
            await asyncio.sleep(BLINK_S)


def shower() -> asyncio.Task[Any] | None:
    """The task that shows an answer while it is written."""
    return next((one for one in asyncio.all_tasks() if one.get_name() == "stream an answer"), None)


def ever_said(kith: Den) -> str:
    """Everything that Kith sent to the channel, also what stands there no more."""
    path = f"/channels/{kith.general.id}/messages"
    sent = [one for one in kith.fake.requests if one.path.startswith(path)]
    return "\n".join((one.json or {}).get("content") or "" for one in sent)


def edits(kith: Den) -> int:
    path = f"/channels/{kith.general.id}/messages/"
    return sum(
        (one.method, one.path.startswith(path)) == ("PATCH", True) for one in kith.fake.requests
    )


async def test_an_answer_is_seen_while_it_is_written_and_is_one_message(kith: Den) -> None:
    question, writing, message = await begun(kith, "Once upon a ti")
    assert message.content == f"Once upon a{MARKER}", "a word is not shown before it is whole"
    assert message.reply_to is question
    writing.write("me there was")
    await shown(kith, "Once upon a time there")
    assert kith.fake.typing_events(kith.general)
    assert message.content == f"Once upon a time there{MARKER}", "it shows that it goes on"
    writing.finish(" a @everyone.")
    await shown(kith, "was a @everyone.")
    assert MARKER not in message.content, "and it ends visibly"
    assert await recorded(kith) == [
        (question.id, "tell me a story"),
        (message.id, "Once upon a time there was a @everyone."),
    ]
    assert kith.answers() == [message]
    assert not kith.fake.pings(message)
    patched = [one.json for one in kith.fake.requests if one.method == "PATCH"]
    assert {str(one["allowed_mentions"]["parse"]) for one in patched} == {"[]"}


async def test_switched_off_it_is_said_when_it_is_whole(streaming: Den) -> None:
    async with streaming.awake(stream_answers=False):
        _, writing = await asked(streaming)
        writing.write("Once upon a time ")
        await asyncio.sleep(0.1)
        assert streaming.answers() == []
        writing.end()
        await shown(streaming, "Once upon a time")
        assert "stream" not in streaming.prompts()[0]
        assert edits(streaming) == 0


async def test_a_long_answer_takes_further_messages_as_it_grows(kith: Den) -> None:
    question, writing = await asked(kith)
    text = f"{'Some words. ' * 120}\n```python\n{PROGRAM}\n```\nThat is all."
    writing.write(text[:4000])
    await kith.fake.wait_until(lambda: len(kith.answers()) == 2, "a second message")
    assert all(one.content.count("```") % 2 == 0 for one in kith.answers())
    writing.finish(text[4000:])
    await shown(kith, "That is all.")
    events = await recorded(kith)
    parts = split_message(text)
    assert [one.content for one in kith.answers()] == parts
    assert [one.reply_to for one in kith.answers()] == [question] + [None] * (len(parts) - 1)
    assert events[1:] == [(one.id, one.content) for one in kith.answers()]


async def test_a_spoiler_is_hidden_while_it_is_written(kith: Den) -> None:
    _, writing = await asked(kith)
    writing.write("|| ")
    writing.write("the butler did")
    assert (await shown(kith, "the butler")).content == f"|| the butler||{MARKER}"
    writing.finish(" it||.")
    await shown(kith, "|| the butler did it||.")


async def test_a_spoiler_stays_hidden_if_the_answer_is_cut_off_in_it(kith: Den) -> None:
    _, writing, _ = await begun(kith, "So: ||the butler did ")
    writing.write("it with a")
    writing.end("length")
    await shown(kith, "So: ||the butler did it with a|| …")


async def test_deleting_the_question_takes_back_what_is_shown(kith: Den) -> None:
    question, writing, message = await begun(kith, "Your secret plan is ", "I have a secret plan")
    await kith.fake.delete(question)
    await kith.fake.wait_deleted(message)
    writing.finish("safe with me.")
    await kith.calm()
    assert kith.answers() == []
    assert await recorded(kith) == []


async def test_who_is_forgotten_has_what_is_shown_to_them_taken_back(kith: Den) -> None:
    alice = Member(kith.guild.id, kith.alice.id)
    for erase in (
        lambda: kith.app.memory.editor.forget_all(alice),
        lambda: kith.app.memory.editor.set_consent(alice, Consent.OFF),
    ):
        *_, message = await begun(kith, "Rex is a good ", "I have a dog named Rex")
        await erase()
        await kith.fake.wait_deleted(message)
        assert await recorded(kith) == []


@pytest.mark.parametrize(("how", "is_whole"), [("deleted", False), ("both", True)])
async def test_what_is_on_its_way_to_be_shown_is_taken_back_too(
    kith: Den, how: str, is_whole: bool
) -> None:
    first = kith.fake.hold("POST", f"/channels/{kith.general.id}/messages")
    question, writing = await asked(kith, "I have a secret plan")
    writing.write("Your secret plan is ")
    await first.reached.wait()
    if is_whole:
        writing.finish("safe with me.")
        await told_to_end(shower)
    answering = chat_of(kith.client).running[question.id].task
    erasing = []
    if how == "both":
        alice = Member(kith.guild.id, kith.alice.id)
        erasing.append(asyncio.create_task(kith.app.memory.editor.forget_all(alice)))
    await kith.fake.delete(question)
    await told_to_end(lambda: answering, times=2 if how == "both" else 1)
    for _ in range(20):
        await asyncio.sleep(0)
    assert not answering.done()  # who erases waits for it, and for what is on its way
    first.release()
    await asyncio.gather(*erasing)
    await kith.calm()
    assert kith.answers() == []
    assert await recorded(kith) == []


async def test_nothing_is_shown_early_to_whom_nothing_is_stored_of(kith: Den) -> None:
    await kith.app.memory.editor.set_consent(Member(kith.guild.id, kith.alice.id), Consent.OFF)
    _, writing = await asked(kith)
    writing.write("Nobody can tell yet ")
    await asyncio.sleep(0.1)  # three seconds
    assert kith.answers() == []
    writing.finish("whose answer this is.")
    await shown(kith, "whose answer this is.")


async def test_what_is_unfit_is_never_shown_and_another_answer_takes_its_place(kith: Den) -> None:
    _, writing = await asked(kith)
    again = Writing()
    kith.model.script(again({}))
    writing.write("Well, let me say ")
    message = await shown(kith, "let me say")
    writing.write(f"{UNFIT} and so on ")
    await asyncio.sleep(0.1)
    writing.end()
    again.write("I would rather be ")
    await shown(kith, "rather be")
    again.finish("kind.")
    await shown(kith, "kind.")
    await kith.calm()
    assert [one.content for one in kith.answers()] == ["I would rather be kind."]
    assert kith.answers() == [message]
    assert UNFIT.split()[-1] not in ever_said(kith)


async def test_where_the_model_is_lost_half_way_what_was_shown_stays(kith: Den) -> None:
    *_, message = await begun(kith, "And then the ")
    await kith.model.stop()
    await shown(kith, "And then the …")
    await kith.calm()
    assert kith.answers()[0] == message
    assert kith.answers()[0].content == "And then the …"
    await kith.model.start()


async def test_words_before_a_tool_is_called_do_not_stay(kith: Den) -> None:
    _, writing = await asked(kith, "what do you know about me?")
    kith.model.script("Nothing yet.")
    writing.write("".join(f"Let me look up {n:03}. " for n in range(165)))
    await kith.fake.wait_until(lambda: len(kith.answers()) == 2, "a second message")
    message = kith.answers()[0]
    writing.call("list_memories", {})
    writing.end("tool_calls")
    await shown(kith, "Nothing yet.")
    await kith.calm()
    assert [one.content for one in kith.answers()] == ["Nothing yet."]
    assert kith.answers() == [message]


async def test_if_discord_refuses_an_edit_the_answer_arrives_once(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.chat.reply_sender.RETRY_AFTER_S", (1, 1))
    question, writing, _ = await begun(kith, "Begun and ")
    path = f"/channels/{kith.general.id}/messages/*"
    kith.fake.fail("PATCH", path, times=100, status=403, code=50001)
    writing.finish("finished.")
    await shown(kith, "finished.")
    events = await recorded(kith)
    (said,) = kith.answers()
    assert said.content.startswith("Begun and")
    assert said.content.endswith("finished.")
    assert said.reply_to is question
    assert events[-1] == (said.id, said.content)


async def test_a_long_answer_stays_within_discords_rate_limits(kith: Den) -> None:
    kith.fake.buckets.pace = 1.0
    _, writing = await asked(kith)
    for number in range(12):
        writing.write(f"Sentence {number}. ")
        await shown(kith, f"Sentence {number}.")
    writing.end()
    await kith.calm()
    statuses = [one.status for one in kith.fake.requests if one.method in ("POST", "PATCH")]
    assert 429 not in statuses
    assert edits(kith) >= 11
    gaps = kith.fake.edit_gaps(kith.general)[: edits(kith)]  # the consent notice comes after them
    assert min(gaps) >= EDIT_EVERY_S - 0.01


async def test_an_answer_that_automod_blocks_is_one_sentence(kith: Den) -> None:
    kith.guild.blocked_words = {"banana"}
    question, writing = await asked(kith)
    writing.write("".join(f"Some words {n:03}. " for n in range(190)))
    await kith.fake.wait_until(lambda: len(kith.answers()) == 2, "a second message")
    writing.finish("a banana.")
    await shown(kith, BLOCKED)
    await kith.calm()
    (said,) = kith.answers()
    assert (said.content, said.reply_to) == (BLOCKED, question)
    assert await recorded(kith) == [(question.id, "tell me a story")]


async def test_what_somebody_deletes_of_it_stays_deleted(kith: Den) -> None:
    question, writing = await asked(kith)
    writing.write("Begun and ")
    await kith.fake.delete(await shown(kith, "Begun"))
    edit = kith.fake.hold("PATCH", f"/channels/{kith.general.id}/messages/*")
    writing.write("going and ")
    await edit.reached.wait()
    edit.release()
    writing.finish("finished.")
    await kith.calm()
    assert kith.answers() == []
    assert await recorded(kith) == [(question.id, "tell me a story")]


async def test_a_first_message_whose_answer_is_lost_is_still_the_one_that_is_finished(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.chat.reply_sender.RETRY_AFTER_S", (1, 1))
    lost = kith.fake.cut("POST", f"/channels/{kith.general.id}/messages", times=3, after=True)
    _, writing = await asked(kith)
    writing.write("Begun and ")
    await kith.fake.wait_until(lambda: lost.met == 3, "three tries")
    writing.finish("finished.")
    await shown(kith, "finished.")
    await kith.calm()
    assert [one.content for one in kith.answers()] == ["Begun and finished."]


async def test_who_asked_can_have_it_deleted_while_it_is_written(kith: Den) -> None:
    _, writing, message = await begun(kith, "Something silly ")
    await kith.fake.react(kith.bob, message, "❌")
    assert not message.deleted
    await kith.fake.react(kith.alice, message, "❌")
    await kith.fake.wait_deleted(message)
    writing.finish("and more.")
    await kith.calm()
    assert kith.answers() == []
