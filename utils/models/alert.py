"""Dataclasses of alerts: an incident in a channel, its messages, and what moderators did about it.

Alerts store ids, times and levels, never text. Reasons belong to the scores and are deleted with
them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from heapq import nlargest

from utils.models.sentiment import AlertTrigger, StoredScore

KITH = 0  # the actor id of automatic actions
NO_MEMBER = 0  # the member id of actions on a channel or on the alert itself
INCIDENT_WINDOW = timedelta(hours=1)  # further messages within it join the same alert


class AlertState(StrEnum):
    """The state of an alert. CASE: moderators opened a case; CLOSED: they closed that case."""

    OPEN = "open"
    CASE = "case"
    DISMISSED = "dismissed"
    FALSE_ALARM = "false alarm"
    CLOSED = "closed"


UNDECIDED = (AlertState.OPEN, AlertState.CASE)


class ActionKind(StrEnum):
    """What a moderator, or Kith, did about an alert."""

    TIME_OUT = "time out"
    WARN = "warn"
    SLOW_MODE = "slow mode"
    OPEN_CASE = "open case"
    CLOSE_CASE = "close case"
    DISMISS = "dismiss"
    FALSE_ALARM = "false alarm"
    AUTO_TIME_OUT = "automatic"
    WOULD_TIME_OUT = "dry run"
    END_SLOW_MODE = "end slow mode"
    SHOW_LINES = "show lines"  # never stored


@dataclass(frozen=True, slots=True)
class AlertAction:
    """One action by ``actor_id`` on the member ``user_id``.

    ``amount`` is the minutes of a timeout or the seconds of slow mode, otherwise 0. ``is_done`` is
    False while the action is being carried out. Of END_SLOW_MODE, ``user_id`` is the channel,
    ``at`` is when it is due, and ``amount`` is the slow mode to go back to.
    """

    kind: ActionKind
    user_id: int
    actor_id: int
    at: datetime
    amount: int = 0
    is_done: bool = True


def hottest(messages: Iterable[StoredScore], limit: int) -> list[StoredScore]:
    """Return the most heated messages, oldest first."""
    chosen = nlargest(limit, messages, key=lambda message: message.score.heat)
    return sorted(chosen, key=lambda message: message.message_id)


@dataclass(frozen=True, slots=True)
class Alert:
    """One incident in a watched channel (``place_id``), and its post in the log channel.

    ``level`` is the highest level that crossed ``threshold``. ``post_id`` is None until the alert
    is posted. ``messages`` are oldest first.
    """

    guild_id: int
    alert_id: int
    place_id: int
    state: AlertState
    trigger: AlertTrigger
    level: float
    threshold: float
    opened_at: datetime
    changed_at: datetime
    post_channel_id: int | None = None
    post_id: int | None = None
    decided_by: int = KITH
    messages: tuple[StoredScore, ...] = ()
    actions: tuple[AlertAction, ...] = ()

    @property
    def is_undecided(self) -> bool:
        """Whether moderators can still decide on it."""
        return self.state in UNDECIDED

    @property
    def member_ids(self) -> list[int]:
        """The authors of its messages, the most heated first."""
        heat_by_author: dict[int, float] = {}
        for message in self.messages:
            if message.user_id == NO_MEMBER:
                continue  # it showed somebody else's words
            known_heat = heat_by_author.get(message.user_id, 0.0)
            heat_by_author[message.user_id] = max(message.score.heat, known_heat)
        return sorted(heat_by_author, key=lambda user_id: -heat_by_author[user_id])

    def hottest_message(self, user_id: int | None = None) -> StoredScore | None:
        """Return the most heated message, of one member if given; None without any."""
        messages = [message for message in self.messages if user_id in (None, message.user_id)]
        return max(
            messages, key=lambda message: (message.score.heat, message.message_id), default=None
        )

    def action(self, kind: ActionKind, user_id: int = NO_MEMBER) -> AlertAction | None:
        """Return the action of that kind on a member (default: on the alert itself), if any."""
        matches = (
            action for action in self.actions if action.kind is kind and action.user_id == user_id
        )
        return next(matches, None)


@dataclass(frozen=True, slots=True)
class SlowModeEnd:
    """The end of slow mode that is due in a channel; it goes back to ``seconds``."""

    guild_id: int
    alert_id: int
    channel_id: int
    seconds: int


@dataclass(frozen=True, slots=True)
class AlertOutcome:
    """The moderators' decision on an alert: its trigger and level, and if it was a false alarm."""

    trigger: AlertTrigger
    level: float
    is_false: bool


@dataclass(frozen=True, slots=True)
class ThresholdSuggestion:
    """A higher threshold that would have avoided ``avoided`` of ``false_alarms``.

    It would also have missed ``missed`` of the ``real`` alerts.
    """

    triggers: Sequence[AlertTrigger]
    threshold: float
    avoided: int
    false_alarms: int
    missed: int
    real: int
