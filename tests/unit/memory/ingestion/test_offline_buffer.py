"""What waits for the database: in order, bounded, and as it stands on Discord now."""

from dataclasses import replace

from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD, at, audience, make_answer, make_event
from tests.rows import each_row
from utils.memory.ingestion.offline_buffer import (
    DeletedChannels,
    DeletedMessages,
    EditedMessage,
    NewMessage,
    OfflineBuffer,
    RemovedAnswers,
)

HERE = audience()


def buffer_of(*events, max_waiting=100):
    made = OfflineBuffer(max_waiting)
    for event in events:
        assert made.add(event, HERE)
    return made


def drained(buffer):
    found = []
    while (entry := buffer.first()) is not None:
        found.append(entry)
        buffer.remove(entry)
    return found


def texts(buffer):
    return [one.event.text for one in drained(buffer) if isinstance(one, NewMessage)]


def test_what_was_heard_first_is_written_first():
    assert texts(buffer_of(*(make_event(f"message {n}") for n in range(5)))) == [
        f"message {n}" for n in range(5)
    ]


def test_a_message_that_waits_already_is_not_new():
    event = make_event()
    buffer = buffer_of(event)
    assert not buffer.add(event, HERE)
    assert buffer.messages == 1


def test_over_its_bound_the_oldest_message_goes_and_is_counted_but_no_deletion_does():
    buffer = OfflineBuffer(3)
    buffer.delete(GUILD, [7])
    for n in range(4):
        buffer.add(make_event(f"message {n}"), HERE)
    assert (len(buffer), buffer.messages, buffer.dropped) == (3, 2, 2)
    assert drained(buffer)[0] == DeletedMessages(GUILD, (7,))


def test_an_edit_takes_the_place_of_the_words_that_wait_and_of_their_answers_but_not_of_a_mark():
    first, last = make_event("I have a dog, tell nobody"), make_event("bye")
    answer, kind = make_answer(first, "A dog, how nice!"), make_answer(first, "I have to go")
    buffer = buffer_of(first, answer, kind, last)
    buffer.edit(replace(first, text="I have a cat", revision=5), HERE)
    buffer.edit(replace(first, text="an older edit", revision=3), HERE)
    *written, removed = drained(buffer)
    assert [(one.event.text, one.is_edited, one.event.stems) for one in written] == [
        ("I have a cat", True, f"+confidential:{ADA.user_id}"),
        ("bye", False, ""),
    ]
    assert removed == RemovedAnswers(GUILD, ((CHANNEL, answer.message_id),))


def test_an_edit_of_what_does_not_wait_waits_itself_in_its_newest_words():
    event = make_event("newest", revision=9)
    buffer = buffer_of()
    buffer.edit(event, HERE)
    buffer.edit(replace(event, text="older", revision=5), HERE)
    assert drained(buffer) == [EditedMessage(event, HERE)]


def test_a_deleted_message_goes_with_all_that_kith_said_with_it_in_mind():
    before = make_answer(
        make_event(), "before", about_ids=(ADA.user_id,), created_at=at(seconds=-9)
    )
    gone, other = make_event("secret"), make_event("hello", author_id=BOB.user_id)
    to_it = make_answer(gone, "a secret!")
    told = make_answer(
        other, "Ada has a secret", about_ids=(ADA.user_id,), created_at=at(seconds=9)
    )
    harmless = make_answer(other, "hello Bob", about_ids=(BOB.user_id,))
    aside = make_answer(other, "Ada is here", about_ids=told.about_ids, created_at=told.created_at)
    buffer = buffer_of(before, gone, to_it, other, told, aside, harmless)
    buffer.edit(replace(make_event("x"), message_id=gone.message_id, guild_id=9), HERE)
    buffer.delete(GUILD, [gone.message_id])
    assert [getattr(one, "event", one) for one in drained(buffer)] == [
        before,
        other,
        harmless,
        replace(make_event("x"), message_id=gone.message_id, guild_id=9),
        RemovedAnswers(GUILD, tuple((CHANNEL, one.message_id) for one in (to_it, told))),
        DeletedMessages(GUILD, (gone.message_id,)),
    ]


def test_a_deleted_channel_goes_with_its_threads_and_no_other():
    thread = make_event("in a thread", channel_id=500, source_id=CHANNEL)
    elsewhere = make_event("elsewhere", channel_id=600)
    buffer = buffer_of(make_event("here"), thread, elsewhere)
    buffer.delete_channels(GUILD, [CHANNEL])
    assert [getattr(one, "event", one) for one in drained(buffer)] == [
        elsewhere,
        DeletedChannels(GUILD, (CHANNEL,)),
    ]


def test_a_member_goes_in_one_server_only():
    said, elsewhere = make_event("mine"), make_event("mine too", guild_id=9)
    his, answer = make_event("his", author_id=20), make_answer(said, about_ids=(ADA.user_id,))
    buffer = buffer_of(said, answer, his, elsewhere)
    buffer.erase(ADA)
    assert [getattr(one, "event", one) for one in drained(buffer)] == [
        his,
        elsewhere,
        RemovedAnswers(GUILD, ((CHANNEL, answer.message_id),)),
    ]


@each_row("only_answers", [True, False])
def test_all_that_kith_said_with_a_member_in_mind_goes_with_them_though_none_of_theirs_waits(
    only_answers,
):
    his = make_event("hello", author_id=BOB.user_id)
    told = make_answer(his, "Ada has a secret", about_ids=(BOB.user_id, ADA.user_id))
    elsewhere = make_answer(make_event(guild_id=9), "a dog", about_ids=(ADA.user_id,), guild_id=9)
    mine = make_event("mine")
    buffer = buffer_of(his, told, elsewhere, mine)
    buffer.erase(ADA, only_answers=only_answers)
    expected = [his, elsewhere, mine] if only_answers else [his, elsewhere]
    assert [one.event for one in drained(buffer)] == expected


def test_other_words_that_came_while_the_earlier_were_written_are_not_let_go_with_them():
    event = make_event("I have a dog")
    buffer = buffer_of(event)
    being_written = buffer.first()
    buffer.edit(replace(event, text="I have a cat", revision=5), HERE)
    buffer.remove(being_written)
    assert texts(buffer) == ["I have a cat"]


@each_row("limit", [1, 2, 10])
def test_working_memory_is_a_channels_last_messages_and_nobody_elses(limit):
    here = [make_event("one"), make_event("two"), make_event("three")]
    buffer = buffer_of(*here, make_event("there", channel_id=600), make_event(""))
    assert buffer.turns(GUILD, CHANNEL, limit) == here[-limit:]
    assert buffer.turns(9, CHANNEL, limit) == []


def test_a_channel_waits_until_its_last_message_is_written():
    buffer = buffer_of(make_event(), make_event())
    assert buffer.has_waiting(GUILD, CHANNEL)
    drained(buffer)
    assert not buffer.has_waiting(GUILD, CHANNEL)
    assert len(buffer) == 0
