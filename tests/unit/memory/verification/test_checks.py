"""The hard checks: who said it, where, and may it be kept?"""

from dataclasses import replace

import pytest

from tests.fakes.builders import (
    BOB,
    KITH_ID,
    heard,
    make_candidate,
    make_event,
    make_state,
)
from tests.rows import each_row
from utils.memory.policy.categories import DEFAULT_CATEGORIES
from utils.memory.verification.checks import (
    Checked,
    Refused,
    check,
    names_only_others,
    unsafe,
)
from utils.memory.verification.extraction_context import ContextText
from utils.memory.verification.sentences import Passage
from utils.models.attachment import AttachmentKind, AttachmentState, AttachmentText
from utils.models.memory import Consent, ContextRef, Kind, Role

SAID = make_event("Well, I have a dog named Rex!")


def refusal(candidate, *events, context=None, **state):
    with pytest.raises(Refused) as refused:
        check(candidate, make_state(events=events or (SAID,), **state), context or heard())
    return refused.value.reason


def sentence(quote, text, **context):
    state = make_state(events=(make_event(text),))
    return check(make_candidate(quote=quote), state, replace(heard(), **context)).sentence


@each_row("quote", ["i have a dog named REX", "a dog — named   Rex", "dog named Ｒｅｘ"])
def test_a_quote_is_found_whatever_its_case_punctuation_spacing_and_width(quote):
    checked = check(make_candidate(quote=quote), make_state(events=(SAID,)), heard())
    assert (checked.event, checked.sentence) == (SAID, SAID.text)


@each_row("quote", ["I have a cat", "She walks dogs", "Rex barks at me", "", "!?", "a"])
def test_words_that_were_not_said_are_refused(quote):
    assert refusal(make_candidate(quote=quote)) == "quote"


@each_row(
    "event",
    [
        make_event(SAID.text, author_id=KITH_ID, role=Role.KITH),
        make_event(SAID.text, role=Role.KITH),
        make_event(SAID.text, author_id=BOB.user_id),
        make_event(f"> {SAID.text}"),
        make_event(f"```{SAID.text}```"),
        make_event('she said "I have a dog named Rex"'),
    ],
)
def test_what_the_subject_did_not_say_themselves_is_refused(event):
    assert refusal(make_candidate(quote="a dog named Rex"), event) == "quote"


@each_row(
    ("text", "quote"),
    [
        ("im from poland what about you?", "im from poland"),
        ("good news: I got the job", "I got the job"),
        ("random fact about me: i play the cello", "i play the cello"),
        ("I PASSED!!!!!", "I PASSED"),
    ],
)
def test_questions_and_colons_refuse_nothing(text, quote):
    assert sentence(quote, text) == text


def test_the_sentence_around_the_quote_is_kept_and_its_neighbours_are_not():
    assert sentence("moved to St. Ives", "Hi all. I moved to St. Ives in May. Bye!") == (
        "I moved to St. Ives in May."
    )


def test_a_long_message_gives_at_most_500_units_around_the_quote():
    text = "word " * 300 + "I keep bees " + "word " * 300
    found = sentence("I keep bees", text)
    assert "I keep bees" in found
    assert len(found) <= 500


@each_row(
    ("text", "quote", "reason"),
    [
        ("my password is hunter2", "hunter2", "secret"),
        ("wifi password:\nhunter2 lol", "hunter2 lol", "secret"),
        ("here is my password. it is tr0ub4dor", "it is tr0ub4dor", "secret"),
        ("call me, ok? my number is +49 170 1234567", "call me, ok", "contact"),
    ],
)
def test_a_secret_is_refused_however_the_quote_is_clipped(text, quote, reason):
    assert refusal(make_candidate("x", quote=quote), make_event(text)) == reason


@each_row(
    ("text", "before"),
    [
        ("hunter2 of course", {"replied_to": {5: "what is your wifi password?"}}),
        ("hunter2", {"previous": {5: ContextText(ContextRef(message_id=4), "wifi password:")}}),
    ],
)
def test_a_secret_that_a_message_before_asks_for_or_announces_is_refused(text, before):
    context = replace(heard(), **before)
    assert refusal(make_candidate(quote=text), make_event(text, id=5), context=context) == "secret"


@each_row(
    "before", [("Tom asks: what is your wifi password?", "hm"), ("my wifi password:", "Got it.")]
)
def test_a_secret_asked_for_or_announced_two_turns_before_is_refused(before):
    event = make_event("bananarama most of all", id=5)
    candidate = make_candidate(quote="bananarama most of all")
    assert refusal(candidate, event, context=replace(heard(), before={5: before})) == "secret"


def test_the_operators_categories_count_in_the_sentence_only():
    text = "I was diagnosed with diabetes. I play the oboe."
    assert sentence("I play the oboe", text) == "I play the oboe."
    assert refusal(make_candidate(quote="diagnosed with"), make_event(text)) == "health"


@each_row(
    "text",
    [
        "Thanks, Bob!",
        "thanks bob",
        "Wow Bob, you're gonna win that race",
        "Bob, dein Kuchen war super",
        "Can't wait to see it, Bob :)",
        "Bob, you got this!",
    ],
)
def test_a_sentence_that_only_speaks_to_somebody_is_not_about_them(text):
    assert sentence(text, text, names=("Bob",)) == text


@each_row(
    "text",
    [
        "Bob lives in Rome",
        "@Bob is tall",
        "bob has two cats",
        "Bob, the nurse from Leeds, hates olives",
        "Bob is moving to Rome, Tom",
        "Bob cried",
        "yesterday, Bob cried",
        "you know Bob lives in Rome",
        "invited Bob, Tom, Kim",
    ],
)
def test_a_sentence_about_somebody_in_sight_is_not_kept_whomever_it_speaks_to(text):
    context = replace(heard(), names=("Bob",))
    assert refusal(make_candidate(quote=text), make_event(text), context=context) == "about another"


def test_one_about_oneself_may_name_somebody():
    assert sentence("with Bob", "I live with Bob", names=("Bob",)) == "I live with Bob"


@each_row(
    ("state", "reason"),
    [
        ({"consent": Consent.OFF}, "consent"),
        ({"frozen": True}, "frozen"),
        ({"ignored": True}, "ignored"),
        ({"tombstones": frozenset({SAID.message_id})}, "forgotten"),
    ],
)
def test_what_may_not_be_stored_is_refused(state, reason):
    assert refusal(make_candidate(quote="I have a dog"), **state) == reason


@each_row(
    ("changed", "reason"),
    [
        ({"subject_id": BOB.user_id}, "subject"),
        ({"text": "mail me at ada@example.org"}, "contact"),
        ({"topics": ("password hunter2",)}, "secret"),
    ],
)
def test_a_note_about_another_or_with_a_secret_is_refused(changed, reason):
    assert refusal(replace(make_candidate(quote="I have a dog"), **changed)) == reason


@each_row(
    ("kind", "text", "reason"),
    [
        (Kind.TASK, "Flight to Oslo on 3 April", None),
        (Kind.FACT, "Flight to Oslo on 3 April", "attachment"),
        (Kind.TASK, "Sam: I take the flight to Oslo", "attachment"),
    ],
)
def test_an_attachment_teaches_tasks_that_nobody_speaks(kind, text, reason):
    event = make_event("my flight!", id=5)
    shown = AttachmentText(AttachmentKind.IMAGE, "a.png", AttachmentState.DONE, text)
    context = replace(heard(), attached={5: (shown,)})
    candidate = make_candidate("flies to Oslo", quote="flight to Oslo", kind=kind)
    if reason is not None:
        assert refusal(candidate, event, context=context) == reason
        return
    checked = check(candidate, make_state(events=(event,)), context)
    assert checked.is_attached
    assert checked.sentence == text


@each_row(
    "quote",
    [
        'I finished "The Name of the Wind" last night',
        "finished The Name of the Wind",
        "the Wind last night",
    ],
)
def test_a_quote_may_hold_a_title_that_stands_in_quotation_marks(quote):
    text = 'I finished "The Name of the Wind" last night'
    assert sentence(quote, text) == text


@each_row("quote", ["The Name of the Wind", "name of the wind"])
def test_what_stands_in_quotation_marks_alone_is_no_quote(quote):
    event = make_event('I finished "The Name of the Wind" last night')
    assert refusal(make_candidate(quote=quote), event) == "quote"


@each_row(
    ("found", "answered", "reason"),
    [
        (Passage("I sing"), "", None),
        (Passage("I sing", "So.", "Bye."), "and you?", None),
        (Passage("my password: tr0ub4dor"), "", "secret"),
        (Passage("it is tr0ub4dor", before="my password:"), "", "secret"),
        (Passage("it is tr0ub4dor", after="my password it is"), "", "secret"),
        (Passage("it is tr0ub4dor"), "your password?", "secret"),
        (Passage("abc123def", before="key:"), "what is your api", "secret"),
        (Passage("abc123def", after="key:"), "what is your api", None),
        (Passage("I sing", before="I have diabetes.", after="I have diabetes."), "ill?", None),
        (Passage("I have diabetes"), "", "health"),
        (Passage("call +49 170 1234567", before="So."), "", "contact"),
        (Passage("I live there", after="My address is Elm Street 5."), "", "address"),
    ],
)
def test_a_sentence_is_unsafe_with_the_secrets_next_to_it(found, answered, reason):
    assert unsafe(found, answered, DEFAULT_CATEGORIES) == reason


def test_a_category_that_the_operator_allows_is_kept():
    assert unsafe(Passage("I have diabetes", before="So."), "", frozenset()) is None
    diabetic = make_candidate("has diabetes", quote="I have a dog")
    assert refusal(diabetic) == "health"
    allowing = replace(heard(), forbidden=frozenset())
    assert check(diabetic, make_state(events=(SAID,)), allowing).sentence == SAID.text
    assert refusal(replace(diabetic, text="x", attribute="password hunter2")) == "secret"


@each_row(
    ("asked", "previous", "before", "reason"),
    [
        ("what is your api", "key:", (), "secret"),
        ("what is your api", "", ("so", "key:  "), "secret"),
        ("", "what is your api key?\n", (), "secret"),
        ("", "my api key is", (), "secret"),
        ("", "I forgot my api key", (), None),
        ("", "", ("my\x00 api\nkey:",), "secret"),
        ("", "", (), None),
    ],
)
def test_what_a_message_answers_or_what_announced_it_names_its_secret(
    asked, previous, before, reason
):
    event = make_event("abc123def", id=5)
    context = replace(
        heard(),
        replied_to={5: asked} if asked else {},
        previous={5: ContextText(ContextRef(message_id=4), previous)} if previous else {},
        before={5: before},
    )
    candidate = make_candidate("has a", quote="abc123def")
    if reason is None:
        assert check(candidate, make_state(events=(event,)), context).event is event
    else:
        assert refusal(candidate, event, context=context) == reason


def test_the_message_that_a_candidate_names_is_searched_first():
    first, second = (make_event(SAID.text, message_id=number) for number in (50, 51))
    for message_id, expected in ((50, first), (51, second), (0, first)):
        candidate = make_candidate(quote="a dog", message_id=message_id)
        assert check(candidate, make_state(events=(first, second)), heard()).event is expected


TWO = (
    make_event("lol ok. im allergic to nuts & dogs", message_id=50),
    make_event("brb", message_id=51),
)


@each_row("events", [TWO, TWO[::-1], TWO[:1]])
def test_a_tidied_quote_points_at_a_sentence_of_the_message_it_names(events):
    candidate = make_candidate(quote="I'm allergic to nuts and dogs", message_id=50)
    checked = check(candidate, make_state(events=events), heard())
    assert checked == Checked(TWO[0], "im allergic to nuts & dogs", "lol ok.", "")


@each_row(("message_id", "events"), [(51, TWO), (0, TWO), (99, TWO), (51, TWO[1:])])
def test_a_tidied_quote_points_at_no_other_message(message_id, events):
    candidate = make_candidate(quote="I'm allergic to nuts and dogs", message_id=message_id)
    assert refusal(candidate, *events) == "quote"


def test_a_tidied_quote_of_the_only_message_need_not_name_it():
    candidate = make_candidate(quote="I'm allergic to nuts and dogs")
    assert check(candidate, make_state(events=TWO[:1]), heard()).event is TWO[0]


@each_row(
    "event",
    [
        make_event("im allergic to nuts & dogs", author_id=KITH_ID, role=Role.KITH),
        make_event("im allergic to nuts & dogs", author_id=BOB.user_id),
        make_event("> im allergic to nuts & dogs\nno way"),
        make_event("```\nim allergic to nuts & dogs\n``` look"),
        make_event('she said "im allergic to nuts & dogs"'),
        make_event("[12:01] Bob: im allergic to nuts & dogs\nlol"),
        make_event("Bob: im allergic to nuts & dogs\nlol"),
    ],
)
def test_a_tidied_quote_points_at_nothing_that_the_subject_did_not_say_themselves(event):
    candidate = make_candidate(quote="I'm allergic to nuts and dogs", message_id=event.message_id)
    assert refusal(candidate, event, context=replace(heard(), names=("Bob",))) == "quote"


def test_what_a_tidied_quote_points_at_passes_the_same_checks():
    said = make_event("im diagnosed w/ diabetes since 2020")
    candidate = make_candidate("x", quote="I'm diagnosed with diabetes since 2020")
    assert refusal(candidate, said) == "health"
    assert refusal(candidate, said, tombstones=frozenset({said.message_id})) == "forgotten"


def test_a_line_of_somebody_in_sight_is_no_quote_of_the_author():
    pasted = make_event('so\nBob: likes bees and "the name of all bees"')
    for quote in ("likes bees", "bees and the name of all bees"):
        candidate = make_candidate(quote=quote)
        assert check(candidate, make_state(events=(pasted,)), heard()).sentence
        context = replace(heard(), names=("Bob",))
        assert refusal(candidate, pasted, context=context) == "quote"


def attached(*texts, **given):
    caption, *parts = texts
    return AttachmentText(
        AttachmentKind.IMAGE, "a.png", AttachmentState.DONE, caption, tuple(parts), **given
    )


def test_each_part_of_each_attachment_of_the_subject_is_searched():
    kith = make_event("", id=1, role=Role.KITH)
    bobs = make_event("", id=2, author_id=BOB.user_id)
    none, event = make_event("hi", id=3), make_event("my flight", id=4)
    ticket = attached("A ticket", "Boarding at nine. Flight to Oslo. Gate 4", "I sing in May")
    context = replace(
        heard(),
        attached={1: (ticket,), 2: (ticket,), 4: (attached("A cat"), ticket)},
        names=("Oslo",),
    )
    events = (kith, bobs, none, event)
    flight = make_candidate("flies", quote="flight to", kind=Kind.EPISODE)
    text = ticket.parts[0]
    assert check(flight, make_state(events=events), context) == Checked(
        replace(event, text=text, attachment_texts=(ticket,)),
        "Flight to Oslo.",
        "Boarding at nine.",
        "Gate 4",
    )
    song = replace(flight, quote="sing in May")
    assert refusal(song, *events, context=context) == "attachment"
    assert refusal(replace(flight, quote="to Rome"), *events, context=context) == "quote"
    assert refusal(flight, kith, bobs, none, context=context) == "quote"


@each_row(
    ("text", "names", "expected"),
    [
        ("Bob sings", ("", "B", "Bob"), True),
        ("B sings", ("B",), False),
        ("Bobby sings", ("Bob",), False),
        ("so sings Bob", ("Tom", "Bob"), True),
        ("I know Bob", ("Bob",), False),
        ("Al sings", ("Al",), True),
        ("they sing", ("!",), False),
    ],
)
def test_a_name_counts_as_a_whole_word_of_two_letters_at_least(text, names, expected):
    assert names_only_others(text, names) is expected
