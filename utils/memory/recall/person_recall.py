"""What recall found about one person, and which text stands for a memory and its message. Pure."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from utils.common.text import one_line
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.phrasing import phrase, quotable, quoted
from utils.models.memory import Memory
from utils.models.recall import Item, Ranked, Said

MAX_COMPARED = 25  # of each layer, when a memory and its message both match
BREVITY_WEIGHT = 0.6  # in points of a score, for a text that is 2.7 times as short
TELLING_SAID_SHARE = 0.2  # of the policy's share for messages, if the request is a statement
MIN_CHARACTERS = 20  # shorter texts hardly take less room: each has a date


@dataclass(frozen=True, slots=True)
class PersonRecall:
    """What recall found about one person, before the budget: layers in the order of the prompt.

    ``said`` are their messages, ``messages`` the ids of the messages behind each memory.
    ``query_stems`` are the stems of the request; long messages are shortened around them.
    ``profile_ids`` are the memories that the profile was made from. ``statement_share`` is
    how far the request is a statement, 0 to 1. ``others`` are the names of other people in sight.
    """

    name: str
    profile: str
    constraints: tuple[Memory, ...]
    relevant: tuple[Ranked[Memory], ...]
    recent: tuple[Memory, ...]
    said: tuple[Ranked[Said], ...] = ()
    messages: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    query_stems: frozenset[str] = frozenset()
    profile_ids: tuple[int, ...] = ()
    statement_share: float = 0.0
    others: frozenset[str] = frozenset()

    @property
    def has_content(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.profile or self.constraints or self.relevant or self.recent or self.said)

    def said_share(self, policy: RecallPolicy) -> float:
        """Return the share of the section that messages take, 0 to 1.

        The member's own words answer a question. For a statement, memories say more in the room.
        """
        return policy.said_share * (1.0 - (1.0 - TELLING_SAID_SHARE) * self.statement_share)


def merge_accounts(parts: Sequence[PersonRecall], name: str) -> PersonRecall:
    """Return what recall found about several accounts of one person as one, best first."""
    if len(parts) == 1:
        return parts[0]
    return PersonRecall(
        name=name,
        profile=" ".join(part.profile for part in parts if part.profile),
        constraints=tuple(row for part in parts for row in part.constraints),
        relevant=best_first(match for part in parts for match in part.relevant),
        recent=tuple(row for part in parts for row in part.recent),
        said=best_first(match for part in parts for match in part.said),
        messages={id: ids for part in parts for id, ids in part.messages.items()},
        query_stems=frozenset().union(*(part.query_stems for part in parts)),
        profile_ids=tuple(id for part in parts for id in part.profile_ids),
        statement_share=max((part.statement_share for part in parts), default=0.0),
    )


def best_first(ranked: Iterable[Ranked[Item]]) -> tuple[Ranked[Item], ...]:
    """Return the matches by their scores."""
    return tuple(sorted(ranked, key=lambda match: match.score, reverse=True))


def most_for_their_room(ranked: Iterable[Ranked[Item]], policy: RecallPolicy) -> list[Ranked[Item]]:
    """Return the matches in the order in which a block takes them: by score, shorter ones sooner.

    A message takes at most the room of its excerpt.
    """

    excerpt = policy.excerpt_characters

    def value(match: Ranked[Item]) -> float:
        row, characters = match.row, len(match.row.text)
        if characters > excerpt and isinstance(row, Said):
            characters = excerpt
        return match.score - BREVITY_WEIGHT * math.log(max(characters, MIN_CHARACTERS))

    return sorted(ranked, key=value, reverse=True)


@dataclass(frozen=True, slots=True)
class PairChoice:
    """The matches without those that another text stands for.

    ``messages_of`` are the messages that a memory stands for, by its id; ``memories_of`` the
    memories that a message stands for, by its event id. If the one that was chosen cannot be
    shown, they are shown instead.
    """

    memories: tuple[Ranked[Memory], ...]
    messages: tuple[Ranked[Said], ...]
    messages_of: Mapping[int, list[Ranked[Said]]]
    memories_of: Mapping[int, list[Ranked[Memory]]]


def choose_of_pairs(
    person: PersonRecall, now: datetime, zone: tzinfo, policy: RecallPolicy
) -> PairChoice:
    """Choose one of a memory and its message where both rank high.

    If the request is a statement, that is the memory. A file's text is chosen as for a question:
    it says more than a memory of the message that it came with.

    If it is a question, the message that matches best of all is told itself, because its own words
    answer most; unless it would be cut, and has no word of the request to cut it around. In other
    pairs it is the shorter text. A memory is never left out for a message that another memory
    stands for, nor for one whose quote leaves out a part of it.
    """
    messages: dict[int, list[Ranked[Said]]] = defaultdict(list)  # and the files' texts, by message
    for match in person.said[:MAX_COMPARED]:
        messages[match.row.message_id].append(match)
    best_id = person.said[0].row.message_id if person.said else None
    messages_of: dict[int, list[Ranked[Said]]] = defaultdict(list)
    memories_of: dict[int, list[Ranked[Memory]]] = defaultdict(list)
    messages_out: set[int] = set()

    def is_memory_told(row: Memory, message: Said) -> bool:
        text = one_line(quotable(message, person.others))
        if not text or (person.statement_share > 0.5 and not message.label):
            return True
        if message.message_id == best_id:
            is_cut = len(text) > policy.excerpt_characters
            return is_cut and person.query_stems.isdisjoint(message.stems.split())
        return len(phrase(row)) <= len(quoted(text, message))

    def is_clipped(message: Said) -> bool:
        quote = one_line(quotable(message, person.others))
        return len(quote) < len(one_line(message.text)) or len(quote) > policy.excerpt_characters

    for ranked in person.relevant[:MAX_COMPARED]:
        for message_id in person.messages.get(ranked.row.id, ()):
            for match in messages.get(message_id, ()):
                if is_memory_told(ranked.row, match.row):
                    messages_of[ranked.row.id].append(match)
                    messages_out.add(match.row.event_id)
                elif match.row.event_id not in messages_out and not is_clipped(match.row):
                    memories_of[match.row.event_id].append(ranked)
    # Some were left out for a text that is itself left out: these are told after all.
    rows_out = {
        match.row.id
        for event_id, of_message in memories_of.items()
        for match in of_message
        if event_id not in messages_out
    }
    messages_out = {
        match.row.event_id
        for row_id, of_row in messages_of.items()
        for match in of_row
        if row_id not in rows_out
    }
    return PairChoice(
        tuple(match for match in person.relevant if match.row.id not in rows_out),
        tuple(match for match in person.said if match.row.event_id not in messages_out),
        _left_out(messages_of, lambda match: match.row.event_id in messages_out),
        _left_out(memories_of, lambda match: match.row.id in rows_out),
    )


def _left_out(
    by_id: Mapping[int, list[Ranked[Item]]], is_out: Callable[[Ranked[Item]], bool]
) -> dict[int, list[Ranked[Item]]]:
    return {id: list(filter(is_out, matches)) for id, matches in by_id.items()}
