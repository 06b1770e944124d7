"""Recent turns that may not be stored: kept in process memory, a few per channel, for hours.

These are turns of members with consent off, of ignored members and of frozen servers, and Kith's
answers to them. Kith sees them among a channel's last turns, so that it can follow the
conversation. They never reach the database or a summary, and are gone when the process ends. Nor
is a later answer stored that repeats a word of them, alone or in a compound. Pure except for the
clock.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from utils.common.clock import Clock
from utils.models.memory import Event, Member, Role
from utils.nlp.confidential import is_confidential, owners_of, with_owners
from utils.nlp.stemming import stems

MAX_TURNS = 10
MAX_CHANNELS = 1_000
MAX_AGE = timedelta(hours=6)
MIN_PART = 5
"""Letters of a part of a word that counts as repeated."""

ChannelKey = tuple[int, int]
"""Guild id and channel id."""
Post = tuple[int, int]
"""The channel id and message id of an answer of Kith's."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A turn until it is dropped, with the stems that may not be stored.

    Of an answer to a message that is stored, these are only the ones that it repeats, and it goes
    with the turns that it has them from: otherwise a common word would keep every later answer from
    being stored.
    """

    turn: Event
    words: frozenset[str]
    until: datetime


@dataclass(eq=False, repr=False)
class EphemeralTurns:
    """Holds unstored turns by channel; drops the channels that have been quiet longest."""

    _clock: Clock
    _held: OrderedDict[ChannelKey, deque[_Held]] = field(default_factory=OrderedDict, init=False)

    def add(self, event: Event) -> None:
        """Add a turn, or replace its earlier revision.

        It is marked with whose confidence it is, or rests on: it may outlast what it rests on.
        """
        if not event.text:
            return
        channel = event.guild_id, event.channel_id
        self._drop(lambda turn: _is_same(turn, event))
        words, until = frozenset(stems(event.text)), event.created_at + MAX_AGE
        marks = {turn.message_id: owners_of(turn.stems) for turn in self.turns(*channel)}
        rests_on = (*event.provenance.answer_ids, *(ref.id for ref in event.provenance.sources))
        owners = {owner for source_id in rests_on for owner in marks.get(source_id, ())}
        if not _is_kiths(event) and is_confidential(event.text):
            owners.add(event.author_id)
        event = replace(event, stems=with_owners(event.stems, owners))
        if _is_kiths(event) and event.reply_to_id not in marks:
            repeated = self.repeated_by(event)
            words = _shared(words, frozenset[str]().union(*(held.words for held in repeated)))
            until = max((held.until for held in repeated), default=until)
        self._held.setdefault(channel, deque(maxlen=MAX_TURNS)).append(_Held(event, words, until))
        self._held.move_to_end(channel)
        while len(self._held) > MAX_CHANNELS:
            self._held.popitem(last=False)

    def turns(self, guild_id: int, channel_id: int) -> list[Event]:
        """Return a channel's turns, oldest first."""
        return [held.turn for held in self._live(guild_id, channel_id)]

    def repeated_by(self, answer: Event) -> list[_Held]:
        """Return the turns of its channel that an answer of Kith's has a word of."""
        held_turns = self._live(answer.guild_id, answer.channel_id)
        words = frozenset(stems(answer.text)) if held_turns else frozenset[str]()
        return [held for held in held_turns if _shared(words, held.words)]

    def _live(self, guild_id: int, channel_id: int) -> list[_Held]:
        self._drop(lambda turn: False)
        return list(self._held.get((guild_id, channel_id), ()))

    def delete(self, guild_id: int, message_ids: Sequence[int]) -> list[Post]:
        """Delete messages, and all later answers of Kith's, which may repeat them.

        Returns those answers that reply to the messages or have a word of them.
        """
        ids, first_id = set(message_ids), min(message_ids, default=0)
        repeating = self._repeating(
            lambda turn: turn.guild_id == guild_id and turn.message_id in ids
        )
        self._drop(
            lambda turn: (
                turn.guild_id == guild_id
                and (turn.message_id in ids or (_is_kiths(turn) and turn.message_id > first_id))
            )
        )
        return repeating

    def edit(self, event: Event) -> list[Post]:
        """Replace an edited message, keeping its mark, and delete all later answers of Kith's.

        Returns those answers that have a word that is gone from the message.
        """
        turns = self.turns(event.guild_id, event.channel_id)
        before = next((turn for turn in turns if _is_same(turn, event)), None)
        if before is not None and before.text == event.text:  # Discord added a preview
            return []
        repeating = self._repeating(lambda turn: _is_same(turn, event), stems(event.text))
        self.delete(event.guild_id, [event.message_id])
        if before is not None:
            self.add(replace(event, stems=with_owners(event.stems, owners_of(before.stems))))
        return repeating

    def delete_channels(self, guild_id: int, channel_ids: Sequence[int]) -> None:
        """Delete all turns of channels and their threads."""
        ids = set(channel_ids)
        self._drop(
            lambda turn: turn.guild_id == guild_id and bool(ids & {turn.channel_id, turn.source_id})
        )

    def erase(
        self, member: Member, *, only_answers: bool = False, until: datetime | None = None
    ) -> list[Post]:
        """Erase a member's turns, and Kith's answers that may repeat them.

        Returns those answers that reply to the member's turns or have a word of them.
        ``until``: only those up to this time.
        """

        def is_erased(turn: Event) -> bool:
            is_later = until is not None and turn.created_at > until
            return not is_later and turn.is_erased_with(member, only_answers=only_answers)

        repeating = self._repeating(lambda turn: not _is_kiths(turn) and is_erased(turn))
        self._drop(is_erased)
        return repeating

    def _repeating(
        self, is_gone: Callable[[Event], bool], kept: Sequence[str] | None = None
    ) -> list[Post]:
        """Return the answers that reply to some turns of their channel, or have a word of them.

        ``kept``: those that have a word other than these, which an edited turn still has.
        """
        posts = []
        for held_turns in self._held.values():
            gone = [held for held in held_turns if is_gone(held.turn)]
            ids = {held.turn.message_id for held in gone if kept is None}
            words = frozenset[str]().union(*(held.words for held in gone)).difference(kept or ())
            posts += [
                (held.turn.channel_id, held.turn.message_id)
                for held in held_turns
                if _is_kiths(held.turn)
                and (held.turn.reply_to_id in ids or _shared(held.words, words))
            ]
        return posts

    def _drop(self, is_dropped: Callable[[Event], bool]) -> None:
        """Drop these turns, and those whose time is over."""
        now = self._clock.now()
        for channel, held_turns in list(self._held.items()):
            remaining = [
                held for held in held_turns if held.until > now and not is_dropped(held.turn)
            ]
            if not remaining:
                del self._held[channel]
            elif len(remaining) < len(held_turns):
                self._held[channel] = deque(remaining, MAX_TURNS)


def merged(stored: Sequence[Event], ephemeral: Sequence[Event]) -> list[Event]:
    """Return all turns of a channel in the order of their messages."""
    stored_ids = {turn.message_id for turn in stored}
    unstored = [turn for turn in ephemeral if turn.message_id not in stored_ids]
    return sorted([*stored, *unstored], key=lambda turn: turn.message_id) if unstored else [*stored]


def _shared(words: Set[str], others: Set[str]) -> frozenset[str]:
    """Return those words that are among others, in one of them, or have one in them.

    What is in a compound ("Okapi" in "Okapigehege") is long enough to be a word of its own.
    """
    line, other_line = " ".join(words), " ".join(others)
    parts = [
        other_word for other_word in others if len(other_word) >= MIN_PART and other_word in line
    ]
    return frozenset(
        word
        for word in words
        if word in others
        or (len(word) >= MIN_PART and word in other_line)
        or any(part in word for part in parts)
    )


def _is_kiths(turn: Event) -> bool:
    return turn.role is Role.KITH


def _is_same(turn: Event, event: Event) -> bool:
    return (turn.guild_id, turn.message_id) == (event.guild_id, event.message_id)
