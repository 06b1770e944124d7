"""What people erase does not come back, however often Kith repeated it before."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from benchmarks import erasure
from tests.fakes.builders import GUILD, make_answer, make_event, make_turn
from tests.fakes.clock import ManualClock
from tests.integration.erasure_walk import RETELLING, ErasureWalk
from tests.integration.residue import ADA, BOB, HERE, THREAD
from tests.integration.stored_rows import stored
from utils.database.memories import contexts, members
from utils.database.schema.memory_tables import episode_summary, memory_event, user_memory
from utils.memory.privacy.answer_removals import PAUSES, AnswerRemovals
from utils.models.llm import Completion, Usage
from utils.models.memory import Consent, ContextRef, RecordOutcome, Role
from utils.models.recall import Person, QuotedMessage

WAYS = {"forget_all", "turn_off", "forget_one", "delete", "edit", "erase_by_operator"}
WITHHELD = {"turn_off", "ignored", "frozen", "watched", "direct_message"}


@pytest.mark.parametrize(
    ("seed", "rounds"), [(1, 2), *(pytest.param(n, 4, marks=pytest.mark.slow) for n in (1, 2))]
)
async def test_erased_secrets_never_come_back(database, database_url, seed, rounds, caplog):
    caplog.set_level("DEBUG")
    walk = ErasureWalk(database, database_url, ManualClock(), seed)
    await walk.start()
    try:
        for _ in range(rounds):
            assert await walk.round() == []
    finally:
        await walk.close()
    assert len(walk.erased) >= 2.5 * rounds
    assert walk.retold >= rounds / 4
    assert walk.lines >= 2.5 * rounds
    assert len(walk.withheld) >= rounds
    assert not [secret for secret in walk.erased | walk.withheld if secret in caplog.text]


@pytest.fixture
async def walk(database, database_url):
    walk = ErasureWalk(database, database_url, ManualClock(), seed=1)
    await walk.start()
    yield walk
    await walk.close()


async def everything_is_forgotten(walk):
    await walk.service.forget_all(ADA)


async def consent_is_off(walk):
    await walk.service.set_consent(ADA, Consent.OFF)


async def each_message_is_deleted(walk):
    for event in list(walk.told.values()):
        await walk.recorder.retract(GUILD, [event.message_id])


@pytest.mark.parametrize("way", [consent_is_off, each_message_is_deleted])
async def test_answers_that_came_through_a_summary_are_deleted_on_discord(walk, way):
    """The first one was told by the summary, the others by the answers before them."""
    await walk.retell(ADA.user_id, BOB.user_id)
    assert len(walk.told_by_kith()) == 2 + 3
    await way(walk)
    await walk.remove_answers()
    assert walk.told_by_kith() == []


@pytest.mark.parametrize("is_stored", [True, False])
async def test_an_answer_that_says_in_other_words_what_a_summary_told_is_deleted_on_discord(
    walk, is_stored
):
    said = iter(("Fine.", "Good.", "Some vessel.", "Really.", "Quite."))

    async def say_otherwise(*_, **__):
        return Completion(next(said), Usage(9, 9), False)

    await walk.database.write(members.set_ignored, BOB, ignored=not is_stored)
    walk.model.reply = say_otherwise
    await walk.retell(ADA.user_id, BOB.user_id)
    retelling = [post for post in walk.posts.values() if post.channel_id == RETELLING]
    await everything_is_forgotten(walk)
    await walk.remove_answers()
    gone = [post.text for post in retelling if post.message_id not in walk.posts]
    assert gone == ["Some vessel."]


async def each_note_is_forgotten(walk):
    for row in (await walk.member_data.show(ADA)).rows:
        await walk.service.forget(ADA, row.id)


async def its_time_is_over(walk):
    await walk.service.set_consent(ADA, Consent.TEMPORARY)
    walk.clock.advance(days=31)


@pytest.mark.parametrize(
    "way",
    [
        each_note_is_forgotten,
        each_message_is_deleted,
        its_time_is_over,
    ],
)
async def test_a_line_with_what_was_noted_goes_with_its_note(walk, way):
    """Its answer says nothing of it, and may stay."""
    await walk.tell(ADA.user_id)
    await walk.show_notes()
    assert len(walk.told_by_kith()) == 1  # the line
    await way(walk)
    await walk.remove_answers()
    await walk.show_notes()
    assert walk.told_by_kith() == []


async def test_recall_keeps_nothing_of_erased_words_in_process_memory(walk):
    await walk.retell(ADA.user_id, BOB.user_id)
    (secret, *_) = walk.told
    assert secret in repr(walk.prepared_texts())
    await everything_is_forgotten(walk)
    assert secret not in repr(walk.prepared_texts())


async def test_later_answers_are_about_the_members_of_a_summary(walk):
    await walk.retell(ADA.user_id, BOB.user_id)
    columns = memory_event.c
    rows = await walk.database.read(stored, columns.ChannelId, columns.Role, columns.AboutIds)
    about = [set(ids.split()) for *place, ids in rows if place == [RETELLING, Role.KITH]]
    assert about == [{"10", "20"}] * 3


async def test_answers_through_a_summary_stay_on_discord_if_its_words_only_ended(walk):
    await walk.retell(ADA.user_id, BOB.user_id)
    walk.clock.advance(days=40)
    await walk.service.set_consent(ADA, Consent.TEMPORARY)
    assert await walk.database.read(stored, episode_summary.c.Id) == []
    await walk.remove_answers()
    assert len(walk.told_by_kith()) == 2 + 3


async def test_an_asker_who_leaves_does_not_take_along_what_others_may_want_deleted(walk):
    """Of the answers that the asker got, the ids stay as long as others' words rest in them."""
    await walk.retell(ADA.user_id, BOB.user_id)
    await walk.service.forget_all(BOB)
    await everything_is_forgotten(walk)
    await walk.remove_answers()
    assert walk.told_by_kith() == []


@pytest.mark.slow
async def test_of_a_hundred_erased_secrets_none_comes_back(tmp_path):
    report = await erasure.measure(tmp_path, secrets=100, seed=100)
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


async def test_answers_end_earlier_when_a_member_chooses_to_be_remembered_for_less(home):
    await home.tell("likes zanzibar")
    home.clock.advance(days=40)
    await home.retold(ADA, "Ada likes zanzibar.")
    await home.keeper.set_consent(ADA, Consent.TEMPORARY)
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
    await home.keeper.retract(GUILD, [aside.message_id])
    assert await home.residue() == []


async def test_nobody_is_quoted_while_their_words_are_erased(home):
    await home.tell("likes zanzibar")
    asked = make_event("What does Ada like?", author_id=BOB.user_id)
    people = (Person(BOB.user_id, "Bob"), Person(ADA.user_id, "Ada"))
    quoted = QuotedMessage("Ada", "zanzibar!", 7, ADA.user_id, home.clock.now())

    async def prompt():
        prepared = await home.talk.prepare(make_turn(asked, THREAD, people=people, quoted=quoted))
        return "\n".join(message.text for message in prepared.messages)

    assert "zanzibar" in await prompt()
    with home.signals.under_erasure.marked(ADA):
        assert "zanzibar" not in await prompt()
    assert "zanzibar" in await prompt()


async def test_what_others_are_known_for_is_recalled_while_somebody_is_erased(home):
    await home.tell("likes zanzibar")
    await home.tell("likes madagascar", BOB)
    asked = make_event("What do Ada and Bob like?", author_id=BOB.user_id)
    people = (Person(BOB.user_id, "Bob"), Person(ADA.user_id, "Ada"))
    with home.signals.under_erasure.marked(ADA):
        prepared = await home.talk.prepare(make_turn(asked, THREAD, people=people))
    assert "madagascar" in prepared.recall.block
    assert "zanzibar" not in prepared.recall.block


async def test_an_answer_whose_prompt_was_erased_meanwhile_is_not_stored(home):
    await home.tell("likes zanzibar")
    asked = make_event("What does Ada like?", author_id=BOB.user_id)
    await home.recorder.record(asked, HERE)
    people = (Person(BOB.user_id, "Bob"), Person(ADA.user_id, "Ada"))
    prepared = await home.talk.prepare(make_turn(asked, people=people))
    await home.keeper.forget_all(ADA)
    answer = replace(
        make_answer(asked, "Ada likes zanzibar."),
        about_ids=prepared.about_ids,
        provenance=prepared.provenance,
    )
    assert await home.recorder.record(answer, HERE) is RecordOutcome.RETRACTED
    assert await home.residue() == []
    due = await AnswerRemovals(home.database, home.clock).due(lambda _: True, 10)
    assert answer.message_id in {removal.message_id for removal in due}


async def test_deleting_an_answer_on_discord_is_tried_six_times(home):
    event = await home.tell("likes zanzibar")
    await home.keeper.retract(GUILD, [event.message_id])
    removals = AnswerRemovals(home.database, home.clock)
    assert await removals.due(lambda guild_id: guild_id != GUILD, 10) == []
    for pause in (*PAUSES, timedelta(0)):
        (removal,) = await removals.due(lambda _: True, 10)
        await removals.postpone(removal)
        assert await removals.due(lambda _: True, 10) == []
        home.clock.advance(pause.total_seconds())
    assert await removals.due(lambda _: True, 10) == []


async def test_a_note_falls_back_to_its_sentence_with_what_others_said_before_it(home):
    asked = await home.tell("likes zanzibar")
    await home.tell("plays the oboe", BOB)
    note = user_memory.c

    def rest_on_it(connection):
        row_id = connection.scalar(select(note.Id).where(note.UserId == BOB.user_id))
        connection.execute(
            update(user_memory).where(note.Id == row_id).values(Memory="plays in zanzibar")
        )
        contexts.add_context(connection, GUILD, row_id, [ContextRef(message_id=asked.message_id)])

    await home.database.write(rest_on_it)
    await home.keeper.forget_all(ADA)
    assert await home.known(BOB) == ["plays the oboe"]
    assert "zanzibar" not in await home.profile(BOB)
