"""What the operator did from the dashboard is told to members and moderators as such."""

from datetime import UTC

from cogs.memory_pages import memory_pages
from cogs.review import decided_in_words
from tests.fakes.clock import NOON
from utils.memory.transfer import _deed_line
from utils.model.memory import Consent
from utils.model.operator import OPERATOR
from utils.model.policy import Outcome, Review
from utils.model.recall import Shown
from utils.model.transfer import Deed


def test_a_look_of_the_operators_is_no_moderators():
    views = (Deed(NOON, OPERATOR, "viewed"), Deed(NOON, 77, "viewed"))
    (page,) = memory_pages(Shown("", (), Consent.LASTING, views=views), NOON, UTC)
    assert "My operator looked at this just now." in page
    assert "A moderator (<@77>) looked at this just now." in page
    assert "-1" not in page


def test_a_decision_of_the_operators_is_no_moderators():
    assert decided_in_words(5, Review(Outcome.APPROVED, OPERATOR)).endswith("by my operator.")
    assert "by <@77>, and erased" in decided_in_words(5, Review(Outcome.REJECTED, 77))


def test_an_export_names_who_did_something():
    line = _deed_line(Deed(NOON, OPERATOR, "changed", 5), 10, UTC)
    assert line.endswith("changed #5 by Kith's operator")
