"""Why nothing was noted of a message: one reason for each message of a burst."""

from collections import Counter

from tests.fakes.builders import make_event
from utils.memory.extraction.receipts import receipts_of
from utils.memory.policy.categories import DEFAULT_CATEGORIES
from utils.models.plan import Plan


def said(number: int, text: str):
    return make_event(text, id=number, message_id=100 + number)


def test_a_receipt_does_not_say_what_the_filter_found():
    plan = Plan(refused=Counter({"health": 2, "repeated": 1}))
    events = [said(1, "I have diabetes"), said(2, "I still live in Lisbon")]
    assert receipts_of(plan, events, DEFAULT_CATEGORIES) == {1: "safety", 2: "repeated"}


def test_what_nothing_was_refused_of_holds_no_statement():
    assert receipts_of(Plan(), [said(1, "what a day")], DEFAULT_CATEGORIES) == {1: "no statement"}
