"""The last turns that may not be stored: in process memory only, a few for each channel, for hours.

What a member with consent off writes, or one whom moderators had ignored, or anybody in a frozen
server, and what Kith answers with such words in mind. They stand among the channel's last turns
like any others, so that Kith can follow the conversation; they never reach the database, nor a
summary, and are gone when the process ends. Pure but for the clock's time.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from datetime import timedelta

from utils.clock import Clock
from utils.model.memory import Event, Member, Role

MOST_TURNS = 10
MOST_CHANNELS = 1_000
LONGEST = timedelta(hours=6)

Place = tuple[int, int]


class FleetingRoom:
    """Holds such turns by server and channel; whoever spoke there last stays longest."""

    def __init__(self, clock: Clock, most_channels: int = MOST_CHANNELS) -> None:
        self._clock = clock
        self._most_channels = most_channels
        self._turns: OrderedDict[Place, deque[Event]] = OrderedDict()

    def hear(self, event: Event) -> None:
        """Keep a turn, in its newest words, until further ones or the hours push it out."""
        if not event.text:
            return
        place = event.guild_id, event.channel_id
        self._let_go(lambda turn: _is_same(turn, event))
        self._turns.setdefault(place, deque(maxlen=MOST_TURNS)).append(event)
        self._turns.move_to_end(place)
        while len(self._turns) > self._most_channels:
            self._turns.popitem(last=False)

    def turns(self, guild_id: int, channel_id: int) -> list[Event]:
        """Return what is kept of a channel, oldest first."""
        oldest = self._clock.now() - LONGEST
        self._let_go(lambda turn: turn.created_at <= oldest)
        return list(self._turns.get((guild_id, channel_id), ()))

    def delete(self, guild_id: int, message_ids: Sequence[int]) -> None:
        """Let messages go, and all that Kith has said since: it may have told of them."""
        gone, first = set(message_ids), min(message_ids, default=0)
        self._let_go(
            lambda turn: (
                turn.guild_id == guild_id
                and (turn.message_id in gone or (_is_kiths(turn) and turn.message_id > first))
            )
        )

    def edit(self, event: Event) -> None:
        """Do the same with a message that says something else now; keep it in its new words."""
        place = event.guild_id, event.channel_id
        is_here = any(_is_same(turn, event) for turn in self._turns.get(place, ()))
        self.delete(event.guild_id, [event.message_id])
        if is_here:
            self.hear(event)

    def delete_places(self, guild_id: int, channel_ids: Sequence[int]) -> None:
        """Let everything go that was said in channels and their threads."""
        ids = set(channel_ids)
        self._let_go(
            lambda turn: turn.guild_id == guild_id and bool(ids & {turn.channel_id, turn.source_id})
        )

    def let_go(self, member: Member, *, only_answers: bool = False) -> None:
        """Let everything go that a member said, and all that Kith said with them in mind."""

        def is_gone(turn: Event) -> bool:
            if _is_kiths(turn):
                return turn.guild_id == member.guild_id and member.user_id in turn.about_ids
            return turn.member == member and not only_answers

        self._let_go(is_gone)

    def _let_go(self, is_gone: Callable[[Event], bool]) -> None:
        for place, turns in list(self._turns.items()):
            kept = [turn for turn in turns if not is_gone(turn)]
            if not kept:
                del self._turns[place]
            elif len(kept) < len(turns):
                self._turns[place] = deque(kept, MOST_TURNS)


def merged(stored: Sequence[Event], fleeting: Sequence[Event]) -> list[Event]:
    """Return all turns of a channel in the order in which they were said."""
    known = {turn.message_id for turn in stored}
    others = [turn for turn in fleeting if turn.message_id not in known]
    return sorted([*stored, *others], key=lambda turn: turn.message_id) if others else [*stored]


def _is_kiths(turn: Event) -> bool:
    return turn.role is Role.KITH


def _is_same(turn: Event, event: Event) -> bool:
    return (turn.guild_id, turn.message_id) == (event.guild_id, event.message_id)
