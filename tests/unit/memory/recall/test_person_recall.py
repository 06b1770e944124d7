"""Which of the matches a block takes first, and which of a memory and its message."""

from dataclasses import replace
from datetime import UTC

from tests.fakes.builders import NOON, at, make_memory
from tests.rows import each_row
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.person_recall import (
    PersonRecall,
    choose_of_pairs,
    most_for_their_room,
)
from utils.models.recall import Ranked, Said
from utils.nlp.stemming import stems

POLICY = RecallPolicy()
NOTE = "plays the oboe every evening"
LONGER = "Every evening I play the oboe in our garden"
CUT = f"{LONGER}. {'The neighbours listen to it. ' * 20}"


def said(text, id=1):
    return Said(
        event_id=id,
        message_id=id + 100,
        channel_id=1,
        source_id=1,
        text=text,
        said_at=at(days=-9),
        expires_at=at(days=9),
        stems=" ".join(stems(text)),
    )


def choice(note, message, *better, query="oboe", statement_share=0.0):
    """The choice between a note and its message, which some messages match better than."""
    person = PersonRecall(
        "Ada",
        "",
        (),
        (Ranked(make_memory(note, id=7), 3.0),),
        (),
        said=tuple(Ranked(each, 2.0) for each in (*better, message)),
        messages={7: (message.message_id,)},
        query_stems=frozenset(stems(query)),
        statement_share=statement_share,
    )
    return choose_of_pairs(person, NOON, UTC, POLICY)


@each_row(
    ("note", "message", "is_note_told"),
    [
        (NOTE, LONGER, True),
        (f"{LONGER}, and in winter in the house", LONGER, False),
        (NOTE, CUT, True),
        (NOTE, "Do I play the oboe?", True),
    ],
)
def test_of_a_memory_and_its_message_the_shorter_is_told(note, message, is_note_told):
    told = choice(note, said(message), said("The oboe is mine now", 2))
    assert [match.row.text for match in told.memories] == [note] * is_note_told
    assert [match.row.event_id for match in told.messages] == [2, 1][: 2 - is_note_told]
    assert bool(told.messages_of) == is_note_told
    assert bool(told.memories_of) != is_note_told


def test_the_message_that_matches_best_is_told_itself():
    told = choice(NOTE, said(LONGER))
    assert not told.memories
    assert [match.row.text for match in told.messages] == [LONGER]


@each_row("message", [CUT, f"{LONGER}. Or is it the clarinet by now?"])
def test_a_message_whose_quote_leaves_something_out_does_not_hide_its_note(message):
    told = choice(NOTE, said(message))
    assert [match.row.text for match in told.memories] == [NOTE]
    assert [match.row.text for match in told.messages] == [message]


def test_the_best_match_leaves_its_memory_if_it_would_be_cut_anywhere():
    told = choice(NOTE, said(CUT), query="instrument")
    assert [match.row.text for match in told.memories] == [NOTE]
    assert not told.messages


@each_row(("statement_share", "is_note_told"), [(0.5, False), (0.6, True), (1.0, True)])
def test_after_a_statement_a_memory_is_told_rather_than_its_message(statement_share, is_note_told):
    longer_note = f"{LONGER}, and in winter in the house"
    told = choice(longer_note, said(LONGER), statement_share=statement_share)
    assert bool(told.memories) == is_note_told
    assert bool(told.messages) != is_note_told


@each_row("is_file_first", [False, True])
def test_after_a_statement_a_memory_does_not_stand_for_a_file_that_came_with_its_message(
    is_file_first,
):
    message = said(LONGER)
    file = replace(said("The score of a concert for two oboes"), event_id=-5, label="(file 5)")
    person = PersonRecall(
        "Ada",
        "",
        (),
        (Ranked(make_memory(NOTE, id=7), 3.0),),
        (),
        said=tuple(Ranked(each, 2.0) for each in (message, file)[:: -1 if is_file_first else 1]),
        messages={7: (message.message_id,)},
        statement_share=1.0,
    )
    told = choose_of_pairs(person, NOON, UTC, POLICY)
    assert file in [match.row for match in told.messages]
    assert told.memories or message in [match.row for match in told.messages]


def test_a_shorter_text_comes_before_one_that_matches_a_little_better():
    long, short = make_memory("word " * 60), make_memory("likes tea in the morning")
    assert [match.row for match in most_for_their_room([Ranked(long, 5.0)], POLICY)] == [long]
    for score, first in ((5.0, short), (7.0, long)):
        matches = [Ranked(long, score), Ranked(short, 4.5)]
        assert most_for_their_room(matches, POLICY)[0].row is first
