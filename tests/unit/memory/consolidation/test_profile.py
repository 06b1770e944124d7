"""Fact rows -> one paragraph, and when a model's own is believed."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import at, make_memory
from tests.rows import each_row
from utils.common.text import utf16_length
from utils.memory.consolidation import profile
from utils.models.memory import Form, Importance, Kind, Profile, Status

REX = make_memory("has a dog named Rex", id=1)
BERLIN = make_memory("lives in Berlin since 2019", id=2, importance=Importance.HIGH)


def test_it_is_the_facts_joined_the_most_important_first():
    assert profile.render([REX, BERLIN]) == Profile(
        "Lives in Berlin since 2019. Has a dog named Rex.", (2, 1)
    )


@each_row(
    "row",
    [
        make_memory("loves tea", kind=Kind.PREFERENCE),
        make_memory("may like tea", status=Status.PROPOSED),
        make_memory("liked tea", status=Status.SUPERSEDED),
    ],
)
def test_only_active_facts_belong_in_it(row):
    assert profile.render([row]) == Profile()


@given(st.lists(st.text(alphabet="ab 犬🐶.", min_size=1, max_size=300), max_size=8))
def test_it_never_grows_past_600_units_and_names_its_rows(texts):
    rows = [make_memory(text, id=number) for number, text in enumerate(texts, 1)]
    made = profile.render(rows)
    assert utf16_length(made.text) <= 600
    assert set(made.row_ids) <= {row.id for row in rows}


FACTS = (REX.text, BERLIN.text)


@each_row("text", ["Ada has a dog named Rex. Ada lives in Berlin.", "Has a dog\nnamed Rex.\x00"])
def test_a_verified_paragraph_is_taken(text):
    accepted = profile.accept(text, [REX, BERLIN], FACTS)
    assert set(accepted.row_ids) == {1, 2}
    assert "\n" not in accepted.text
    assert "\x00" not in accepted.text


@each_row("text", ["", "My password is hunter2.", "Has a dog named Rex. " * 40, "\x00"])
def test_a_paragraph_that_may_not_be_kept_is_not_taken(text):
    assert profile.accept(text, [REX, BERLIN], FACTS) is None


def test_a_paragraph_made_of_a_fact_that_is_gone_is_not_taken():
    assert profile.accept("Has a dog named Rex.", [BERLIN], FACTS) is None


def test_a_paragraph_about_nothing_known_is_not_taken():
    hobby = make_memory(kind=Kind.PREFERENCE)
    assert profile.accept("Has a dog named Rex.", [hobby], (hobby.text,)) is None


def test_a_models_paragraph_stays_with_what_is_new_beside_it():
    stored, oboe = Profile("A Berliner with Rex", (1, 2)), make_memory("plays the oboe", id=3)
    completed = profile.complete(stored, [REX, BERLIN, oboe])
    assert completed == Profile("A Berliner with Rex. Plays the oboe.", (1, 2, 3))
    harp = make_memory("plays the harp", id=4)
    again = profile.complete(completed, [REX, BERLIN, oboe, harp])
    assert again.text == "A Berliner with Rex. Plays the oboe. Plays the harp."
    assert profile.complete(stored, [REX, BERLIN]) == stored


def test_a_rendered_paragraph_or_one_with_a_fact_that_is_gone_is_rendered_anew():
    oboe = make_memory("plays the oboe", id=3, importance=Importance.HIGH, created_at=at(days=1))
    listed = "Plays the oboe. Lives in Berlin since 2019. Has a dog named Rex."
    assert profile.complete(profile.render([REX, BERLIN]), [REX, BERLIN, oboe]).text == listed
    stored = Profile("A Berliner with Rex", (1, 2))
    assert profile.complete(stored, [REX, oboe]).text == "Plays the oboe. Has a dog named Rex."
    assert profile.complete(Profile(), [REX]).text == "Has a dog named Rex."


def test_what_does_not_fit_beside_a_models_paragraph_leaves_it_as_it_is():
    stored = Profile("x" * 590, (1,))
    assert profile.complete(stored, [REX, make_memory("plays the oboe", id=3)]) == stored


def test_a_quote_is_in_no_profile():
    assert profile.render([make_memory("I have a dog", form=Form.QUOTE)]).text == ""
    assert profile.remaining(profile.render([REX]), [replace(REX, form=Form.QUOTE)]).text == ""


def test_a_note_that_is_no_longer_active_leaves_it():
    stored = Profile("A Berliner with Rex.", (1, 2))
    shadow = replace(BERLIN, status=Status.SHADOW)
    assert profile.remaining(stored, [REX, BERLIN]) is stored
    assert profile.remaining(stored, [REX, shadow]) == Profile("Has a dog named Rex.", (1,))


def test_it_is_shown_as_stored_while_all_its_rows_can_be_read():
    stored = Profile("A Berliner with Rex.", (1, 2))
    assert profile.readable(stored, [REX, BERLIN]) == stored


def test_it_is_rendered_anew_from_what_remains_when_a_row_is_gone_or_unreadable():
    stored = Profile("A Berliner with Rex.", (1, 2))
    assert profile.readable(stored, [REX]) == Profile("Has a dog named Rex.", (1,))
    assert profile.readable(stored, []) == Profile()


def test_a_fact_that_is_no_longer_active_takes_the_paragraph_with_it():
    stored = Profile("A Berliner with Rex.", (1, 2))
    proposed = make_memory(id=2, status=Status.PROPOSED)
    assert profile.readable(stored, [REX, proposed]).text == "Has a dog named Rex."


def test_among_equally_important_facts_the_newest_comes_first():
    newer = make_memory("plays the oboe", id=3, created_at=at(days=1))
    assert profile.render([REX, newer]).text == "Plays the oboe. Has a dog named Rex."


def test_its_past_is_what_the_rows_of_each_time_made():
    rome = make_memory(
        "lives in Rome", id=3, created_at=at(), status=Status.SUPERSEDED, superseded_by=4
    )
    oslo = make_memory("lives in Oslo", id=4, created_at=at(days=9))
    rex = make_memory("has a dog named Rex", id=5, created_at=at(days=5))
    tea = make_memory("loves tea", id=6, kind=Kind.PREFERENCE, created_at=at(days=7))
    assert profile.profile_history([rex, tea, oslo], [rome]) == [
        (at(days=9), "Lives in Oslo. Has a dog named Rex."),
        (at(days=5), "Has a dog named Rex. Lives in Rome."),
        (at(), "Lives in Rome."),
    ]


def fact(length, **given):
    """A fact whose sentence has so many units, its full stop included."""
    return make_memory("x" * (length - 1), **given)


@each_row(
    ("lengths", "expected"),
    [
        ([600], [1]),
        ([601], []),
        ([300, 299], [1, 2]),
        ([300, 300], [1]),
        ([300, 293, 5], [1, 2, 3]),
        ([300, 293, 6], [1, 2]),
        ([300, 294, 4], [1, 2, 3]),
        ([300, 400, 299], [1, 3]),
    ],
)
def test_a_fact_that_fits_exactly_is_in_it_and_is_never_cut(lengths, expected):
    rows = [fact(length, id=n, created_at=at(days=-n)) for n, length in enumerate(lengths, 1)]
    made = profile.render(rows)
    assert list(made.row_ids) == expected
    assert made.text == " ".join("X" + "x" * (lengths[n - 1] - 2) + "." for n in expected)


def test_a_models_paragraph_of_600_units_is_taken_and_rests_on_its_facts_only():
    tea = make_memory("loves tea", id=3, kind=Kind.PREFERENCE)
    other = make_memory("sings", id=4)
    rows = [REX, BERLIN, tea, other]
    assert profile.accept("🐶" * 300, rows, FACTS) == Profile("🐶" * 300, (2, 1))
    assert profile.accept("🐶" * 300 + "x", rows, FACTS) is None
    assert profile.accept("All of it.", rows, ()).row_ids == (2, 1, 4)


def test_of_versions_with_the_same_text_the_earliest_is_told():
    rome = make_memory("lives in Rome", id=3, status=Status.SUPERSEDED, superseded_by=4)
    again = make_memory("lives in Rome", id=4, created_at=at(days=2))
    quote = make_memory("I have a cat", id=5, created_at=at(days=3), form=Form.QUOTE)
    assert profile.profile_history([again, quote], [rome]) == [(at(), "Lives in Rome.")]
