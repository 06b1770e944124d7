"""Decaying tension per member and channel: how heated it is now, and how it came to that.

**Formula.** A level T lies between 0 (calm) and 1 and has no unit. Between messages it halves
every half-life h (hours, 24 unless a server chose otherwise):

    T(t) = T(t0) * 0.5 ** ((t - t0) / h)

A message with the score s (its ``tension``, 0 to 1) said at t closes part of the gap to 1:

    T <- T + (1 - T) * GAIN * heat(s),   heat(s) = (max(0, s - FLOOR) / (1 - FLOOR)) ** 2

With GAIN = 0.2 and FLOOR = 0.3, a message at 1.0 closes a fifth of the gap, one at 0.6 a twenty-
fifth, and one at 0.3 or less nothing: many lukewarm messages weigh less than a few heated ones,
and a busy channel is not a tense one. A message that is analysed late counts as much as is left of
it. A member's level is theirs over all watched channels of a server; a channel's includes its
threads.

A level **crosses** a threshold when it rises to it or over it, and not again before it has come
down to REARM (0.8) times the threshold.

Levels are stored with the scores they come from, in one unit of work, so a restart loses at most
the batch that was being analysed, which is then analysed again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from utils.clock import Clock
from utils.database import policies
from utils.database import tension as stored
from utils.database.engine import Database, Session
from utils.model.watch import (
    Crossing,
    History,
    HourPoint,
    Level,
    ScoredMessage,
    Signal,
    StoredScore,
    Subject,
    WatchedMessage,
    WatchSettings,
)

GAIN = 0.2
FLOOR = 0.3
REARM = 0.8
CALM_BELOW = 0.01  # what is less is as good as nothing, and its row goes
MOST_HOURS = 30 * 24
MOST_SCORES = 20_000  # of one history; the newest
SETTLING_HALF_LIVES = 6  # what was said earlier leaves less than 2 % at a history's beginning
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Risen:
    """What a batch did: the levels it led to, and what they crossed."""

    levels: Mapping[Subject, Level]
    crossings: tuple[Crossing, ...]


class DramaTracker:
    """The levels of every server this process knows, copied from the database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._levels: dict[Subject, Level] = {}

    async def start(self) -> None:
        """Load every level that still means anything; again, now and then, to see what others did.

        Whatever was erased meanwhile is gone from here too.
        """
        self._levels = await self._database.read(stored.load_levels)

    def tension(self, subject: Subject, settings: WatchSettings, now: datetime) -> float:
        """Return how tense it is around a channel or member now, 0 to 1."""
        level = self._levels.get(subject)
        return 0.0 if level is None else decayed(level, now, settings.half_life_hours)

    def tensest(self, guild_id: int, settings: WatchSettings, now: datetime) -> list[Subject]:
        """Return a server's channels that are not calm, the tensest first."""
        found = [one for one in self._levels if one.guild_id == guild_id and one.is_channel]
        found = [one for one in found if self.tension(one, settings, now) >= CALM_BELOW]
        return sorted(found, key=lambda one: -self.tension(one, settings, now))

    async def history(self, subject: Subject, settings: WatchSettings, hours: int) -> History:
        """Return the last hours of a channel or member (1 to 720), worked out from their scores."""
        now = self._clock.now()
        until = hour_of(now)
        hours = max(1, min(hours, MOST_HOURS))
        since = until - HOUR * (hours - 1)
        settling = SETTLING_HALF_LIVES * timedelta(hours=settings.half_life_hours)
        scores = await self._database.read(
            partial(stored.scores_of, subject=subject, since=since - settling, limit=MOST_SCORES)
        )
        points = hourly(scores, since, now, settings.half_life_hours)
        return History(subject, points)

    def store(
        self,
        session: Session,
        messages: Sequence[ScoredMessage],
        settings: WatchSettings,
    ) -> Risen:
        """Store what a batch does to the levels, in the caller's unit of work.

        Call :meth:`keep` with the result once the unit of work is done.
        """
        if messages:  # a member's level rises in every channel: one at a time in a server
            policies.lock(session, messages[0].message.guild_id)
        subjects = {one for scored in messages for one in subjects_of(scored.message)}
        risen = rise(stored.levels_of(session, subjects), messages, settings)
        stored.save_levels(session, risen.levels)
        return risen

    def keep(self, levels: Mapping[Subject, Level]) -> None:
        """Take over levels that are stored now."""
        self._levels.update(levels)


def decayed(level: Level, now: datetime, half_life_hours: float) -> float:
    """Return what is left of a level; before its own time, the level itself."""
    hours = max(0.0, (now - level.at) / HOUR)
    return float(level.value * 0.5 ** (hours / half_life_hours))


def raised(value: float, score: float, age_hours: float, half_life_hours: float) -> float:
    """Return a level after a message with that score that was said so many hours before it."""
    heat = (max(0.0, score - FLOOR) / (1.0 - FLOOR)) ** 2
    left = 0.5 ** (max(0.0, age_hours) / half_life_hours)
    return float(min(1.0, value + (1.0 - value) * GAIN * heat * left))


def rise(
    levels: Mapping[Subject, Level],
    messages: Iterable[ScoredMessage],
    settings: WatchSettings,
) -> Risen:
    """Return the levels that a batch leads to, and what it crosses on the way. Pure."""
    changed: dict[Subject, Level] = {}
    crossings: list[Crossing] = []
    for scored in sorted(messages, key=lambda one: one.message.created_at):
        message, toxicity = scored.message, scored.score.toxicity
        if toxicity >= settings.toxicity_alert:
            author = Subject.of_member(message.guild_id, message.author_id)
            limit = settings.toxicity_alert
            crossings.append(Crossing(Signal.TOXICITY, author, toxicity, limit, message.message_id))
        for subject in subjects_of(message):
            before = changed.get(subject, levels.get(subject))
            changed[subject], is_crossed = _after(before, scored, settings)
            if is_crossed:
                signal = Signal.CHANNEL_TENSION if subject.is_channel else Signal.MEMBER_TENSION
                level, limit = changed[subject].value, settings.tension_alert
                crossings.append(Crossing(signal, subject, level, limit, message.message_id))
    return Risen(changed, tuple(crossings))


def subjects_of(message: WatchedMessage) -> tuple[Subject, Subject]:
    """Return whose tension a message concerns: the watched channel's and its author's."""
    return (
        Subject.channel(message.guild_id, message.place_id),
        Subject.of_member(message.guild_id, message.author_id),
    )


def hourly(
    scores: Iterable[StoredScore], since: datetime, now: datetime, half_life_hours: float
) -> tuple[HourPoint, ...]:
    """Return the hours from ``since`` (a whole one) to the one at hand, without gaps. Pure.

    ``scores`` from before that only lift the level with which the first hour begins.
    """
    left = sorted(scores, key=lambda one: one.said_at)
    level, at, taken = 0.0, since, 0
    if left:
        at = min(left[0].said_at, since)
    points: list[HourPoint] = []
    hour = since
    while hour <= now:
        end = min(hour + HOUR, now)
        said: list[StoredScore] = []
        peak = decayed(Level(level, at), max(hour, at), half_life_hours)
        while taken < len(left) and left[taken].said_at < hour + HOUR:
            one = left[taken]
            level = decayed(Level(level, at), one.said_at, half_life_hours)
            level = raised(level, one.score.tension, 0.0, half_life_hours)
            at = one.said_at
            taken += 1
            if at >= hour:
                peak = max(peak, level)
                said.append(one)
            else:  # from before the first hour
                peak = decayed(Level(level, at), hour, half_life_hours)
        points.append(_point(hour, decayed(Level(level, at), end, half_life_hours), peak, said))
        hour += HOUR
    return tuple(points)


def hour_of(at: datetime) -> datetime:
    """Return the beginning of a time's hour."""
    return at.replace(minute=0, second=0, microsecond=0)


def _after(
    before: Level | None, scored: ScoredMessage, settings: WatchSettings
) -> tuple[Level, bool]:
    """Return a level after one message, and whether that crossed the threshold."""
    said_at, half_life = scored.message.created_at, settings.half_life_hours
    before = before or Level(0.0, said_at)
    at = max(before.at, said_at)
    value = decayed(before, at, half_life)
    is_raised = before.is_raised and value >= REARM * settings.tension_alert
    value = raised(value, scored.score.tension, (at - said_at) / HOUR, half_life)
    is_over = value >= settings.tension_alert
    return Level(value, at, is_raised or is_over), is_over and not is_raised


def _point(hour: datetime, tension: float, peak: float, said: Sequence[StoredScore]) -> HourPoint:
    return HourPoint(
        hour=hour,
        tension=tension,
        peak=max(peak, tension),
        toxicity=max((one.score.toxicity for one in said), default=0.0),
        sentiment=sum(one.score.sentiment for one in said) / len(said) if said else None,
        messages=len(said),
    )
