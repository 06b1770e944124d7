"""What Kith learnt and forgot is told in short lines, in the person's language."""

from datetime import timedelta
from functools import partial

from cogs.console.memory_watch import changes_in_words
from tests.fakes.builders import NOON, make_memory
from utils.common.translation import translate
from utils.models.memory import Consent, Form, Status
from utils.models.recall import MemberView

HOME = make_memory("lives in Lisbon", id=1)


def view(*rows, past=None):
    """A member's view; the newest row comes first."""
    return MemberView("", rows, Consent.LASTING, past=past or {})


def changes(before, after, language="en", now=NOON):
    tr = partial(translate, language)
    return changes_in_words({row.id: row for row in before}, after, tr, now)


def test_a_quote_is_told_as_a_quote():
    quote = make_memory("Ich war gestern müde", id=3, form=Form.QUOTE)
    assert changes([], view(quote)) == ["+ “Ich war gestern müde”"]
    assert changes([], view(quote), "de") == ["+ „Ich war gestern müde“"]


def test_what_is_gone_was_forgotten_or_has_expired():
    assert changes([HOME], view()) == ["- forgot: lives in Lisbon"]
    assert changes([HOME], view(), "de") == ["- vergessen: lives in Lisbon"]
    ended = make_memory("is moving", id=4, expires_at=NOON - timedelta(days=1))
    assert changes([ended], view()) == ["- expired: is moving"]


def test_what_answers_may_not_use_is_not_told():
    assert changes([], view(make_memory("likes tea", id=5, status=Status.PROPOSED))) == []
