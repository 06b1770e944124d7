"""What Kith learnt and forgot is told in short lines, in the person's language."""

from datetime import timedelta
from functools import partial

from cogs.bot.translation import translate
from cogs.console.memory_watch import changes_in_words, own_name
from tests.fakes.builders import NOON, make_memory
from tests.rows import each_row
from utils.models.memory import Consent, Form, Status
from utils.models.recall import MemberView

HOME = make_memory("lives in Lisbon", id=1)
MOVED = make_memory("lives in Porto", id=2)


def view(*rows, past=None):
    """A member's view; the newest row comes first."""
    return MemberView("", rows, Consent.LASTING, past=past or {})


def changes(before, after, language="en", now=NOON):
    tr = partial(translate, language)
    return changes_in_words({row.id: row for row in before}, after, tr, now)


def test_new_memories_are_told_in_their_order():
    assert changes([], view(MOVED, HOME)) == ["+ lives in Lisbon", "+ lives in Porto"]
    assert changes([HOME], view(HOME)) == []


def test_a_quote_is_told_as_a_quote():
    quote = make_memory("Ich war gestern müde", id=3, form=Form.QUOTE)
    assert changes([], view(quote)) == ["+ “Ich war gestern müde”"]
    assert changes([], view(quote), "de") == ["+ „Ich war gestern müde“"]


@each_row(
    ("language", "line"),
    [
        ("en", "~ corrected: lives in Porto (before: lives in Lisbon)"),
        ("de", "~ berichtigt: lives in Porto (vorher: lives in Lisbon)"),
        ("fr", "~ corrected: lives in Porto (before: lives in Lisbon)"),
    ],
)
def test_a_correction_is_one_line(language, line):
    assert changes([HOME], view(MOVED, past={2: HOME}), language) == [line]


def test_what_is_gone_was_forgotten_or_has_expired():
    assert changes([HOME], view()) == ["- forgot: lives in Lisbon"]
    assert changes([HOME], view(), "de") == ["- vergessen: lives in Lisbon"]
    ended = make_memory("is moving", id=4, expires_at=NOON - timedelta(days=1))
    assert changes([ended], view()) == ["- expired: is moving"]


def test_what_answers_may_not_use_is_not_told():
    assert changes([], view(make_memory("likes tea", id=5, status=Status.PROPOSED))) == []


@each_row(
    ("text", "name"),
    [("name is Sam", "Sam"), ("heißt Anna Lena", "Anna Lena"), ("name is 小明", "小明"),
     ("is called nothing", None)],
)  # fmt: skip
def test_the_name_that_somebody_gave_themselves(text, name):
    assert own_name([make_memory(text, id=6, fact_key="name")]) == name
    assert own_name([make_memory(text, id=6, fact_key="home")]) is None
