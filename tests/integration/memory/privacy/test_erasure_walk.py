"""What people erase does not come back, however often Kith repeated it before."""

from dataclasses import replace
from datetime import timedelta

import pytest

from benchmarks import erasure
from tests.fakes.builders import GUILD, make_answer, make_event, make_turn
from tests.fakes.clock import ManualClock
from tests.integration.erasure_walk import RETELLING, ErasureWalk
from tests.integration.residue import ADA, BOB, HERE, THREAD
from utils.database.memories import audit
from utils.memory.privacy.answer_removals import PAUSES, AnswerRemovals
from utils.models.llm import Completion, Usage
from utils.models.memory import Consent
from utils.models.recall import Person, QuotedMessage

WAYS = {"forget_all", "turn_off", "forget_one", "delete", "edit", "erase_by_operator"}
WITHHELD = {"turn_off", "ignored", "frozen", "watched", "direct_message"}


async def test_erased_secrets_never_come_back(database, database_url, caplog):
    caplog.set_level("DEBUG")
    walk = ErasureWalk(database, database_url, ManualClock(), seed=12)
    await walk.start()
    try:
        assert await walk.round() == []
    finally:
        await walk.close()
    assert len(walk.erased) >= 2
    assert walk.retold > 0
    assert walk.lines > 2
    assert len(walk.withheld) > 0
    assert not [secret for secret in walk.erased | walk.withheld if secret in caplog.text]


@pytest.fixture
async def walk(database, database_url):
    walk = ErasureWalk(database, database_url, ManualClock(), seed=1)
    await walk.start()
    yield walk
    await walk.close()


async def everything_is_forgotten(walk):
    await walk.service.forget_all(ADA)


async def test_answers_that_came_through_a_summary_are_deleted_on_discord(walk):
    """The first one was told by the summary, the others by the answers before them."""
    await walk.retell(ADA.user_id, BOB.user_id)
    assert len(walk.told_by_kith()) == 2 + 3
    for event in list(walk.told.values()):
        await walk.recorder.retract(GUILD, [event.message_id])
    await walk.remove_answers()
    assert walk.told_by_kith() == []


async def test_an_answer_that_says_in_other_words_what_a_summary_told_is_deleted_on_discord(walk):
    said = iter(("Fine.", "Good.", "Some vessel.", "Really.", "Quite."))

    async def say_otherwise(*_, **__):
        return Completion(next(said), Usage(9, 9), False)

    walk.model.reply = say_otherwise
    await walk.retell(ADA.user_id, BOB.user_id)
    retelling = [post for post in walk.posts.values() if post.channel_id == RETELLING]
    await everything_is_forgotten(walk)
    await walk.remove_answers()
    gone = [post.text for post in retelling if post.message_id not in walk.posts]
    assert gone == ["Some vessel."]


async def test_a_line_with_what_was_noted_goes_when_the_time_of_its_note_is_over(walk):
    """Its answer says nothing of it, and may stay."""
    await walk.tell(ADA.user_id)
    await walk.service.set_consent(ADA, Consent.TEMPORARY)  # before the line is settled
    await walk.show_notes()
    assert len(walk.told_by_kith()) == 1  # the line
    walk.clock.advance(days=31)
    await walk.remove_answers()
    await walk.show_notes()
    assert walk.told_by_kith() == []


async def test_recall_keeps_nothing_of_erased_words_in_process_memory(walk):
    await walk.retell(ADA.user_id, BOB.user_id)
    (secret, *_) = walk.told
    assert secret in repr(walk.prepared_texts())
    await everything_is_forgotten(walk)
    assert secret not in repr(walk.prepared_texts())


async def test_an_asker_who_leaves_does_not_take_along_what_others_may_want_deleted(walk):
    """Of the answers that the asker got, the ids stay as long as others' words rest in them."""
    await walk.retell(ADA.user_id, BOB.user_id)
    await walk.service.forget_all(BOB)
    await everything_is_forgotten(walk)
    await walk.remove_answers()
    assert walk.told_by_kith() == []


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_of_a_hundred_erased_secrets_none_comes_back(tmp_path, monkeypatch):
    monkeypatch.setattr(erasure, "ROUNDS", 6)  # two walks erase 106 secrets; of eight rounds, 148
    report = await erasure.measure(tmp_path, secrets=100, seed=100)
    assert report["secrets"] >= 100
    assert report["found"] == []
    assert set(report["ways"]) == WAYS
    assert set(report["withheld"]) == WITHHELD


async def test_an_answer_ends_with_the_first_of_the_words_in_its_prompt(home):
    await home.keeper.set_consent(ADA, Consent.TEMPORARY)
    await home.tell("likes zanzibar")
    home.clock.advance(days=20)
    await home.retold(ADA, "Ada likes zanzibar.")
    home.clock.advance(days=10)
    await home.prune()
    assert await home.residue() == []


async def test_an_answer_to_a_message_that_was_not_stored_goes_with_it(home):
    """Its words came into the prompt by a reply."""
    aside = make_event("my zanzibar plan", author_id=ADA.user_id)
    quoted = QuotedMessage("Ada", aside.text, aside.message_id, ADA.user_id, home.clock.now())
    asked = make_event("what do you think?", author_id=BOB.user_id, reply_to_id=aside.message_id)
    await home.recorder.record(asked, HERE)
    prepared = await home.talk.prepare(make_turn(asked, quoted=quoted))
    assert "zanzibar" in prepared.messages[-1].text
    answer = replace(make_answer(asked, "A zanzibar plan!"), provenance=prepared.provenance)
    await home.recorder.record(answer, HERE)
    assert await home.residue() != []
    await home.keeper.retention.retract(GUILD, [aside.message_id])
    assert await home.residue() == []


async def test_nobody_is_quoted_while_their_words_are_erased(home):
    await home.tell("likes zanzibar")
    asked = make_event("What does Ada like?", author_id=BOB.user_id)
    people = (Person(BOB.user_id, "Bob"), Person(ADA.user_id, "Ada"))
    quoted = QuotedMessage("Ada", "the quay of zanzibar", 7, ADA.user_id, home.clock.now())

    async def prompt():
        prepared = await home.talk.prepare(make_turn(asked, THREAD, people=people, quoted=quoted))
        return "\n".join(message.text for message in prepared.messages)

    assert "zanzibar" in await prompt()
    with home.signals.under_erasure.marked(ADA):
        assert "zanzibar" not in await prompt()
    assert "quay" in await prompt()
    # As an archive tells of it.
    await home.database.write(audit.record, ADA, audit.FORGOT_EVERYTHING, home.clock.now(), 0)
    assert "quay" not in await prompt()


async def test_deleting_an_answer_on_discord_is_tried_six_times(home):
    event = await home.tell("likes zanzibar")
    await home.keeper.retention.retract(GUILD, [event.message_id])
    removals = AnswerRemovals(home.database, home.clock)
    assert await removals.due(lambda guild_id: guild_id != GUILD, 10) == []
    for pause in (*PAUSES, timedelta(0)):
        (removal,) = await removals.due(lambda _: True, 10)
        await removals.postpone(removal)
        assert await removals.due(lambda _: True, 10) == []
        home.clock.advance(pause.total_seconds())
    assert await removals.due(lambda _: True, 10) == []
