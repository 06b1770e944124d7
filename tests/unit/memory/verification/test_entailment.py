"""A memory must follow from what its subject wrote, in earnest, of themselves."""

from dataclasses import replace

import pytest

from tests.fakes.builders import heard, make_candidate, make_event, make_state
from utils.memory.verification.entailment import objection


def why_not(memory, *said, asked="", names=()):
    events = tuple(map(make_event, said))
    last = events[-1]
    around = replace(heard(), names=names, asked={last.id: asked} if asked else {})
    candidate = make_candidate(memory, quote=last.text)
    return objection(candidate, last, make_state(events=events), around)


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ("has a dog named Rex", ("I got a dog", "named Rex")),
        ("has a border collie", ("my dog is finally home", "she's a border collie")),
        ("feels inspired by nature", ("nature totally inspires me",)),
        ("prefers short replies", ("could you keep your replies short?",)),
        ("has a grumpy tortoise", ("mine's a grumpy tortoise",)),
        ("got a tattoo, a fern", ("got a tattoo, a tiny fern",)),
        ("sings in a choir with Priya", ("I sing in a choir with Priya",)),
        ("started hitting the gym", ("Hi Gina! Been hectic. Started hitting the gym",)),
        ("wants no emojis", ("no emojis please they make me cringe",)),
        ("dislikes olives", ("olives? absolutely not",)),
        ("learned to weld", ("my dad taught me to weld",)),
        ("uses he/they pronouns", ("he/they please!",)),
        ("finds pottery calming", ("pottery is so calming",)),
        ("no longer uses Facebook", ("i dont use facebook anymore",)),
        ("lives in Zürich", ("i live in zurich",)),
        ("studiuje informatykę", ("studiuję informatykę",)),
        ("기타를 배우고 있다", ("요즘 기타 배우고 있어요",)),
    ],
)
def test_what_the_subject_says_of_themselves_is_carried(memory, said):
    assert why_not(memory, *said, names=("Gina",)) is None


@pytest.mark.parametrize(
    ("memory", "said", "reason"),
    [
        ("owns a vineyard", ("Lena and her brother own a vineyard",), "subject"),
        ("swore an oath", ("my paladin swore an oath",), "subject"),
        ("had a tarantula", ("some kid on the bus had a tarantula",), "subject"),
        ("uczy matematyki", ("moja siostra uczy matematyki",), "subject"),
        ("likes pizza", ("had pizza yesterday",), "unsupported"),
        ("is a unicorn", ("yeah and I'm a unicorn",), "modality"),
        ("likes olives", ("olives? absolutely not",), "unsupported"),
        ("likes dogs more than cats", ("I like cats more than dogs",), "unsupported"),
        ("コーヒーを飲む", ("コーヒーは飲まない",), "unsupported"),
        ("has choir on Mondays", ("I have choir on wednesdays",), "unsupported"),
        ("likes chess", ("Sam is new here", "chess and olives"), "subject"),
        ("eats crisps", ("can you stop eating my crisps, Gina?",), "subject"),
        ("wants to be called a loser", ("could you call me a loser?",), "subject"),
        ("lives in Rome", ("my brother lives in Rome",), "subject"),
        ("named Rex", ("Gina has a dog", "named Rex"), "subject"),
        ("is moving to Oslo", ("Had lunch with Priya. Is moving to Oslo.",), "subject"),
        ("dumps waste", ("I work for a firm that dumps waste",), "subject"),
        ("loses money", ("Watching Gina lose money was hard",), "subject"),
        ("beat Gina", ("Gina beat me",), "subject"),
        ("owns three yachts", ("let's say I own three yachts",), "modality"),
        ("hates pizza", ("I love pizza",), "unsupported"),
    ],
)
def test_what_does_not_follow_is_objected_to(memory, said, reason):
    assert why_not(memory, *said, names=("Gina",)) == reason


@pytest.mark.parametrize(
    ("asked", "said", "memory", "kept"),
    [
        ("Do you like sushi?", "yes!!", "likes sushi", True),
        ("Do you like sushi?", "nope", "likes sushi", False),
        ("Do you like sushi?", "nope", "does not like sushi", True),
        ("Where do you live?", "in Porto", "lives in Porto", True),
        ("Where does Gina live?", "in Porto", "lives in Porto", False),
        ("do you still cheat?", "and you still owe me lunch", "still cheats", False),
    ],
)
def test_an_answer_takes_its_words_from_a_question_about_its_author(asked, said, memory, kept):
    assert (why_not(memory, said, asked=asked, names=("Gina",)) is None) is kept
