"""Recent turns that may not be stored: kept in process memory, a few per channel, for hours.

These are turns of members with consent off, of ignored members and of frozen servers, and Kith's
answers to them. Kith sees them among a channel's last turns, so that it can follow the
conversation. They never reach the database or a summary, and are gone when the process ends. Pure
except for the clock.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from utils.common.clock import Clock
from utils.models.memory import Event, Member, Role

MAX_TURNS = 10
MAX_CHANNELS = 1_000
MAX_AGE = timedelta(hours=6)

ChannelKey = tuple[int, int]
"""Guild id and channel id."""


class EphemeralTurns:
    """Holds unstored turns by channel; drops the channels that have been quiet longest."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turns: OrderedDict[ChannelKey, deque[Event]] = OrderedDict()

    def add(self, event: Event) -> None:
        """Add a turn, or replace its earlier revision."""
        if not event.text:
            return
        channel = event.guild_id, event.channel_id
        self._erase_where(lambda turn: _is_same(turn, event))
        self._turns.setdefault(channel, deque(maxlen=MAX_TURNS)).append(event)
        self._turns.move_to_end(channel)
        while len(self._turns) > MAX_CHANNELS:
            self._turns.popitem(last=False)

    def turns(self, guild_id: int, channel_id: int) -> list[Event]:
        """Return a channel's turns, oldest first."""
        oldest = self._clock.now() - MAX_AGE
        self._erase_where(lambda turn: turn.created_at <= oldest)
        return list(self._turns.get((guild_id, channel_id), ()))

    def delete(self, guild_id: int, message_ids: Sequence[int]) -> None:
        """Delete messages, and all later answers of Kith's, which may repeat them."""
        ids, first_id = set(message_ids), min(message_ids, default=0)
        self._erase_where(
            lambda turn: (
                turn.guild_id == guild_id
                and (turn.message_id in ids or (_is_kiths(turn) and turn.message_id > first_id))
            )
        )

    def edit(self, event: Event) -> None:
        """Replace an edited message, and delete all later answers of Kith's."""
        channel = event.guild_id, event.channel_id
        is_here = any(_is_same(turn, event) for turn in self._turns.get(channel, ()))
        self.delete(event.guild_id, [event.message_id])
        if is_here:
            self.add(event)

    def delete_channels(self, guild_id: int, channel_ids: Sequence[int]) -> None:
        """Delete all turns of channels and their threads."""
        ids = set(channel_ids)
        self._erase_where(
            lambda turn: turn.guild_id == guild_id and bool(ids & {turn.channel_id, turn.source_id})
        )

    def erase(
        self, member: Member, *, only_answers: bool = False, until: datetime | None = None
    ) -> None:
        """Erase a member's turns, and Kith's answers that may repeat them.

        ``until``: only those up to this time.
        """

        def is_erased(turn: Event) -> bool:
            if until is not None and turn.created_at > until:
                return False
            if _is_kiths(turn):
                return turn.guild_id == member.guild_id and member.user_id in turn.repeated_ids
            return turn.member == member and not only_answers

        self._erase_where(is_erased)

    def _erase_where(self, is_erased: Callable[[Event], bool]) -> None:
        for channel, turns in list(self._turns.items()):
            remaining = [turn for turn in turns if not is_erased(turn)]
            if not remaining:
                del self._turns[channel]
            elif len(remaining) < len(turns):
                self._turns[channel] = deque(remaining, MAX_TURNS)


def merged(stored: Sequence[Event], ephemeral: Sequence[Event]) -> list[Event]:
    """Return all turns of a channel in the order of their messages."""
    stored_ids = {turn.message_id for turn in stored}
    unstored = [turn for turn in ephemeral if turn.message_id not in stored_ids]
    return sorted([*stored, *unstored], key=lambda turn: turn.message_id) if unstored else [*stored]


def _is_kiths(turn: Event) -> bool:
    return turn.role is Role.KITH


def _is_same(turn: Event, event: Event) -> bool:
    return (turn.guild_id, turn.message_id) == (event.guild_id, event.message_id)
