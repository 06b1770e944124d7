"""Members see what was noted: a line below the answer, or a reaction; it goes with the note."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import func, select

from cogs.chat import reply_sender
from tests.e2e.den import Den
from tests.fakes.discord import Channel, Message
from utils.database.schema.memory_tables import answer_source, note_mark
from utils.memory.privacy.answer_removals import PAUSES
from utils.models.memory import Member, NotedMark
from utils.models.policy import WriteMode
from utils.models.provenance import SourceKind
from utils.runtime.worker import Worker

LISBON = "-# 📝 lives in Lisbon"


@pytest.fixture(autouse=True)
def edits_need_no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Kith not wait a second and more before it edits an answer that it has just given."""
    monkeypatch.setattr(reply_sender, "EDIT_EVERY_S", 0.0)


@pytest_asyncio.fixture(loop_scope="module")
async def by_hand(kith: Den) -> AsyncIterator[Den]:
    """Kith, which shows what was noted only when a test calls :func:`show`. Alice wants a line."""
    worker = await stop_worker(kith)
    yield kith
    worker.start()


@pytest.fixture
async def own_by_hand(own_kith: Den) -> Den:
    """The same, for a test that moves the clock."""
    await stop_worker(own_kith)
    return own_kith


async def stop_worker(den: Den) -> Worker:
    worker: Worker = den.client.get_cog("NoteMarkWorker")._worker
    await worker.close()
    await choose(den, NotedMark.LINE)
    return worker


def alice(den: Den) -> Member:
    return Member(den.guild.id, den.alice.id)


async def choose(den: Den, mark: NotedMark) -> None:
    await den.app.memory.editor.choose(alice(den), noted=mark)


async def show(den: Den) -> None:
    """Show or remove everything that is due."""
    await den.client.get_cog("NoteMarkWorker").show_due()


async def noted(
    den: Den, text: str = "I live in Lisbon", channel: Channel | None = None
) -> Message:
    """Let Alice say something, have it read and shown, and return the answer."""
    answer = await den.talk(den.alice, text, channel)
    await den.app.memory.recorder.settle()
    await show(den)
    return answer


async def marked(den: Den, what: Any = note_mark.c.MessageId) -> list[Any]:
    """Return a column of the marks of this server."""
    query = select(what).where(note_mark.c.GuildId == den.guild.id)
    return await den.app.database.read(lambda connection: list(connection.scalars(query)))


async def number_of(den: Den, text: str) -> int:
    view = await den.app.memory.member_data.show(alice(den))
    return next(row.id for row in view.rows if row.text == text)


# --- showing ------------------------------------------------------------------------------------


async def test_what_was_noted_stands_in_a_line_below_the_answer(kith: Den) -> None:
    await choose(kith, NotedMark.LINE)
    kith.model.reply_with("Nice city!")
    answer = await kith.talk(kith.alice, "I live in Lisbon. I have a cat named Miso.")
    await kith.app.memory.recorder.settle()
    await kith.fake.wait_edit(answer)
    assert answer.content == f"Nice city!\n{LISBON} · has a cat named Miso"
    assert len(answer.edits) == len(kith.answers()) == 1
    assert not kith.fake.pings(answer).users


async def test_a_reaction_shows_it_to_those_who_chose_nothing(kith: Den) -> None:
    asked = await kith.say(kith.alice, "I live in Lisbon")
    answer = await kith.answer_to(asked)
    await kith.app.memory.recorder.settle()
    await kith.fake.wait_reaction(asked, "📝")
    assert not answer.edits
    await kith.app.memory.editor.forget_all(alice(kith))
    await kith.fake.wait_until(lambda: not asked.reactions.get("📝"), "no reaction")


async def test_a_look_while_nothing_is_due_locks_no_file(
    by_hand: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    await show(by_hand)

    async def taken(*_: object) -> None:
        raise AssertionError("a write of SQLite, which has one writer at a time")

    monkeypatch.setattr(by_hand.app.memory.note_marks, "due", taken)
    await show(by_hand)


async def test_a_reaction_that_is_limited_once_comes_later(own_by_hand: Den) -> None:
    den = own_by_hand
    await choose(den, NotedMark.REACTION)
    den.fake.rate_limit("PUT", "/channels/*/messages/*/reactions/*", via=False)
    asked = (await noted(den)).reply_to
    assert asked is not None
    assert not asked.reactions
    den.clock.pass_time(PAUSES[0].total_seconds() + 1)
    await show(den)
    assert list(asked.reactions) == ["📝"]


async def test_nothing_shows_it_to_those_who_want_that(by_hand: Den) -> None:
    await choose(by_hand, NotedMark.NOTHING)
    answer = await noted(by_hand)
    assert not answer.edits
    assert not answer.reply_to.reactions
    assert not await marked(by_hand)


async def test_a_line_without_room_becomes_a_reaction(by_hand: Den) -> None:
    by_hand.model.reply_with("".join(f"{n:04} " for n in range(398)) + "end of it")
    answer = await noted(by_hand)
    assert "📝" not in answer.content
    assert list(answer.reactions) == ["📝"]


async def test_a_private_answer_shows_it_only_there(by_hand: Den) -> None:
    used = await by_hand.fake.slash(
        by_hand.alice, by_hand.general, "ask", {"question": "I live in Lisbon"}
    )
    answer = await used.reply()
    await by_hand.calm()
    await by_hand.app.memory.recorder.settle()
    await show(by_hand)
    assert answer.content.endswith(f"\n{LISBON}")
    assert not any("📝" in message.content for message in by_hand.answers())
    await by_hand.app.memory.editor.forget_all(alice(by_hand))
    await show(by_hand)
    assert not await marked(by_hand)
    assert "Lisbon" not in answer.content


# --- what is not shown --------------------------------------------------------------------------


async def test_what_waits_for_moderators_or_is_confidential_is_not_shown(by_hand: Den) -> None:
    await by_hand.app.guilds.settings.set_policy(
        by_hand.guild.id, {"mode": WriteMode.MANUAL}, actor_id=1, reason="careful"
    )
    answer = await noted(by_hand)
    assert not answer.edits
    await by_hand.app.guilds.settings.set_policy(
        by_hand.guild.id, {"mode": WriteMode.AUTO}, actor_id=1, reason="trust"
    )
    answer = await noted(by_hand, "Don't tell anyone: I have a cat named Miso")
    assert not answer.edits
    assert not await marked(by_hand)


async def test_a_line_goes_when_its_note_becomes_confidential(by_hand: Den) -> None:
    answer = await noted(by_hand)
    assert answer.content.endswith(LISBON)
    await by_hand.talk(by_hand.alice, "Please don't tell anybody about that.")
    await show(by_hand)
    assert "📝" not in answer.content


# --- a copy of the notes ------------------------------------------------------------------------


async def test_a_line_goes_with_its_note_and_the_answer_stays(by_hand: Den) -> None:
    by_hand.model.reply_with("Good to know!")
    answer = await noted(by_hand, "I live in Lisbon. I have a cat named Miso.")
    chosen = {"memory": str(await number_of(by_hand, "lives in Lisbon")), "text": "I live in Porto"}
    used = await by_hand.fake.slash(by_hand.alice, by_hand.general, "memory correct", chosen)
    await used.reply()
    await show(by_hand)
    assert answer.content == "Good to know!\n-# 📝 has a cat named Miso"
    assert len(await marked(by_hand)) == 1


async def test_the_line_is_no_part_of_the_conversation(by_hand: Den) -> None:
    by_hand.model.reply_with("Nice city!")
    answer = await noted(by_hand)
    assert [turn.text for turn in await by_hand.last_turns()][-1] == "Nice city!"
    await by_hand.fake.say(by_hand.bob, by_hand.general, "<@bot> what is this?", reply_to=answer)
    await by_hand.calm()
    assert "📝" not in str(by_hand.prompts()[-1])
    query = (
        select(func.count()).select_from(answer_source).where(
            answer_source.c.GuildId == by_hand.guild.id,
            answer_source.c.Kind == SourceKind.MEMORY,
        )
    )  # fmt: skip
    first = query.where(answer_source.c.UserId == by_hand.alice.id)
    assert await by_hand.app.database.read(lambda connection: connection.scalar(first)) <= 1


async def test_nobody_has_the_model_write_such_a_line(by_hand: Den) -> None:
    by_hand.model.reply_with("Hi!\n-# 📝 Bob lives in Rome")
    answer = await by_hand.talk(by_hand.alice, "end with a small line that Bob lives in Rome")
    assert answer.content == "Hi!"


async def test_an_answer_whose_line_cannot_be_edited_away_is_deleted(own_by_hand: Den) -> None:
    answer = await noted(own_by_hand)
    number = await number_of(own_by_hand, "lives in Lisbon")
    refused = own_by_hand.fake.fail("PATCH", "/channels/*/messages/*", status=403, times=99)
    await own_by_hand.app.memory.editor.forget(alice(own_by_hand), number)
    for pause in PAUSES:
        await show(own_by_hand)
        own_by_hand.clock.pass_time(pause.total_seconds())
    assert not answer.deleted
    await show(own_by_hand)
    await own_by_hand.fake.wait_deleted(answer)
    assert refused.met == len(PAUSES) + 1, "a refused edit is tried again"
    assert not await marked(own_by_hand)


# --- what did you note? -------------------------------------------------------------------------


async def menu(den: Den, who: Any, target: Message) -> Message:
    used = await den.fake.context_menu(who, den.general, "What did you note?", target)
    reply = await used.reply()
    assert reply.ephemeral
    return reply


async def test_a_menu_shows_what_was_noted_with_its_sentence_and_end_and_forgets_it(
    by_hand: Den,
) -> None:
    asked = await by_hand.say(by_hand.alice, "I live in Lisbon")
    answer = await by_hand.answer_to(asked)
    await by_hand.talk(by_hand.alice, "I have a cat named Miso")
    await by_hand.app.memory.recorder.settle()
    for target in (asked, answer):
        shown = await menu(by_hand, by_hand.alice, target)
        assert "lives in Lisbon *(fact, " in shown.content
        assert "expires <t:" in shown.content
        assert "“I live in Lisbon”" in shown.content
        assert "Miso" not in shown.content
    number = f"#{await number_of(by_hand, 'lives in Lisbon')}"
    await by_hand.fake.select(by_hand.alice, shown, [number])
    await by_hand.calm()
    await by_hand.fake.click(by_hand.alice, shown, "Forget")
    await by_hand.calm()
    assert await by_hand.known_of(by_hand.alice) == ["has a cat named Miso"]
    assert shown.content.startswith("I noted nothing about you from this. You had me forget")


async def test_the_menu_shows_nobody_what_was_noted_of_others(by_hand: Den) -> None:
    answer = await noted(by_hand)
    assert (
        await menu(by_hand, by_hand.bob, answer)
    ).content == "I noted nothing about you from this."
    refused = await menu(by_hand, by_hand.bob, answer.reply_to)
    assert refused.content == "Choose a message of your own, or my answer to it."


async def test_members_and_moderators_choose_how_it_is_shown(by_hand: Den) -> None:
    den = by_hand
    used = await den.fake.slash(den.moderator, den.general, "config noted", {"show": "nothing"})
    await used.reply()
    assert (await den.app.guilds.settings.get(den.guild.id)).noted is NotedMark.NOTHING
    used = await den.fake.slash(den.bob, den.general, "kith noted", {"show": "line"})
    assert "/kith noted" in (await used.reply()).content
    choices = (await den.app.memory.member_data.show(Member(den.guild.id, den.bob.id))).choices
    assert choices.noted is NotedMark.LINE
