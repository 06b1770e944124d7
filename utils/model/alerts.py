"""What alerts are made of: an incident in a channel, its messages, and what was done about it.

Stored are ids, times and levels, never words; the reasons come with the scores and go with them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from utils.model.watch import Score, Signal

KITH = 0  # the actor of what nobody pressed
NO_MEMBER = 0  # whom an act on a channel or an alert concerns
SAME_INCIDENT = timedelta(hours=1)


class AlertState(StrEnum):
    """How an alert stands. CASE: moderators keep an eye on it; CLOSED: such a case was closed."""

    OPEN = "open"
    CASE = "case"
    DISMISSED = "dismissed"
    FALSE_ALARM = "false alarm"
    CLOSED = "closed"


UNDECIDED = (AlertState.OPEN, AlertState.CASE)


class Act(StrEnum):
    """What was done about an alert."""

    TIME_OUT = "time out"
    WARN = "warn"
    SLOW_MODE = "slow mode"
    OPEN_CASE = "open case"
    CLOSE_CASE = "close case"
    DISMISS = "dismiss"
    FALSE_ALARM = "false alarm"
    AUTO_TIME_OUT = "automatic"
    WOULD_TIME_OUT = "dry run"


@dataclass(frozen=True, slots=True)
class Action:
    """One act: who (``actor_id``), on whom (``user_id``), what, when.

    ``amount`` is minutes of a time-out or seconds of slow mode, 0 for the rest. ``is_done`` is
    False while somebody is at it.
    """

    act: Act
    user_id: int
    actor_id: int
    at: datetime
    amount: int = 0
    is_done: bool = True


@dataclass(frozen=True, slots=True)
class AlertMessage:
    """A message that an alert is about, with its score."""

    message_id: int
    channel_id: int
    user_id: int
    said_at: datetime
    score: Score

    @property
    def heat(self) -> float:
        """How bad it is: whichever is worse, toxicity or tension."""
        return max(self.score.toxicity, self.score.tension)


@dataclass(frozen=True, slots=True)
class Alert:
    """One incident in a watched channel (``place_id``), and the post in which moderators see it.

    ``level`` is the highest that crossed ``threshold``. ``post_id`` is None until it is posted;
    ``messages`` are the oldest first.
    """

    guild_id: int
    alert_id: int
    place_id: int
    state: AlertState
    signal: Signal
    level: float
    threshold: float
    opened_at: datetime
    changed_at: datetime
    post_channel_id: int | None = None
    post_id: int | None = None
    decided_by: int = KITH
    messages: tuple[AlertMessage, ...] = ()
    actions: tuple[Action, ...] = ()

    @property
    def is_undecided(self) -> bool:
        """Whether there is still something to press."""
        return self.state in UNDECIDED

    @property
    def member_ids(self) -> list[int]:
        """Whose messages it is about, the most heated first."""
        hottest: dict[int, float] = {}
        for one in self.messages:
            hottest[one.user_id] = max(one.heat, hottest.get(one.user_id, 0.0))
        return sorted(hottest, key=lambda user_id: -hottest[user_id])

    def hottest_of(self, user_id: int | None = None) -> AlertMessage | None:
        """Return the most heated message, of everybody or of one member; None without any."""
        theirs = [one for one in self.messages if user_id in (None, one.user_id)]
        return max(theirs, key=lambda one: (one.heat, one.message_id), default=None)

    def action(self, act: Act, user_id: int = NO_MEMBER) -> Action | None:
        """Return what was done of a kind, to a member or at all."""
        return next((one for one in self.actions if (one.act, one.user_id) == (act, user_id)), None)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of a batch: the alert that it belongs to, and whether it is a new one."""

    alert_id: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """How moderators took an alert: what crossed which level, and whether it was a false alarm."""

    signal: Signal
    level: float
    is_false: bool


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A threshold that would have spared false alarms: ``spared`` of ``false_alarms``.

    ``missed`` of the ``real`` alerts would not have been raised by it.
    """

    signals: Sequence[Signal]
    threshold: float
    spared: int
    false_alarms: int
    missed: int
    real: int
