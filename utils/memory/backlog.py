"""What was heard while the database was away, in order, until it can be written. Pure.

It lies in process memory only, and so is bounded: over MOST_WAITING the oldest message goes, and is
counted. What is deleted on Discord meanwhile is let go at once and will never be written, nor is
what Kith said with it in mind.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TypeAlias

from utils.model.memory import Audience, Event, Member, Role

MOST_WAITING = 10_000


@dataclass(frozen=True, slots=True)
class Heard:
    """A message to record; ``is_edited``: earlier words of it may be stored already."""

    event: Event
    audience: Audience
    is_edited: bool = False


@dataclass(frozen=True, slots=True)
class Edited:
    """New words of a message, for those who have heard the earlier ones."""

    event: Event
    audience: Audience


@dataclass(frozen=True, slots=True)
class Deleted:
    """Messages that are gone."""

    guild_id: int
    message_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlacesGone:
    """Channels and threads that are gone, with all that was said there."""

    guild_id: int
    channel_ids: tuple[int, ...]


Entry: TypeAlias = Heard | Edited | Deleted | PlacesGone
Key: TypeAlias = tuple[type, int, int | tuple[int, ...]]


class Backlog:
    """A queue of entries; ``dropped`` counts the messages that it had no room for."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._entries: dict[Key, Entry] = {}
        self._in_channel: Counter[tuple[int, int]] = Counter()
        self._audiences: dict[tuple[int, int], Audience] = {}
        self.dropped = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def messages(self) -> int:
        """How many messages wait to be recorded."""
        return self._in_channel.total()

    def first(self) -> Entry | None:
        """Return what has waited longest."""
        return next(iter(self._entries.values()), None)

    def done(self, entry: Entry) -> None:
        """Let an entry go, unless other words have taken its place meanwhile."""
        key = _key(entry)
        if self._entries.get(key) is entry:
            self._remove(key)

    def waits_in(self, guild_id: int, channel_id: int) -> bool:
        """Whether messages of a channel wait, so that later ones have to wait behind them."""
        return (guild_id, channel_id) in self._in_channel

    def turns(self, guild_id: int, channel_id: int, limit: int) -> list[Event]:
        """Return the last messages that wait of a channel, oldest first."""
        if not self.waits_in(guild_id, channel_id):
            return []
        here = (
            one.event
            for one in reversed(self._entries.values())
            if isinstance(one, Heard)
            and (one.event.guild_id, one.event.channel_id) == (guild_id, channel_id)
            and one.event.text
        )
        return list(islice(here, limit))[::-1]

    # --- putting -------------------------------------------------------------------------------

    def hear(self, event: Event, audience: Audience) -> bool:
        """Let a message wait; False if it waits already, in these or later words."""
        known = self._entries.get((Heard, event.guild_id, event.message_id))
        if isinstance(known, Heard) and known.event.revision >= event.revision:
            return False
        place = event.guild_id, event.channel_id
        if self._audiences.get(place) != audience:
            self._audiences[place] = audience
        shared = self._audiences[place]  # or thousands would hold the same channels each
        self._put(Heard(event, shared, is_edited=known is not None))
        return True

    def edit(self, event: Event, audience: Audience) -> None:
        """Give a message that waits its newest words; else let the edit itself wait."""
        message = event.guild_id, event.message_id
        known = self._entries.get((Heard, *message)) or self._entries.get((Edited, *message))
        if isinstance(known, Heard | Edited) and known.event.revision >= event.revision:
            return
        if isinstance(known, Heard):
            self._let_answers_go([known.event])
            self._put(replace(known, event=event, is_edited=True))
        else:
            self._put(Edited(event, audience))

    def delete(self, guild_id: int, message_ids: Sequence[int]) -> None:
        """Let messages go, with what Kith said with them in mind; the deletion itself waits."""
        ids = set(message_ids)
        self._let_go(lambda event: event.guild_id == guild_id and event.message_id in ids)
        self._put(Deleted(guild_id, tuple(message_ids)))

    def delete_places(self, guild_id: int, channel_ids: Sequence[int]) -> None:
        """Do the same for everything that was said in channels and their threads."""
        ids = set(channel_ids)
        self._let_go(
            lambda event: (
                event.guild_id == guild_id and bool(ids & {event.channel_id, event.source_id})
            )
        )
        self._put(PlacesGone(guild_id, tuple(channel_ids)))

    def let_go(self, member: Member, *, only_answers: bool = False) -> None:
        """Let everything go that a member said, and all that Kith said with them in mind."""

        def is_gone(event: Event) -> bool:
            if event.role is Role.KITH:
                return event.guild_id == member.guild_id and member.user_id in event.about_ids
            return event.member == member and not only_answers

        self._let_go(is_gone)

    def _let_go(self, is_gone: Callable[[Event], bool]) -> None:
        said = [one for one in self._entries.values() if isinstance(one, Heard | Edited)]
        gone = [one for one in said if is_gone(one.event)]
        for one in gone:
            self._remove(_key(one))
        self._let_answers_go([one.event for one in gone])

    def _let_answers_go(self, gone: Sequence[Event]) -> None:
        """Let go of Kith's answers to these messages, and of what it said with them in mind."""
        prompts = {(event.guild_id, event.message_id) for event in gone}
        since: dict[Member, datetime] = {}
        for event in gone:
            since[event.member] = min(event.created_at, since.get(event.member, event.created_at))
        for key, one in list(self._entries.items()):
            if not isinstance(one, Heard) or one.event.role is not Role.KITH:
                continue
            answer = one.event
            about = (Member(answer.guild_id, user_id) for user_id in answer.about_ids)
            if (answer.guild_id, answer.reply_to_id) in prompts or any(
                member in since and answer.created_at >= since[member] for member in about
            ):
                self._remove(key)

    # --- the queue -----------------------------------------------------------------------------

    def _put(self, entry: Entry) -> None:
        """Add an entry, or put it in the place of the one it replaces."""
        key = _key(entry)
        if key not in self._entries and isinstance(entry, Heard):
            self._in_channel[_place(entry)] += 1
        self._entries[key] = entry
        if len(self._entries) > self._most:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        """Drop the oldest message: deletions and edits go only where nothing else is left."""
        heard = (key for key, one in self._entries.items() if isinstance(one, Heard))
        self._remove(next(heard, next(iter(self._entries))))
        self.dropped += 1

    def _remove(self, key: Key) -> None:
        entry = self._entries.pop(key)
        if isinstance(entry, Heard):
            self._in_channel[_place(entry)] -= 1
            if not self._in_channel[_place(entry)]:
                del self._in_channel[_place(entry)], self._audiences[_place(entry)]


def _key(entry: Entry) -> Key:
    match entry:
        case Heard(event) | Edited(event):
            return type(entry), event.guild_id, event.message_id
        case Deleted(guild_id, ids) | PlacesGone(guild_id, ids):
            return type(entry), guild_id, ids


def _place(heard: Heard) -> tuple[int, int]:
    return heard.event.guild_id, heard.event.channel_id
