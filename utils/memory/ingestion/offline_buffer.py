"""A queue in process memory for changes that wait for the database. Pure.

Changes are written in order once the database is back. The queue is bounded: above MAX_WAITING the
oldest message is dropped and counted. A message that is deleted on Discord leaves the queue at
once, together with Kith's answers that may repeat it.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import TypeAlias

from utils.models.memory import Audience, Event, Member, Role
from utils.nlp.confidential import is_confidential, with_owners
from utils.nlp.stemming import stems

MAX_WAITING = 10_000


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to store; ``is_edited``: an earlier revision may be stored already."""

    event: Event
    audience: Audience
    is_edited: bool = False


@dataclass(frozen=True, slots=True)
class EditedMessage:
    """A new revision of a message that is stored, unless it is unknown."""

    event: Event
    audience: Audience


@dataclass(frozen=True, slots=True)
class DeletedMessages:
    """Messages that were deleted on Discord."""

    guild_id: int
    message_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DeletedChannels:
    """Channels and threads that were deleted on Discord, with all of their messages."""

    guild_id: int
    channel_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RemovedAnswers:
    """Answers that were never stored, each with its channel, to be deleted on Discord."""

    guild_id: int
    posts: tuple[tuple[int, int], ...]


Change: TypeAlias = NewMessage | EditedMessage | DeletedMessages | DeletedChannels | RemovedAnswers
Key: TypeAlias = tuple[type, int, int | tuple[object, ...]]


@dataclass(eq=False, repr=False)
class OfflineBuffer:
    """A queue of changes.

    ``dropped`` counts the messages that did not fit, ``dropped_edits`` the deletions and edits.
    ``since``: when the first message was sent that waits or was dropped.
    ``on_change`` is called after each change that is added.
    """

    max_waiting: int = MAX_WAITING
    on_change: Callable[[], None] = lambda: None
    dropped: int = 0
    dropped_edits: int = 0
    since: datetime | None = None
    _changes: OrderedDict[Key, Change] = field(default_factory=OrderedDict)
    _messages: OrderedDict[Key, None] = field(default_factory=OrderedDict)
    """Those of the changes that are new messages."""
    _counts: Counter[tuple[int, int]] = field(default_factory=Counter)
    _audiences: dict[tuple[int, int], Audience] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._changes)

    @property
    def messages(self) -> int:
        """How many new messages wait."""
        return self._counts.total()

    def first(self) -> Change | None:
        """Return the oldest change."""
        return next(iter(self._changes.values()), None)

    def remove(self, change: Change) -> None:
        """Remove a change, unless a newer revision has replaced it."""
        key = _key(change)
        if self._changes.get(key) is change:
            self._remove(key)

    def has_waiting(self, guild_id: int, channel_id: int) -> bool:
        """Whether messages of a channel wait, so that later ones must wait behind them."""
        return (guild_id, channel_id) in self._counts

    def turns(self, guild_id: int, channel_id: int, limit: int) -> list[Event]:
        """Return a channel's last waiting messages, oldest first."""
        if not self.has_waiting(guild_id, channel_id):
            return []
        newest_first = (
            change.event
            for change in reversed(self._changes.values())
            if isinstance(change, NewMessage)
            and (change.event.guild_id, change.event.channel_id) == (guild_id, channel_id)
            and change.event.text
        )
        return list(islice(newest_first, limit))[::-1]

    # --- adding --------------------------------------------------------------------------------

    def add(self, event: Event, audience: Audience) -> bool:
        """Add a message; False if it waits already in this or a later revision."""
        waiting = self._changes.get((NewMessage, event.guild_id, event.message_id))
        if isinstance(waiting, NewMessage) and waiting.event.revision >= event.revision:
            return False
        if not self._messages and not self.dropped:
            self.since = event.created_at
        channel = event.guild_id, event.channel_id
        if self._audiences.get(channel) != audience:
            self._audiences[channel] = audience
        shared = self._audiences[channel]  # or thousands would each hold the same set of channels
        self._put(NewMessage(event, shared, is_edited=waiting is not None))
        return True

    def edit(self, event: Event, audience: Audience) -> None:
        """Update a message that waits, and keep its mark; otherwise add the edit itself."""
        message = event.guild_id, event.message_id
        waiting = self._changes.get((NewMessage, *message))
        waiting = waiting or self._changes.get((EditedMessage, *message))
        if (
            isinstance(waiting, NewMessage | EditedMessage)
            and waiting.event.revision >= event.revision
        ):
            return
        if isinstance(waiting, NewMessage | EditedMessage) and is_confidential(
            waiting.event.text, waiting.event.stems
        ):
            event = replace(event, stems=with_owners(event.stems, [event.author_id]))
        if isinstance(waiting, NewMessage):
            self._erase_answers([waiting.event], new_text=event.text)
            self._put(replace(waiting, event=event, is_edited=True))
        else:
            self._put(EditedMessage(event, audience))

    def delete(self, guild_id: int, message_ids: Sequence[int]) -> None:
        """Remove messages and Kith's answers that may repeat them, and add the deletion itself."""
        kinds = (NewMessage, EditedMessage)
        keys = [(kind, guild_id, message_id) for message_id in message_ids for kind in kinds]
        self._erase([self._changes[key] for key in keys if key in self._changes])
        self._put(DeletedMessages(guild_id, tuple(message_ids)))

    def delete_channels(self, guild_id: int, channel_ids: Sequence[int]) -> None:
        """Do the same for all messages of channels and their threads."""
        ids = set(channel_ids)
        self._erase_where(
            lambda event: (
                event.guild_id == guild_id and bool(ids & {event.channel_id, event.source_id})
            )
        )
        self._put(DeletedChannels(guild_id, tuple(channel_ids)))

    def remove_answers(self, guild_id: int, posts: Sequence[tuple[int, int]]) -> None:
        """Add that answers, each with its channel, are to be deleted on Discord."""
        self._put(RemovedAnswers(guild_id, tuple(posts)))

    def erase(self, member: Member, *, only_answers: bool = False) -> None:
        """Erase a member's messages, and Kith's answers that may repeat them."""
        self._erase_where(lambda event: event.is_erased_with(member, only_answers=only_answers))

    def _erase_where(self, is_erased: Callable[[Event], bool]) -> None:
        self._erase(
            [
                change
                for change in self._changes.values()
                if isinstance(change, NewMessage | EditedMessage) and is_erased(change.event)
            ]
        )

    def _erase(self, changes: Sequence[Change]) -> None:
        """Remove messages and edits, and Kith's answers that may repeat them."""
        for change in changes:
            self._remove(_key(change))
        self._erase_answers(
            [change.event for change in changes if isinstance(change, NewMessage | EditedMessage)]
        )

    def _erase_answers(self, events: Sequence[Event], new_text: str | None = None) -> None:
        """Remove Kith's answers to these messages, and its later ones about their authors.

        Those to them, or with a word of them, are deleted on Discord as well. After an edit to
        ``new_text`` these are those with a word that is gone.
        """
        if not events:
            return
        message_ids = {(event.guild_id, event.message_id) for event in events}
        since: dict[tuple[int, int], datetime] = {}
        for event in events:
            author = event.guild_id, event.author_id
            since[author] = min(event.created_at, since.get(author, event.created_at))
        earliest = min(since.values())

        def may_repeat(answer: Event) -> bool:
            return (answer.guild_id, answer.reply_to_id) in message_ids or (
                answer.created_at >= earliest
                and any(
                    key in since and answer.created_at >= since[key]
                    for key in ((answer.guild_id, user_id) for user_id in answer.repeated_ids)
                )
            )

        answers = [
            change.event
            for change in self._changes.values()
            if isinstance(change, NewMessage)
            and change.event.role is Role.KITH
            and may_repeat(change.event)
        ]
        for answer in answers:
            self._remove((NewMessage, answer.guild_id, answer.message_id))
        said = [event.text for event in events if event.role is Role.MEMBER]
        words = {*stems("\n".join(said))}.difference(stems(new_text or ""))
        posts = [
            (answer.channel_id, answer.message_id)
            for answer in (*events, *answers)
            if answer.role is Role.KITH
            and (
                (new_text is None and (answer.guild_id, answer.reply_to_id) in message_ids)
                or not words.isdisjoint(stems(answer.text))
            )
        ]
        if posts:
            self.remove_answers(events[0].guild_id, posts)

    # --- the queue -----------------------------------------------------------------------------

    def _put(self, change: Change) -> None:
        """Append a change, or replace the earlier one of the same message in its position."""
        key = _key(change)
        if isinstance(change, NewMessage) and key not in self._changes:
            self._counts[_channel(change)] += 1
            self._messages[key] = None
        self._changes[key] = change
        if len(self._changes) > self.max_waiting:
            if self._messages:  # a deletion or edit goes only if no message is left
                self._remove(next(iter(self._messages)))
                self.dropped += 1
            else:
                self._remove(next(iter(self._changes)))
                self.dropped_edits += 1
        self.on_change()

    def _remove(self, key: Key) -> None:
        change = self._changes.pop(key)
        if isinstance(change, NewMessage):
            del self._messages[key]
            channel = _channel(change)
            self._counts[channel] -= 1
            if not self._counts[channel]:
                del self._counts[channel], self._audiences[channel]


def _key(change: Change) -> Key:
    match change:
        case NewMessage(event) | EditedMessage(event):
            return type(change), event.guild_id, event.message_id
        case (
            DeletedMessages(guild_id, ids)
            | DeletedChannels(guild_id, ids)
            | RemovedAnswers(guild_id, ids)
        ):
            return type(change), guild_id, ids


def _channel(message: NewMessage) -> tuple[int, int]:
    return message.event.guild_id, message.event.channel_id
