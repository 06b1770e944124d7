"""How often an answer is offered something to ask about. Pure."""

from datetime import datetime, timedelta

from utils.models.episode import OpenLoop

MAX_OFFERS = 3
OFFER_WINDOW = timedelta(days=14)
LAST_OFFER_AFTER = timedelta(hours=8)
"""The last offer waits for a later conversation."""


def may_offer(loop: OpenLoop, now: datetime) -> bool:
    """Whether an answer may ask about a loop: at most three offers, within two weeks."""
    if loop.first_offered_at is None or loop.last_offered_at is None:
        return True
    if loop.offers >= MAX_OFFERS or now - loop.first_offered_at >= OFFER_WINDOW:
        return False
    return loop.offers < MAX_OFFERS - 1 or now - loop.last_offered_at >= LAST_OFFER_AFTER
