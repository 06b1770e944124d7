"""What the operator did from the dashboard is told to members and moderators as such."""

from datetime import UTC

from cogs.memory.display import Display
from cogs.memory.pages import Subject, memory_pages
from cogs.moderation.review_texts import decision_text
from tests.fakes.clock import NOON
from utils.models.memory import Consent
from utils.models.operator import OPERATOR
from utils.models.policy import Outcome, Review
from utils.models.recall import MemberView
from utils.models.transfer import AuditEntry


def test_a_look_of_the_operators_is_no_moderators():
    views = (AuditEntry(NOON, OPERATOR, "viewed"), AuditEntry(NOON, 77, "viewed"))
    (page,) = memory_pages(
        MemberView("", (), Consent.LASTING, views=views), Display(NOON, UTC), Subject()
    )
    assert "My operator looked at this just now." in page
    assert "A moderator (<@77>) looked at this just now." in page
    assert "-1" not in page


def test_a_decision_of_the_operators_is_no_moderators():
    assert decision_text(5, Review(Outcome.APPROVED, OPERATOR)).endswith("by my operator.")
    assert "by <@77>, and erased" in decision_text(5, Review(Outcome.REJECTED, 77))
    assert "<@77> changed its text" in decision_text(5, Review(Outcome.EDITED, 77))
