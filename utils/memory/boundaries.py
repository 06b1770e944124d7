"""Where the chapters of a conversation begin: a long gap, a marker, a lasting shift. Pure.

A shift of topic is believed when it lasts: two member turns that say something, the one that opens
it and the next, must both be unlike the chapter so far, and together reach
``BoundaryPolicy.threshold``. Turns that say little ("lol", an emoji) and Kith's own neither confirm
nor break it. Where three or more people talk, threads lie side by side, and whom a turn speaks to
counts as well. ``python -m benchmarks.episodes`` measures it; docs/RECALL.md has the figures.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from math import log, sqrt

from utils.memory.stems import stems
from utils.memory.topic_markers import EMPTY_STEMS, announces_a_change
from utils.model.memory import Event, Role

MOST_STEMS = 60  # of a turn; as many as an event stores
SUMMARY_STEMS = 200
NAME_STEMS = 20
NAMES_KEPT = 2_000
CROWD = 3  # voices
SHORT_NAME = 3  # letters
_AFTER_A_NAME = frozenset(":,;：，、")
_QUESTION = re.compile(r"\?(?!\w)|[？؟]")  # not the one inside a link


@dataclass(frozen=True, slots=True)
class BoundaryPolicy:
    """What decides where a chapter begins.

    Tuned by ``python -m benchmarks.episodes`` on groupchat_1, groupchat_2 (#ubuntu) and three
    LoCoMo conversations, and rounded. Only the last ``reach`` turns of a chapter are looked at.
    """

    longest_gap: timedelta = timedelta(hours=8)
    reach: int = 32  # turns
    half_life: float = 8.0  # turns, after which a word of the chapter counts half
    summary_weight: float = 0.5  # of a word of the running summary; 1 is one of the last turn
    fewest_stems: int = 3  # that a turn needs to say something
    shortest: int = 5  # turns of a chapter that say something, before a shift can end it
    shortest_announced: int = 2  # member turns of a chapter, before a marker can end it
    longest_wait: int = 12  # turns that say little, before an unconfirmed shift is dropped
    most_likeness: float = 0.4  # of either turn to the chapter, from 0 to 1
    threshold: float = 2.5  # of the sum of what follows
    unlike: float = 1.0  # × 1 minus its likeness to the chapter, for each of the two turns
    together: float = 1.0  # × the likeness of the two to each other
    question: float = 1.0  # if the opening turn asks something
    length: float = 0.5  # × the logarithm of the opening turn's stems, in ``fewest_stems``
    crowd: float = (
        -0.3
    )  # if three or more people talk: there, threads side by side look like shifts
    addressed: float = -0.8  # for each turn that speaks to somebody of the chapter, in a crowd


DEFAULT_BOUNDARIES = BoundaryPolicy()
Likeness = Callable[[int, int], float]
"""Called with the index of the new turn that the open chapter starts with (-1: the chapter that was
given) and that of a later new turn; answers how like that chapter the turn is, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """The open chapter as far as it is known: its last turns, oldest first, and its summary.

    Of the turns, at most the last ``BoundaryPolicy.reach`` are looked at.
    """

    turns: tuple[Event, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Division:
    """Where chapters start, as indexes into the new turns.

    Turns from ``settled`` on are not decided yet: a shift that has lasted for one member turn only.
    They are given again with the turns that follow.
    """

    starts: tuple[int, ...]
    settled: int


def divide(
    chapter: Chapter,
    turns: Sequence[Event],
    policy: BoundaryPolicy = DEFAULT_BOUNDARIES,
    likeness: Likeness | None = None,
) -> Division:
    """Return where new chapters start among ``turns``, which follow those of ``chapter``.

    The first turn after an empty chapter belongs to it and starts none. Where ``likeness`` is
    given, a turn is as like the chapter as its words or that function say, whichever is more.
    """
    starts: list[int] = []
    waiting: int | None = None  # the turn that has opened a shift not yet confirmed
    known = _Open(policy, likeness, chapter.turns, chapter.summary)
    for index, turn in enumerate(turns):
        undecided = turns[waiting:index] if waiting is not None else ()
        if known.ends_before(turn, undecided):
            starts.append(index)
            known, waiting = _Open(policy, likeness, (), start=index), None
        elif known.is_telling(turn):
            if waiting is not None and known.is_shift(turns, waiting, index):
                starts.append(waiting)
                known = _Open(policy, likeness, (), start=waiting)
            known.add(undecided)
            waiting = index if known.is_unlike(turn, index) else None
        elif len(undecided) >= policy.longest_wait:
            known.add(undecided)
            waiting = None
        if waiting is None:
            known.add((turn,))
    return Division(tuple(starts), len(turns) if waiting is None else waiting)


def follow(
    chapter: Chapter,
    turns: Sequence[Event],
    division: Division,
    policy: BoundaryPolicy = DEFAULT_BOUNDARIES,
) -> Chapter:
    """Return the chapter that is open after a division's settled turns, without those undecided.

    One that has just begun has no summary.
    """
    settled = tuple(turns[: division.settled])
    if division.starts:
        return Chapter(settled[division.starts[-1] :][-policy.reach :])
    return Chapter((*chapter.turns, *settled)[-policy.reach :], chapter.summary)


class _Open:
    """The chapter that turns are compared with."""

    def __init__(
        self,
        policy: BoundaryPolicy,
        likeness: Likeness | None,
        turns: Sequence[Event],
        summary: str = "",
        start: int = -1,
    ) -> None:
        self._policy = policy
        self._likeness = likeness
        self._summary = frozenset(stems(summary, limit=SUMMARY_STEMS))
        self._start = start
        self._turns: list[tuple[Event, frozenset[str]]] = []
        self._names: frozenset[str] = frozenset()
        self._weights: dict[str, float] | None = None
        self.add(turns)

    def add(self, turns: Iterable[Event]) -> None:
        """Go on with these turns."""
        self._turns += ((turn, _words(turn)) for turn in turns)
        del self._turns[: -self._policy.reach]
        self._names = frozenset().union(*(_name_stems(turn.author_name) for turn, _ in self._turns))
        self._weights = None

    def ends_before(self, turn: Event, undecided: Sequence[Event]) -> bool:
        """Whether a turn starts a chapter by itself: after a long gap, or by a marker."""
        turns = [*(one for one, _ in self._turns), *undecided]
        if turns and turn.created_at - turns[-1].created_at > self._policy.longest_gap:
            return True
        members = sum(one.role is Role.MEMBER for one in turns)
        return (
            turn.role is Role.MEMBER
            and members >= self._policy.shortest_announced
            and announces_a_change(turn.text)
        )

    def is_telling(self, turn: Event) -> bool:
        """Whether a turn is a member's and says something."""
        return turn.role is Role.MEMBER and len(self._content(turn)) >= self._policy.fewest_stems

    def is_unlike(self, turn: Event, index: int) -> bool:
        """Whether a turn may open a shift, if the next one confirms it."""
        policy = self._policy
        telling = sum(
            one.role is Role.MEMBER and len(words - self._names) >= policy.fewest_stems
            for one, words in self._turns
        )
        if telling < policy.shortest:
            return False
        if self._likeness_of(turn, index) > policy.most_likeness:
            return False
        best = policy.unlike + policy.together
        return self._opening(turn, index) + best >= policy.threshold

    def is_shift(self, turns: Sequence[Event], opening: int, index: int) -> bool:
        """Whether a turn confirms the shift that an earlier one opened."""
        policy, first, second = self._policy, turns[opening], turns[index]
        likeness = self._likeness_of(second, index)
        if likeness > policy.most_likeness:
            return False
        score = self._opening(first, opening)
        score += policy.unlike * (1 - likeness)
        score += policy.together * _overlap(self._content(first), self._content(second))
        score += policy.addressed * self._is_addressed(second, first)
        return score >= policy.threshold

    def _opening(self, turn: Event, index: int) -> float:
        policy, size = self._policy, len(self._content(turn))
        return (
            policy.unlike * (1 - self._likeness_of(turn, index))
            + policy.question * bool(_QUESTION.search(turn.text))
            + policy.length * log(max(size, 1) / policy.fewest_stems)
            + policy.crowd * self._is_crowd(turn, turn)
            + policy.addressed * self._is_addressed(turn, turn)
        )

    def _likeness_of(self, turn: Event, index: int) -> float:
        words = self._content(turn)
        profile = self._profile()
        by_words = sum(min(1.0, profile.get(word, 0.0)) for word in words) / max(1, len(words))
        return max(by_words, self._likeness(self._start, index)) if self._likeness else by_words

    def _is_crowd(self, turn: Event, opener: Event) -> bool:
        authors = {one.author_id for one, _ in self._turns if one.role is Role.MEMBER}
        return len(authors | {turn.author_id, opener.author_id}) >= CROWD

    def _is_addressed(self, turn: Event, opener: Event) -> bool:
        """Whether a turn speaks to somebody of the chapter other than who opens the shift."""
        own = (turn.author_id, opener.author_id)
        others = [
            one for one, _ in self._turns if one.role is Role.MEMBER and one.author_id not in own
        ]
        if turn.reply_to_id in {one.message_id for one in others}:
            return True
        said = turn.text.casefold()
        names = {one.author_name.casefold() for one in others} - {""}
        return self._is_crowd(turn, opener) and any(_speaks_to(said, name) for name in names)

    def _content(self, turn: Event) -> frozenset[str]:
        return _words(turn) - self._names - _name_stems(turn.author_name)

    def _profile(self) -> dict[str, float]:
        """Return the words of the chapter, each turn's weighing less the longer ago it was."""
        if self._weights is None:
            policy = self._policy
            weights = dict.fromkeys(self._summary, policy.summary_weight)
            weight, fading = 1.0, 0.5 ** (1 / policy.half_life)
            for _, words in reversed(self._turns):
                for word in words:
                    weights[word] = weights.get(word, 0.0) + weight
                weight *= fading
            self._weights = weights
        return self._weights


def _words(turn: Event) -> frozenset[str]:
    found = turn.stems.split() if turn.stems else stems(turn.text, limit=MOST_STEMS)
    return frozenset(found) - EMPTY_STEMS


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / sqrt(max(1, len(first) * len(second)))


def _speaks_to(said: str, name: str) -> bool:
    """Whether a casefolded text begins with a name, or mentions it as Discord does.

    After a name that could be a little word ("so", "you") a sign must stand.
    """
    if said.startswith(name):
        after = said[len(name) : len(name) + 1]
        if after in _AFTER_A_NAME or (len(name) > SHORT_NAME and not after.isalnum()):
            return True
    return f"@{name}" in said


@lru_cache(NAMES_KEPT)
def _name_stems(name: str) -> frozenset[str]:
    return frozenset(stems(name, limit=NAME_STEMS))
