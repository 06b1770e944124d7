"""What people plainly say about themselves is caught; anything less plain is not."""

from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import ADA, NOON, heard, make_event, make_memory, make_reading, make_state
from utils.memory.extraction.rule_extractor import RuleExtractor, candidates
from utils.memory.verification.grounding import Refused, ground
from utils.models.memory import Importance, Kind, Method, Source

UTC = ZoneInfo("UTC")


def caught(text, zone=UTC, **event):
    return list(candidates(make_event(text, **event), zone))


def said(text):
    return [candidate.text for candidate in caught(text)]


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("My name is Ada", "name is Ada"),
        ("my name's Ada Lovelace.", "name is Ada Lovelace"),
        ("call me Al!", "name is Al"),
        ("I live in Berlin now, but I hate it", "lives in Berlin"),
        ("Hey Kith, I live in New York City!", "lives in New York City"),
        ("I live in 東京", "lives in 東京"),
        ("i live in St. Petersburg.", "lives in St. Petersburg"),
        ("I've moved to Rome", "lives in Rome"),
        ("I work as a nurse at the hospital", "works as a nurse at the hospital"),
        ("I work for Valve", "works at Valve"),
        ("I have a dog named Rex", "has a dog named Rex"),
        ("I’ve got two cats called Tom and Jerry", "has two cats named Tom and Jerry"),
        ("my dog's name is Rex", "has a dog named Rex"),
        ("my iguana is called Bo", "has an iguana named Bo"),
        ("I love tea so much", "loves tea"),
        ("I really hate battle royales", "hates battle royales"),
        ("I can't stand noise", "can't stand noise"),
        ("I prefer tea over coffee", "prefers tea over coffee"),
        ("I love my dog", "loves their dog"),
        ("My favourite food is pizza because it is good", "favourite food is pizza"),
        ("my favorite colors are red and blue", "favourite colors are red and blue"),
    ],
)
def test_a_plain_statement_is_caught(text, memory):
    assert said(text) == [memory]


@pytest.mark.parametrize(
    ("text", "memories"),
    [
        ("I love tea, I hate coffee", ["loves tea", "hates coffee"]),
        ("I live in Rome. I work as a doctor.", ["lives in Rome", "works as a doctor"]),
        (
            "I have a dog named Rex and a cat named Tom",
            ["has a dog named Rex", "has a cat named Tom"],
        ),
    ],
)
def test_several_statements_in_a_message_are_all_caught(text, memories):
    assert said(text) == memories


@pytest.mark.parametrize(
    "text",
    [
        "",
        "🙂",
        "Do I live in Berlin?",
        "If I live in Berlin I am happy",
        "Maybe I love tea",
        "I wish I had a dog named Rex",
        "I'd love a coffee",
        '"I live in Berlin", she said',
        "> I live in Berlin",
        "I live in Berlin lol",
        "I live in a dream",
        "I love it",
        "I love you",
        "I love when it rains",
        "I don't like tea",
        "I no longer live in Berlin",
        "I used to live in Berlin",
        "my name is not Bob",
        "call me later",
        "call me an ambulance",
        "She has a dog named Rex",
        "Bob lives in Berlin",
        "You love tea",
        "Do you remember that day?",
        "remember me",
        "my name is <@123>",
        "I'm not moving house this week",
        "I love " + "very long things " * 20,
    ],
)
def test_what_is_vague_unsure_or_about_others_teaches_nothing(text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "memory", "lifetime"),
    [
        ("I'm moving house this week", "is moving house in the week of 9 March 2026", 7),
        ("I am going to Paris tomorrow!", "is going to Paris on 12 March 2026", 3),
        ("I'm playing tonight", "is playing on the evening of 11 March 2026", 1),
        ("I'm packing until Friday", "is packing until 13 March 2026", 7),
        ("I'm packing until Wednesday", "is packing until 18 March 2026", 7),
        ("I'm fasting until Easter", "is fasting until easter", 30),
        ("I'm travelling next week", "is travelling in the week of 16 March 2026", 30),
    ],
)
def test_plans_are_kept_with_their_date_and_pass(text, memory, lifetime):
    (one,) = caught(text)
    assert (one.text, one.kind, one.lifetime_days) == (memory, Kind.TASK, lifetime)


def test_dates_are_those_of_the_servers_zone():
    late = NOON.replace(hour=23)
    (one,) = caught("I'm packing today", ZoneInfo("Asia/Tokyo"), created_at=late)
    assert one.text == "is packing on 12 March 2026"


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("remember that I am allergic to nuts", "they are allergic to nuts"),
        ("Please remember: my boat is red", "their boat is red"),
        ("don't forget that I have two left feet", "they have two left feet"),
        ("remember that my dog is named Rex", "has a dog named Rex"),
    ],
)
def test_what_somebody_asks_to_have_remembered_is_explicit_and_important(text, memory):
    (one,) = caught(text)
    assert (one.text, one.source, one.importance) == (memory, Source.EXPLICIT, Importance.HIGH)


async def test_a_new_home_replaces_the_known_one():
    known = make_memory("lives in Berlin", fact_key="home")
    reading = make_reading(make_event("I moved to Rome"), rows=(known,))
    extraction = await RuleExtractor().extract(reading)
    assert extraction.method is Method.RULE
    assert extraction.candidates[0].replaces == known.id


async def test_another_pet_replaces_none():
    known = make_memory("has a dog named Rex", fact_key="dog_rex")
    reading = make_reading(make_event("I have a dog named Max"), rows=(known,))
    assert (await RuleExtractor().extract(reading)).candidates[0].replaces is None


async def test_the_same_thing_twice_in_a_burst_is_found_once():
    reading = make_reading(make_event("I love tea"), make_event("I love tea!"))
    assert len((await RuleExtractor().extract(reading)).candidates) == 1


PIECES = st.sampled_from(
    ["I love", "my name is", "I have a dog named", "Rex", "tea", "I'm", "moving", "until",
     "Friday", "remember that", ",", ".", "\n", "and", "?", "\ud800", "\x00", "🐶", "I live in"]
)  # fmt: skip


@given(st.text(max_size=200) | st.lists(PIECES, max_size=15).map(" ".join))
def test_whatever_is_caught_is_about_its_author_and_was_said(text):
    event = make_event(text)
    for candidate in candidates(event, UTC):
        assert candidate.subject_id == ADA.user_id
        try:
            assert ground(candidate, make_state(events=(event,)), heard()) is event
        except Refused as refused:
            assert refused.reason in {"secret", "contact", "link", "order", "empty"}


def test_a_long_message_takes_no_time():
    assert said("I am " * 800) == []
    assert said("my favourite " * 300 + "x" * 4000) == []
    assert said("(" * 4000) == []
