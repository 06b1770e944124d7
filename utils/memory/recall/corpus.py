"""The documents that are ranked together, as arrays, and how memories and messages are linked."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from itertools import accumulate
from typing import Any

import numpy as np

from utils.memory.policy.write_policy import DAY_S
from utils.memory.recall.documents import Documents, joined, matching
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.models.recall import Said
from utils.nlp.dates.ranges import DateRange
from utils.nlp.stem_text import BoolArray, IntArray


class Links:
    """Which messages are behind which memories: pairs of their indexes.

    ``is_said``: of a pair, the message itself is among the documents, not what came with it.

    The rest counts documents as a Corpus of both does. ``starts`` and ``ends`` are all pairs in
    both directions. ``resting`` are memories and ``said`` the messages themselves behind them.
    ``with_source`` are the memories with such a message, and ``sources`` the first behind each.
    ``followed`` are messages with another one in their conversation, and ``following`` that one, if
    the same readers may see both; what came with a message is neither.
    """

    def __init__(self, memories: PreparedMemories, messages: Documents[Said]) -> None:
        behind = memories.behind
        pairs, self.messages = matching(behind.message_ids, messages.message_ids)
        self.memories: IntArray = behind.rows[pairs]
        self.is_said: BoolArray = ~messages.is_attached[self.messages]
        places = self.messages + len(memories)
        self.starts = joined(self.memories, places)
        self.ends = joined(places, self.memories)
        self.resting, self.said = self.memories[self.is_said], places[self.is_said]
        self.with_source, first = np.unique(self.resting, return_index=True)
        self.sources = self.said[first]
        is_message = ~messages.is_attached[messages.order]
        conversations, order = messages.conversations[is_message], messages.order[is_message]
        places_of, order = messages.place_of[order], order + len(memories)
        is_followed = conversations[1:] == conversations[:-1]
        is_followed &= places_of[1:] == places_of[:-1]
        self.followed, self.following = order[:-1][is_followed], order[1:][is_followed]


class Corpus:
    """Documents that are ranked together in groups: a member's memories and then their messages.

    Each array has the values of one group after the other. ``order`` and ``conversations`` are
    those of Documents, ``lengths`` are divided by their mean in the group.
    """

    def __init__(self, groups: Sequence[Documents[Any]], links: Links | None = None) -> None:
        """``links`` are those between two groups."""
        self.groups, self.links = groups, links
        self.slices = _slices([len(group) for group in groups])
        self.conversation_slices = _slices([len(group.conversation_sizes) for group in groups])
        self.ids = self.joined("ids")
        self.said_at_s = self.joined("said_at_s")
        self.importance = self.joined("importance")
        self.is_question = self.joined("is_question")
        self.conversation_sizes = self.joined("conversation_sizes")
        self.lengths = np.concatenate([g.stems.lengths / g.stems.mean_length for g in groups])
        first = zip(groups, self.slices, self.conversation_slices, strict=True)
        places = [(g.order + part.start, g.conversations + of.start) for g, part, of in first]
        self.order, self.conversations = map(np.concatenate, zip(*places, strict=True))

    def joined(self, name: str) -> Any:
        """Return an array of Documents for all of them; some are only made when a query asks."""
        return np.concatenate([getattr(group, name) for group in self.groups])

    def __len__(self) -> int:
        return len(self.ids)

    def said_on(self, days: Sequence[DateRange], zone: tzinfo | None) -> BoolArray:
        """Return which of them were said on one of these days; without a time zone, none."""
        is_dated = np.zeros(len(self), np.bool_)
        for day in days if zone is not None else ():
            first, last = (
                datetime(date.year, date.month, date.day, tzinfo=zone).timestamp()
                for date in (day.first, day.last)
            )
            is_dated |= (self.said_at_s >= first) & (self.said_at_s < last + DAY_S)
        return is_dated


def _slices(sizes: Sequence[int]) -> list[slice]:
    """Return where each of some groups stands if one follows the other."""
    return [slice(end - size, end) for size, end in zip(sizes, accumulate(sizes), strict=True)]
