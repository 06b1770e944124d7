"""What raises an alert, what belongs to it, and which threshold its verdicts speak for. Pure."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from utils.model.alerts import Suggestion, Verdict
from utils.model.watch import Crossing, ScoredBatch, ScoredMessage, Signal, Subject

HOT = 0.5  # from which toxicity or tension on a message belongs to an alert that something raised
AUTO_WITHIN = timedelta(minutes=10)
TENSION = (Signal.CHANNEL_TENSION, Signal.MEMBER_TENSION)
TOXICITY = (Signal.TOXICITY,)
FEWEST_FALSE_ALARMS = 3
STEP, HIGHEST = 0.05, 0.95
WORTH_SPARING = 0.5  # of the false alarms
MOST_MISSED = 0.1  # of the real ones


def triggers(batch: ScoredBatch, seen_until: datetime | None) -> list[Crossing]:
    """Return what in a batch raises an alert: crossings, and what may lead to automatic action.

    What was said until ``seen_until`` a moderator has already decided on.
    """
    said_at = {one.message.message_id: one.message.created_at for one in batch.messages}
    found = list(batch.crossings)
    known = {one.message_id for one in found if one.signal is Signal.TOXICITY}
    for one in automatic(batch):
        if one.message.message_id not in known:
            author = Subject.of_member(batch.guild_id, one.message.author_id)
            level, limit = one.score.toxicity, batch.settings.auto_toxicity
            found.append(Crossing(Signal.TOXICITY, author, level, limit, one.message.message_id))
    return [one for one in found if _is_new(said_at.get(one.message_id), seen_until)]


def belonging(
    batch: ScoredBatch, raised: Sequence[Crossing], seen_until: datetime | None
) -> list[tuple[int, int]]:
    """Return the messages of a batch (id, author) that an alert is about, the worst first."""
    raising = {one.message_id for one in raised}
    found = [
        one
        for one in batch.messages
        if one.message.message_id in raising
        or (
            max(one.score.toxicity, one.score.tension) >= HOT
            and _is_new(one.message.created_at, seen_until)
        )
    ]
    found.sort(key=lambda one: -max(one.score.toxicity, one.score.tension))
    return [(one.message.message_id, one.message.author_id) for one in found]


def count_alerts(batches: Iterable[ScoredBatch], same_incident: timedelta) -> int:
    """Return how many alerts batches raise, the oldest first, if nobody decides on any."""
    lasting: dict[int, datetime] = {}
    count = 0
    for batch in batches:
        raised = triggers(batch, None)
        last = lasting.get(batch.place_id)
        is_same = last is not None and batch.at - last < same_incident
        if raised and not is_same:
            count += 1
        if raised or (is_same and belonging(batch, raised, None)):
            lasting[batch.place_id] = batch.at
    return count


def automatic(batch: ScoredBatch) -> list[ScoredMessage]:
    """Return the messages that the server's automatic action is for, one of each author.

    Only what was said just now: whoever is timed out should know why.
    """
    settings = batch.settings
    if not settings.auto_timeout:
        return []
    found: dict[int, ScoredMessage] = {}
    for one in batch.messages:
        is_recent = batch.at - one.message.created_at <= AUTO_WITHIN
        if is_recent and one.score.toxicity >= settings.auto_toxicity:
            found.setdefault(one.message.author_id, one)
    return list(found.values())


def suggest(
    verdicts: Sequence[Verdict], signals: Sequence[Signal], threshold: float
) -> Suggestion | None:
    """Return the lowest threshold that spares the most false alarms and nearly no real one.

    None while there are too few false alarms, or none that a threshold tells from real ones.
    """
    told = [one for one in verdicts if one.signal in signals and one.level >= threshold]
    false = [one.level for one in told if one.is_false]
    real = [one.level for one in told if not one.is_false]
    if len(false) < FEWEST_FALSE_ALARMS:
        return None
    best: Suggestion | None = None
    steps = int(round((HIGHEST - threshold) / STEP, 6))
    for step in range(1, steps + 1):
        level = round(threshold + step * STEP, 2)
        spared = sum(one < level for one in false)
        missed = sum(one < level for one in real)
        is_worth_it = spared >= WORTH_SPARING * len(false) and missed <= MOST_MISSED * len(real)
        if is_worth_it and (best is None or spared > best.spared):
            best = Suggestion(signals, level, spared, len(false), missed, len(real))
    return best


def _is_new(said_at: datetime | None, seen_until: datetime | None) -> bool:
    return seen_until is None or (said_at is not None and said_at > seen_until)
