"""Split a conversation into episodes at long gaps, topic markers and lasting shifts. Pure.

A topic shift must last: two member turns with content, the opening one and the next, must both be
unlike the episode so far, and together reach ``BoundaryPolicy.threshold``. Turns without content
("lol", an emoji) and Kith's own turns neither confirm nor break a shift. Where three or more people
talk, threads overlap, so whom a turn addresses counts as well. ``python -m benchmarks.episodes``
measures it; docs/internals/recall.md has the figures.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from math import log, sqrt

from utils.models.memory import Event, Role
from utils.nlp.languages import languages
from utils.nlp.normalization import fold
from utils.nlp.phrase_matcher import Lexicon, tokens_of
from utils.nlp.questions import has_question
from utils.nlp.stemming import stems

MAX_STEMS = 60  # of a turn; as many as an event stores
SUMMARY_STEMS = 200
NAME_STEMS = 20
CROWD = 3  # voices
SHORT_NAME = 3  # letters
_AFTER_A_NAME = frozenset(":,;：，、")


@dataclass(frozen=True, slots=True)
class BoundaryPolicy:
    """The parameters that decide where an episode begins.

    Tuned by ``python -m benchmarks.episodes`` on groupchat_1, groupchat_2 (#ubuntu) and three
    LoCoMo conversations, and rounded. Only the last ``reach`` turns of an episode are compared.
    """

    max_gap: timedelta = timedelta(hours=8)
    reach: int = 32  # turns
    half_life: float = 8.0  # turns, after which a word of the episode counts half
    summary_weight: float = 0.5  # of a word of the running summary; 1 is one of the last turn
    min_stems: int = 3  # that a turn needs to say something
    min_turns: int = 5  # turns of an episode that say something, before a shift can end it
    min_turns_before_marker: int = 2  # member turns of an episode, before a marker can end it
    max_undecided: int = 12  # turns that say little, before an unconfirmed shift is dropped
    max_likeness: float = 0.4  # of either turn to the episode, from 0 to 1
    threshold: float = 2.5  # of the sum of what follows
    unlike: float = 1.0  # × 1 minus its likeness to the episode, for each of the two turns
    together: float = 1.0  # × the likeness of the two to each other
    question: float = 1.0  # if the opening turn asks something
    length: float = 0.5  # × the logarithm of the opening turn's stems, in ``min_stems``
    crowd: float = (
        -0.3
    )  # if three or more people talk: there, threads side by side look like shifts
    addressed: float = -0.8  # for each turn that speaks to somebody of the episode, in a crowd


DEFAULT_BOUNDARIES = BoundaryPolicy()


@dataclass(frozen=True, slots=True)
class EpisodeTail:
    """The open episode's last turns, oldest first, and its summary.

    At most the last ``BoundaryPolicy.reach`` turns are compared.
    """

    turns: tuple[Event, ...] = ()
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Segmentation:
    """Where episodes start, as indexes into the new turns.

    Turns at and after index ``settled`` are undecided, because a shift there has lasted for one
    member turn only. Pass them again with the following turns.
    """

    starts: tuple[int, ...]
    settled: int


def segment(
    tail: EpisodeTail,
    turns: Sequence[Event],
    policy: BoundaryPolicy = DEFAULT_BOUNDARIES,
) -> Segmentation:
    """Return where new episodes start among ``turns``, which follow those of ``tail``.

    The first turn after an empty tail starts no new episode.
    """
    starts: list[int] = []
    opening: int | None = None  # the turn that opened a shift that is not confirmed yet
    episode = _OpenEpisode(policy, tail.turns, tail.summary)
    for index, turn in enumerate(turns):
        undecided = turns[opening:index] if opening is not None else ()
        if episode.ends_before(turn, undecided):
            starts.append(index)
            episode, opening = _OpenEpisode(policy), None
        elif episode.has_content(turn):
            if opening is not None and episode.is_shift(turns[opening], turn):
                starts.append(opening)
                episode = _OpenEpisode(policy)
            episode.add(undecided)
            opening = index if episode.is_unlike(turn) else None
        elif len(undecided) >= policy.max_undecided:
            episode.add(undecided)
            opening = None
        if opening is None:
            episode.add((turn,))
    return Segmentation(tuple(starts), len(turns) if opening is None else opening)


class _OpenEpisode:
    """The open episode, with which new turns are compared."""

    def __init__(
        self,
        policy: BoundaryPolicy,
        turns: Sequence[Event] = (),
        summary: str = "",
    ) -> None:
        self._policy = policy
        self._summary = frozenset(stems(summary, limit=SUMMARY_STEMS))
        self._turns: list[tuple[Event, frozenset[str]]] = []
        self._names: frozenset[str] = frozenset()
        self._name_stems = cache(_name_stems)  # of this episode's authors only
        self._weights: dict[str, float] | None = None
        self.add(turns)

    def add(self, turns: Iterable[Event]) -> None:
        """Add turns to the episode."""
        self._turns += ((turn, _words(turn)) for turn in turns)
        del self._turns[: -self._policy.reach]
        names = {turn.author_name for turn, _ in self._turns}
        self._names = frozenset().union(*map(self._name_stems, names))
        self._weights = None

    def ends_before(self, turn: Event, undecided: Sequence[Event]) -> bool:
        """Whether a turn starts an episode by itself: after a long gap, or with a topic marker."""
        turns = [*(earlier for earlier, _ in self._turns), *undecided]
        if turns and turn.created_at - turns[-1].created_at > self._policy.max_gap:
            return True
        members = sum(earlier.role is Role.MEMBER for earlier in turns)
        return (
            turn.role is Role.MEMBER
            and members >= self._policy.min_turns_before_marker
            and announces_a_change(turn.text)
        )

    def has_content(self, turn: Event) -> bool:
        """Whether a turn is a member's and has enough content words."""
        return turn.role is Role.MEMBER and len(self._content(turn)) >= self._policy.min_stems

    def is_unlike(self, turn: Event) -> bool:
        """Whether a turn may open a shift that the next one can confirm."""
        policy = self._policy
        with_content = sum(
            turn.role is Role.MEMBER and len(words - self._names) >= policy.min_stems
            for turn, words in self._turns
        )
        if with_content < policy.min_turns or self._likeness_of(turn) > policy.max_likeness:
            return False
        best = policy.unlike + policy.together
        return self._opening(turn) + best >= policy.threshold

    def is_shift(self, first: Event, second: Event) -> bool:
        """Whether the second turn confirms the shift that the first one opened."""
        policy, likeness = self._policy, self._likeness_of(second)
        if likeness > policy.max_likeness:
            return False
        score = self._opening(first) + policy.unlike * (1 - likeness)
        words, more = self._content(first), self._content(second)
        score += policy.together * len(words & more) / sqrt(max(1, len(words) * len(more)))
        score += policy.addressed * self._is_addressed(second, first)
        return score >= policy.threshold

    def _opening(self, turn: Event) -> float:
        policy, size = self._policy, len(self._content(turn))
        return (
            policy.unlike * (1 - self._likeness_of(turn))
            + policy.question * has_question(turn.text)
            + policy.length * log(max(size, 1) / policy.min_stems)
            + policy.crowd * self._is_crowd(turn, turn)
            + policy.addressed * self._is_addressed(turn, turn)
        )

    def _likeness_of(self, turn: Event) -> float:
        words = self._content(turn)
        if self._weights is None:  # of the episode's words; older turns weigh less
            policy = self._policy
            weights = dict.fromkeys(self._summary, policy.summary_weight)
            weight, fading = 1.0, 0.5 ** (1 / policy.half_life)
            for _, turn_words in reversed(self._turns):
                for word in turn_words:
                    weights[word] = weights.get(word, 0.0) + weight
                weight *= fading
            self._weights = weights
        return sum(min(1.0, self._weights.get(word, 0.0)) for word in words) / max(1, len(words))

    def _is_crowd(self, turn: Event, opener: Event) -> bool:
        authors = {earlier.author_id for earlier, _ in self._turns if earlier.role is Role.MEMBER}
        return len(authors | {turn.author_id, opener.author_id}) >= CROWD

    def _is_addressed(self, turn: Event, opener: Event) -> bool:
        """Whether a turn addresses a member of the episode who did not open the shift."""
        own_ids = (turn.author_id, opener.author_id)
        by_others = [
            earlier
            for earlier, _ in self._turns
            if earlier.role is Role.MEMBER and earlier.author_id not in own_ids
        ]
        if turn.reply_to_id in {earlier.message_id for earlier in by_others}:
            return True
        text = turn.text.casefold()
        names = {earlier.author_name.casefold() for earlier in by_others} - {""}
        return self._is_crowd(turn, opener) and any(_addresses(text, name) for name in names)

    def _content(self, turn: Event) -> frozenset[str]:
        return _words(turn) - self._names - self._name_stems(turn.author_name)


def _words(turn: Event) -> frozenset[str]:
    words = turn.stems.split() if turn.stems else stems(turn.text, limit=MAX_STEMS)
    return frozenset(words) - EMPTY_STEMS


def _addresses(text: str, name: str) -> bool:
    """Whether a casefolded text begins with a name, or has it after an @.

    A name that could be a short word ("so", "you") must be followed by punctuation.
    """
    if text.startswith(name):
        after = text[len(name) : len(name) + 1]
        if after in _AFTER_A_NAME or (len(name) > SHORT_NAME and not after.isalnum()):
            return True
    return f"@{name}" in text


def _name_stems(name: str) -> frozenset[str]:
    return frozenset(stems(name, limit=NAME_STEMS))


# --- topic markers --------------------------------------------------------------------------------
# A marker begins a message or a clause, and mostly is all of it ("anyway, different topic: ...").
# "Anyway" or "by the way" alone announce nothing: most often, the conversation goes on.

_MAX_READ = 600  # characters of a message in which a marker is looked for
_PAUSES = re.compile(r"[,，、()\[\]…]|\s[-–—]+\s|—")  # what parts clauses, besides . ! ? ; :
_SIGNS = frozenset(".!?;:\n")
_TOPIC = frozenset([0])


_MARKERS = Lexicon(
    {
        "topic": {
            code: "|".join(f"^ {marker}" for marker in language.topics.markers.split("|"))
            for code, language in languages().items()
            if language.topics.markers
        }
    }
)
"""The markers of all languages, each from where a clause begins."""
_OPENERS = frozenset(word for language in languages().values() for word in language.topics.openers)
"""What may stand before a marker: it is skipped where a clause begins."""


def announces_a_change(text: str) -> bool:
    """Whether a message says, in its first 600 characters, that it is about something else now."""
    clauses = _PAUSES.sub(" ; ", fold(text[:_MAX_READ]).casefold())
    tokens, begins = [], True
    for token in tokens_of(clauses):
        begins = token in _SIGNS or (begins and token in _OPENERS)
        if not begins or token in _SIGNS:
            tokens.append(token)
    return _MARKERS.first_rank(tokens, _TOPIC) is not None


EMPTY_STEMS = frozenset(
    stem
    for code, language in languages().items()
    for stem in stems(language.topics.empty, language=code)
)
"""The stems of greetings, thanks, yes and no, laughter: they say nothing about a topic."""
