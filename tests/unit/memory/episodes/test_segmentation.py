"""Where chapters begin: gaps, markers, shifts that last; and no flapping."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.episodes import advance
from tests.rows import each_row
from utils.memory.episodes.segmentation import (
    DEFAULT_BOUNDARIES,
    EpisodeTail,
    Segmentation,
    segment,
)
from utils.memory.policy.storable_events import storable
from utils.models.memory import Event, Role

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
KITH, ANN, BEN, CLEO = 1, 10, 11, 12
NAMES = {KITH: "Kith", ANN: "Ann Marie", BEN: "Ben Otto", CLEO: "Cleo"}
CAMPING = [
    "We are planning the camping trip to the mountains in July",
    "Do we need a bigger tent for the camping trip, or is the old tent enough?",
    "The old tent leaks, the mountains are wet, we need a bigger tent",
    "I can bring the stove and the sleeping bags for the mountains",
    "The stove is good, and the sleeping bags keep us warm in the old tent",
    "July is warm in the mountains, so the sleeping bags are enough",
]
PRINTER = [
    "Has anybody managed to install the laser printer driver on this laptop computer?",
    "The laser printer driver for that laptop computer needs the newest firmware",
    "Where do I download printer firmware for the laptop?",
    "The firmware is on the page of whoever makes the laser printer",
    "My laptop finds the driver but the laser printer stays silent",
    "Then the printer firmware is older than the driver on your laptop",
]
GARDEN = [
    "Who waters the tomatoes and roses behind our garden shed on weekends?",
    "The tomatoes and roses in the garden need water each evening",
]


def turn(number, text, author=None, *, minutes=None, role=None, reply_to=None):
    author = (ANN, BEN)[number % 2] if author is None else author
    role = role or (Role.KITH if author == KITH else Role.MEMBER)
    at = NOON + timedelta(minutes=number if minutes is None else minutes)
    event = Event(1, 1, 1, 100 + number, author, NAMES[author], role, text, at, reply_to)
    return storable(event)


def talk(*texts, start=0):
    return [turn(number, text) for number, text in enumerate(texts, start)]


def one_by_one(turns, chapter, policy):
    starts, undecided, first = [], [], 0
    for event in turns:
        undecided.append(event)
        division = segment(chapter, undecided, policy)
        chapter = advance(chapter, undecided, division, policy)
        starts += (first + start for start in division.starts)
        first += division.settled
        undecided = undecided[division.settled :]
    return tuple(starts), first


# --- the three rules ---------------------------------------------------------------------------


def test_a_chapter_starts_after_a_gap_of_more_than_eight_hours_and_not_before():
    eight = [turn(0, "Good night all"), turn(1, "Morning", minutes=8 * 60)]
    assert segment(EpisodeTail(), eight) == Segmentation((), 2)
    later = [eight[0], turn(1, "Morning", minutes=8 * 60 + 1)]
    assert segment(EpisodeTail(), later) == Segmentation((1,), 2)
    assert segment(EpisodeTail((later[0],)), later[1:]) == Segmentation((0,), 1)


def test_the_gap_is_measured_from_the_last_turn_though_it_is_not_decided_yet():
    turns = talk(*CAMPING, PRINTER[0])
    late = turn(9, "The tent is back from the mountains", minutes=10 * 60)
    assert segment(EpisodeTail(), [*turns, late]).starts == (len(turns),)
    hours = [*talk(*CAMPING), turn(7, PRINTER[0], minutes=6 * 60), turn(8, "lol", minutes=12 * 60)]
    assert segment(EpisodeTail(), hours) == Segmentation((), len(CAMPING))


def test_a_chapter_starts_where_a_member_says_that_the_topic_changes():
    turns = talk(*CAMPING[:3], "Anyway, different topic: the tent of my brother in the mountains")
    assert segment(EpisodeTail(), turns) == Segmentation((3,), 4)


def test_kith_announces_nothing_and_a_chapter_that_has_just_begun_is_not_ended_by_a_marker():
    said = "Anyway, different topic: cats"
    assert segment(EpisodeTail(), [*talk(*CAMPING[:3]), turn(3, said, KITH)]).starts == ()
    assert segment(EpisodeTail(), talk(CAMPING[0], said)).starts == ()
    assert segment(EpisodeTail(), talk(*CAMPING[:2], said, said, said)).starts == (2, 4)


def test_a_shift_that_lasts_for_two_turns_starts_a_chapter_with_the_first_of_them():
    turns = talk(*CAMPING, *PRINTER[:2])
    assert segment(EpisodeTail(), turns) == Segmentation((len(CAMPING),), len(turns))


def test_a_shift_is_undecided_after_its_first_turn():
    turns = talk(*CAMPING, PRINTER[0])
    assert segment(EpisodeTail(), turns) == Segmentation((), len(CAMPING))


def test_a_single_turn_about_something_else_is_an_aside():
    turns = talk(*CAMPING, PRINTER[0], CAMPING[1])
    assert segment(EpisodeTail(), turns) == Segmentation((), len(turns))


@each_row(
    "between",
    [
        "lol",
        "yes",
        "👍👍👍",
        "haha ok",
        "да",
        "…",
        "Ann Marie, Ben Otto!",
        "wow thanks, looks really great, lol",
    ],
)
def test_turns_that_say_little_neither_confirm_nor_break_a_shift(between):
    turns = talk(*CAMPING, PRINTER[0], between, between)
    assert segment(EpisodeTail(), turns) == Segmentation((), len(CAMPING))
    turns += talk(PRINTER[1], start=len(turns))
    assert segment(EpisodeTail(), turns).starts == (len(CAMPING),)


def test_what_kith_says_neither_confirms_nor_breaks_a_shift():
    turns = [*talk(*CAMPING, PRINTER[0]), turn(7, PRINTER[1], KITH), turn(8, CAMPING[1], KITH)]
    assert segment(EpisodeTail(), turns) == Segmentation((), len(CAMPING))
    assert segment(EpisodeTail(), [*turns, turn(9, PRINTER[1])]).starts == (len(CAMPING),)


def test_a_short_chapter_is_not_ended_by_a_shift():
    turns = talk(*CAMPING[:3], *PRINTER[:2])
    assert segment(EpisodeTail(), turns) == Segmentation((), len(turns))


# --- what counts -------------------------------------------------------------------------------


def test_what_the_running_summary_says_belongs_to_the_chapter():
    turns = talk(*PRINTER[:2], start=9)
    chapter = EpisodeTail(tuple(talk(*CAMPING)))
    assert segment(chapter, turns).starts == (0,)
    known = "They camp. The laser printer driver of the laptop computer needs newer firmware."
    assert segment(replace(chapter, summary=known), turns).starts == ()


def test_in_a_crowd_a_turn_that_speaks_to_somebody_of_the_chapter_goes_on():
    chapter = [
        turn(number, text, (ANN, BEN, CLEO)[number % 3]) for number, text in enumerate(CAMPING)
    ]
    question = "Which cable fits that projector over there?"
    shift = [turn(7, question, CLEO), turn(8, "Upstairs, somewhere inside the drawers", CLEO)]
    assert segment(EpisodeTail(), [*chapter, *shift]).starts == (6,)
    named = turn(7, f"ben otto: {question}", CLEO)
    assert segment(EpisodeTail(), [*chapter, named, shift[1]]).starts == ()
    back = turn(8, "@Ann Marie upstairs, somewhere inside the drawers", CLEO)
    assert segment(EpisodeTail(), [*chapter, shift[0], back]).starts == ()
    answered = turn(7, question, CLEO, reply_to=chapter[4].message_id)
    assert segment(EpisodeTail(), [*chapter, answered, shift[1]]).starts == ()


def test_a_new_chapter_knows_nothing_of_the_last_ones_summary():
    summary = "Who waters the tomatoes and roses behind the garden shed on weekends, each evening?"
    turns = talk(*CAMPING, *PRINTER, *GARDEN)
    assert segment(EpisodeTail(summary=summary), turns).starts == (6, 12)
    division = segment(EpisodeTail(summary=summary), turns[:9])
    assert advance(EpisodeTail(summary=summary), turns[:9], division) == EpisodeTail(
        tuple(turns[6:9])
    )


# --- properties --------------------------------------------------------------------------------

SAID = st.sampled_from(
    [*CAMPING, *PRINTER, "lol", "", "👍", "different topic: cats", "Ann: yes", "да, конечно"]
) | st.text(max_size=60)
TURNS = st.lists(
    st.tuples(SAID, st.sampled_from(list(NAMES)), st.sampled_from([1, 1, 1, 5, 300, 500, -30])),
    max_size=40,
).map(
    lambda said: [
        turn(number, text, author, minutes=sum(step for _, _, step in said[: number + 1]))
        for number, (text, author, _) in enumerate(said)
    ]
)
EASY = replace(DEFAULT_BOUNDARIES, min_turns=2, threshold=0.5, max_likeness=0.9, reach=7)


@given(TURNS, st.sampled_from([DEFAULT_BOUNDARIES, EASY]), st.sampled_from(["", *CAMPING]))
def test_one_by_one_gives_the_same_chapters_as_all_at_once(turns, policy, summary):
    whole = segment(EpisodeTail(summary=summary), turns, policy)
    assert one_by_one(turns, EpisodeTail(summary=summary), policy) == (whole.starts, whole.settled)


# --- bad input ---------------------------------------------------------------------------------


def test_a_chapter_never_keeps_more_turns_than_are_looked_at():
    turns = talk(*CAMPING * 20)
    kept = advance(EpisodeTail(summary="Camping."), turns, segment(EpisodeTail(), turns))
    assert kept == EpisodeTail(tuple(turns[-DEFAULT_BOUNDARIES.reach :]), "Camping.")
