"""Decaying tension per member and channel: how heated it is now, and its history.

**Formula.** A level T lies between 0 (calm) and 1 and has no unit. Between messages it halves
every half-life h (hours; 24 unless a server sets another):

    T(t) = T(t0) * 0.5 ** ((t - t0) / h)

A message with the score s (its ``tension``, 0 to 1) sent at t closes part of the gap to 1:

    T <- T + (1 - T) * GAIN * heat(s),   heat(s) = (max(0, s - FLOOR) / (1 - FLOOR)) ** 2

With GAIN = 0.2 and FLOOR = 0.3, a message at 1.0 closes a fifth of the gap, one at 0.6 about 4 %,
and one at 0.3 or less nothing. Many lukewarm messages weigh less than a few heated ones, and a
busy channel is not a tense one. A message that is analysed late counts only as much as the decay
has left of it. A member's level covers all watched channels of a server; a channel's level
includes its threads.

A level **crosses** a threshold when it reaches it, and can cross it again only after it has dropped
to REARM (0.8) times the threshold.

Levels are stored together with their scores in one unit of work. A restart loses at most the batch
that was being analysed, which is then analysed again.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from utils.database.core.engine import Connection, DatabaseService
from utils.database.memories import write_policies
from utils.database.sentiment import tension as tension_rows
from utils.models.memory import Event
from utils.models.sentiment import (
    DAYS_KEPT,
    NO_USER,
    AlertTrigger,
    HourPoint,
    ScoredMessage,
    StoredScore,
    TensionLevel,
    TensionSubject,
    ThresholdCrossing,
    WatchSettings,
)

GAIN = 0.2
FLOOR = 0.3
REARM = 0.8
CALM_BELOW = 0.01  # lower levels count as calm
MAX_HOURS = DAYS_KEPT * 24
MAX_SCORES = 20_000  # of one history, the newest
WARM_UP_HALF_LIVES = 6  # earlier messages contribute less than 2 % when a history begins
HOUR = timedelta(hours=1)


class TensionTracker(DatabaseService):
    """Tension levels of all servers, and their history."""

    async def tensest(
        self, guild_id: int, settings: WatchSettings, now: datetime
    ) -> list[TensionSubject]:
        """Return a server's channels that are not calm, the tensest first."""
        levels = await self._database.read(tension_rows.channel_levels, guild_id=guild_id)
        tension_by_channel = {
            subject: decayed(level, now, settings.half_life_hours)
            for subject, level in levels.items()
        }
        tense = [
            subject for subject, tension in tension_by_channel.items() if tension >= CALM_BELOW
        ]
        return sorted(tense, key=lambda subject: -tension_by_channel[subject])

    async def history(
        self, subject: TensionSubject, settings: WatchSettings, hours: int
    ) -> tuple[HourPoint, ...]:
        """Return the last hours (1 to 720) of a channel or member without gaps, oldest first."""
        now = self._clock.now()
        until = now.replace(minute=0, second=0, microsecond=0)
        hours = max(1, min(hours, MAX_HOURS))
        since = until - HOUR * (hours - 1)
        warm_up = WARM_UP_HALF_LIVES * timedelta(hours=settings.half_life_hours)
        scores = await self._database.read(
            tension_rows.newest_scores, subject=subject, since=since - warm_up, limit=MAX_SCORES
        )
        return hourly(scores, since, now, settings.half_life_hours)

    def store(
        self,
        connection: Connection,
        messages: Sequence[ScoredMessage],
        settings: WatchSettings,
    ) -> tuple[ThresholdCrossing, ...]:
        """Store the levels that a batch leads to, in the caller's unit of work.

        Returns the thresholds that it crosses.
        """
        if messages:  # a member's level changes in any channel, so a server is locked as a whole
            write_policies.lock(connection, messages[0].message.guild_id)
        subjects = {subject for scored in messages for subject in subjects_of(scored.message)}
        before = tension_rows.levels_of(connection, subjects)
        levels, crossings = apply_scores(before, messages, settings)
        tension_rows.save_levels(connection, levels)
        return crossings


def decayed(level: TensionLevel, now: datetime, half_life_hours: float) -> float:
    """Return a level after decay until ``now``; the level itself if ``now`` is before its time."""
    hours = max(0.0, (now - level.at) / HOUR)
    return float(level.value * 0.5 ** (hours / half_life_hours))


def raised(value: float, score: float, age_hours: float, half_life_hours: float) -> float:
    """Return a level after a message with that score that is ``age_hours`` old."""
    heat = (max(0.0, score - FLOOR) / (1.0 - FLOOR)) ** 2
    decay = 0.5 ** (max(0.0, age_hours) / half_life_hours)
    return float(min(1.0, value + (1.0 - value) * GAIN * heat * decay))


def apply_scores(
    levels: Mapping[TensionSubject, TensionLevel],
    messages: Iterable[ScoredMessage],
    settings: WatchSettings,
) -> tuple[dict[TensionSubject, TensionLevel], tuple[ThresholdCrossing, ...]]:
    """Return the levels after a batch, and the thresholds that it crosses. Pure."""
    changed: dict[TensionSubject, TensionLevel] = {}
    crossings: list[ThresholdCrossing] = []
    for scored in sorted(messages, key=lambda scored: scored.message.created_at):
        message, toxicity = scored.message, scored.score.toxicity
        if toxicity >= settings.toxicity_alert:
            crossings.append(
                ThresholdCrossing(
                    AlertTrigger.TOXICITY, toxicity, settings.toxicity_alert, message.message_id
                )
            )
        for subject in subjects_of(message):
            said_at = message.created_at
            before = changed.get(subject, levels.get(subject)) or TensionLevel(0.0, said_at)
            at = max(before.at, said_at)
            value = decayed(before, at, settings.half_life_hours)
            is_raised = before.is_raised and value >= REARM * settings.tension_alert
            age_hours = (at - said_at) / HOUR
            value = raised(value, scored.score.tension, age_hours, settings.half_life_hours)
            is_over = value >= settings.tension_alert
            changed[subject] = TensionLevel(value, at, is_raised or is_over)
            if is_over and not is_raised:
                trigger = (
                    AlertTrigger.CHANNEL_TENSION
                    if subject.is_channel
                    else AlertTrigger.MEMBER_TENSION
                )
                crossings.append(
                    ThresholdCrossing(trigger, value, settings.tension_alert, message.message_id)
                )
    return changed, tuple(crossings)


def subjects_of(message: Event) -> tuple[TensionSubject, ...]:
    """Return whose tension a message changes: its channel's, and its author's if it is theirs."""
    channel = TensionSubject.channel(message.guild_id, message.source_id)
    if message.author_id == NO_USER:
        return (channel,)
    return channel, TensionSubject.of_member(message.guild_id, message.author_id)


def hourly(
    scores: Iterable[StoredScore], since: datetime, now: datetime, half_life_hours: float
) -> tuple[HourPoint, ...]:
    """Return the hours from ``since`` (a full hour) to the current one, without gaps. Pure.

    Scores from before ``since`` only raise the level with which the first hour begins.
    """
    ordered = sorted(scores, key=lambda score: score.said_at)
    level, at, index = 0.0, since, 0
    if ordered:
        at = min(ordered[0].said_at, since)
    points: list[HourPoint] = []
    hour = since
    while hour <= now:
        end = min(hour + HOUR, now)
        in_hour: list[StoredScore] = []
        peak = decayed(TensionLevel(level, at), max(hour, at), half_life_hours)
        while index < len(ordered) and ordered[index].said_at < hour + HOUR:
            stored = ordered[index]
            level = decayed(TensionLevel(level, at), stored.said_at, half_life_hours)
            level = raised(level, stored.score.tension, 0.0, half_life_hours)
            at = stored.said_at
            index += 1
            if at >= hour:
                peak = max(peak, level)
                in_hour.append(stored)
            else:  # from before the first hour
                peak = decayed(TensionLevel(level, at), hour, half_life_hours)
        tension = decayed(TensionLevel(level, at), end, half_life_hours)
        toxicity = max((stored.score.toxicity for stored in in_hour), default=0.0)
        points.append(HourPoint(hour, tension, max(peak, tension), toxicity, len(in_hour)))
        hour += HOUR
    return tuple(points)
