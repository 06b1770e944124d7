"""Which messages raise an alert or belong to one, and which thresholds to suggest. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from utils.models.alert import AlertOutcome, ThresholdSuggestion
from utils.models.sentiment import (
    NO_USER,
    AlertTrigger,
    ScoredBatch,
    ScoredMessage,
    ThresholdCrossing,
)

HEATED_SCORE = 0.5  # toxicity or tension from which a message joins an alert raised by others
AUTO_ACTION_WITHIN = timedelta(minutes=10)
TENSION = (AlertTrigger.CHANNEL_TENSION, AlertTrigger.MEMBER_TENSION)
TOXICITY = (AlertTrigger.TOXICITY,)
MIN_FALSE_ALARMS = 3
THRESHOLD_STEP, MAX_THRESHOLD = 0.05, 0.95
MIN_AVOIDED_SHARE = 0.5  # of the false alarms
MAX_MISSED_SHARE = 0.1  # of the real alerts


def alert_crossings(batch: ScoredBatch, decided_until: datetime | None) -> list[ThresholdCrossing]:
    """Return the crossings in a batch that raise an alert or call for automatic action.

    Leaves out messages sent until ``decided_until``: a moderator has already decided on them.
    """
    sent_at = {scored.message.message_id: scored.message.created_at for scored in batch.messages}
    crossings = list(batch.crossings)
    toxic_ids = {
        crossing.message_id for crossing in crossings if crossing.trigger is AlertTrigger.TOXICITY
    }
    for scored in automatic_targets(batch):
        message = scored.message
        if message.message_id not in toxic_ids:
            crossings.append(
                ThresholdCrossing(
                    AlertTrigger.TOXICITY,
                    scored.score.toxicity,
                    batch.settings.auto_toxicity,
                    message.message_id,
                )
            )
    return [
        crossing
        for crossing in crossings
        if _is_undecided(sent_at.get(crossing.message_id), decided_until)
    ]


def alert_messages(
    batch: ScoredBatch, raised: Sequence[ThresholdCrossing], decided_until: datetime | None
) -> list[tuple[int, int]]:
    """Return the messages (id, author) of a batch that belong to an alert, the worst first."""
    raising_ids = {crossing.message_id for crossing in raised}
    matches = [
        scored
        for scored in batch.messages
        if scored.message.message_id in raising_ids
        or (
            scored.score.heat >= HEATED_SCORE
            and _is_undecided(scored.message.created_at, decided_until)
        )
    ]
    matches.sort(key=lambda scored: scored.score.heat, reverse=True)
    return [(scored.message.message_id, scored.message.author_id) for scored in matches]


def automatic_targets(batch: ScoredBatch) -> list[ScoredMessage]:
    """Return the messages that call for the server's automatic action, one per author.

    Only recent messages count: a member who is timed out should know why.
    """
    settings = batch.settings
    if not settings.auto_timeout:
        return []
    targets: dict[int, ScoredMessage] = {}
    for scored in batch.messages:
        is_recent = batch.at - scored.message.created_at <= AUTO_ACTION_WITHIN
        is_own = scored.message.author_id != NO_USER
        if is_own and is_recent and scored.score.toxicity >= settings.auto_toxicity:
            targets.setdefault(scored.message.author_id, scored)
    return list(targets.values())


def suggest(
    outcomes: Sequence[AlertOutcome], triggers: Sequence[AlertTrigger], threshold: float
) -> ThresholdSuggestion | None:
    """Return the lowest threshold that avoids the most false alarms and misses few real alerts.

    Returns None if there are too few false alarms, or no threshold separates them from real ones.
    """
    relevant = [
        outcome
        for outcome in outcomes
        if outcome.trigger in triggers and outcome.level >= threshold
    ]
    false_levels = [outcome.level for outcome in relevant if outcome.is_false]
    real_levels = [outcome.level for outcome in relevant if not outcome.is_false]
    if len(false_levels) < MIN_FALSE_ALARMS:
        return None
    best: ThresholdSuggestion | None = None
    steps = int(round((MAX_THRESHOLD - threshold) / THRESHOLD_STEP, 6))
    for step in range(1, steps + 1):
        candidate = round(threshold + step * THRESHOLD_STEP, 2)
        avoided = sum(level < candidate for level in false_levels)
        missed = sum(level < candidate for level in real_levels)
        is_useful = avoided >= MIN_AVOIDED_SHARE * len(
            false_levels
        ) and missed <= MAX_MISSED_SHARE * len(real_levels)
        if is_useful and (best is None or avoided > best.avoided):
            best = ThresholdSuggestion(
                triggers, candidate, avoided, len(false_levels), missed, len(real_levels)
            )
    return best


def _is_undecided(sent_at: datetime | None, decided_until: datetime | None) -> bool:
    return decided_until is None or (sent_at is not None and sent_at > decided_until)
