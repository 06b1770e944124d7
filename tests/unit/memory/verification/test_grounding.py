"""A candidate stays only if its subject really said it, in earnest."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fakes.builders import BOB, KITH_ID, heard, make_candidate, make_event, make_state
from utils.memory.verification.grounding import Refused, ground, normalised
from utils.models.memory import Consent, Modality, Role

SAID = make_event("Well, I have a dog named Rex!")


def refusal(candidate, *events, **state):
    with pytest.raises(Refused) as refused:
        ground(candidate, make_state(events=events or (SAID,), **state), heard())
    return refused.value.reason


def test_a_quote_from_the_subjects_own_message_is_grounded_in_it():
    other = make_event("Hello there")
    state = make_state(events=(other, SAID))
    assert ground(make_candidate(quote="i have a dog named REX"), state, heard()) is SAID


@pytest.mark.parametrize("quote", ["a dog — named   Rex", "A DOG NAMED REX", "dog named Ｒｅｘ"])
def test_case_punctuation_spacing_and_width_do_not_matter(quote):
    assert ground(make_candidate(quote=quote), make_state(events=(SAID,)), heard()) is SAID


@pytest.mark.parametrize(
    "quote", ["I have a cat", "og named Re", "Rex I have a dog", "", "!?", "a"]
)
def test_words_that_were_not_said_are_refused(quote):
    assert refusal(make_candidate(quote=quote)) == "quote"


def test_a_quote_may_begin_and_end_anywhere_in_scripts_without_spaces():
    japanese = make_event("私の犬の名前はレックスです")
    thai = make_event("ฉันมีหมาชื่อเร็กซ์")
    state = make_state(events=(japanese, thai))
    assert (
        ground(make_candidate("犬の名前はレックス", quote="犬の名前はレックス"), state, heard())
        is japanese
    )
    assert ground(make_candidate("หมาชื่อเร็กซ์", quote="หมาชื่อเร็กซ์"), state, heard()) is thai


def test_what_kith_said_teaches_nothing():
    kith = make_event(SAID.text, author_id=KITH_ID, role=Role.KITH)
    assert refusal(make_candidate(quote="a dog named Rex"), kith) == "quote"


def test_what_kith_said_teaches_nothing_even_under_the_subjects_id():
    kith = make_event(SAID.text, role=Role.KITH)
    assert refusal(make_candidate(quote="a dog named Rex"), kith) == "quote"


def test_what_somebody_else_said_teaches_nothing():
    bobs = make_event(SAID.text, author_id=BOB.user_id)
    assert refusal(make_candidate(quote="a dog named Rex"), bobs) == "quote"


def test_what_a_member_says_of_another_is_not_kept():
    assert refusal(make_candidate(subject_id=BOB.user_id)) == "subject"


@pytest.mark.parametrize("modality", [Modality.JOKE, Modality.ROLE_PLAY, Modality.HYPOTHETICAL])
def test_what_was_not_meant_is_refused(modality):
    assert refusal(make_candidate(quote="a dog named Rex", modality=modality)) == "modality"


def test_nothing_is_kept_of_a_member_who_does_not_want_it_or_of_a_frozen_server():
    candidate = make_candidate(quote="a dog named Rex")
    assert refusal(candidate, consent=Consent.OFF) == "consent"
    assert refusal(candidate, frozen=True) == "frozen"


def test_a_forgotten_message_teaches_nothing_again():
    candidate = make_candidate(quote="a dog named Rex")
    assert refusal(candidate, tombstones=frozenset({SAID.message_id})) == "forgotten"


@pytest.mark.parametrize("text", ["", "  ", "🙂🙂", "...", "\u200b"])
def test_a_memory_without_words_is_refused(text):
    assert refusal(make_candidate(text, quote="a dog named Rex")) == "empty"


@pytest.mark.parametrize(
    "given",
    [
        {"text": "password is hunter2"},
        {"text": "likes it", "quote": "see https://example.org"},
        {"text": "likes it", "topics": ("music", "me@example.org")},
        {"text": "likes it", "attribute": "call +49 170 1234567"},
    ],
)
def test_no_part_of_a_candidate_carries_what_is_never_kept(given):
    given.setdefault("quote", "a dog named Rex")
    assert refusal(make_candidate(**given)) in {"secret", "link", "contact"}


WORDS = st.lists(
    st.sampled_from(["I", "have", "a", "dog", "cat", "named", "Rex", "Max", "and", "two"]),
    max_size=8,
)
NOISE = st.text(max_size=30)


@given(WORDS | NOISE.map(str.split), WORDS | NOISE.map(str.split), WORDS)
def test_no_quote_is_grounded_that_is_not_in_the_subjects_own_text(said, others, quoted):
    own = make_event(" ".join(said))
    foreign = make_event(" ".join(others), author_id=BOB.user_id)
    quote = " ".join(quoted)
    assume(normalised(quote) not in normalised(own.text))
    assert refusal(make_candidate(quote=quote), foreign, own) == "quote"


@given(st.text(max_size=60), st.text(max_size=20))
def test_whatever_is_grounded_stands_in_the_message_word_for_word(said, quote):
    try:
        event = ground(make_candidate(quote=quote), make_state(events=(make_event(said),)), heard())
    except Refused:
        return
    assert normalised(quote) in normalised(event.text)
