"""Layers, budgets, the text of the block that goes before the prompt's last message. Pure."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from utils.memory.excerpts import excerpt
from utils.memory.policy import ReadPolicy
from utils.model.episode import LoopKind, OpenLoop, Summary
from utils.model.memory import Kind, Memory
from utils.model.recall import Cut, Cuts, Item, Quote, Ranked, Said
from utils.text import age_in_words, clean, clip, estimate_tokens, one_line

NEWEST_DATES_SAID_AS_AGE_DAYS = 7
SHORTEST_ITEM_TOKENS = 6
MOST_MISSES = 8  # in a row: what comes after these fits the message less, and hardly ever the room
MOST_COMPARED = 15  # of each layer, when a memory and its message both match


@dataclass(frozen=True, slots=True)
class Known:
    """What recall found about one person, before the budget: layers in the order they are said.

    ``said`` are their messages, ``messages`` the ids of those that each memory rests on, and
    ``wanted`` the stems asked for, by which long messages are cut.
    """

    name: str
    profile: str
    constraints: tuple[Memory, ...]
    relevant: tuple[Ranked[Memory], ...]
    recent: tuple[Memory, ...]
    said: tuple[Ranked[Said], ...] = ()
    messages: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    wanted: frozenset[str] = frozenset()

    @property
    def is_anything(self) -> bool:
        """Whether there is anything to say."""
        return bool(self.profile or self.constraints or self.relevant or self.recent or self.said)


def joined(parts: Sequence[Known], name: str) -> Known:
    """Return what was found about several accounts of one person as one, best first."""
    if len(parts) == 1:
        return parts[0]
    return Known(
        name=name,
        profile=" ".join(part.profile for part in parts if part.profile),
        constraints=tuple(row for part in parts for row in part.constraints),
        relevant=_best_first(one for part in parts for one in part.relevant),
        recent=tuple(row for part in parts for row in part.recent),
        said=_best_first(one for part in parts for one in part.said),
        messages={id: ids for part in parts for id, ids in part.messages.items()},
        wanted=frozenset().union(*(part.wanted for part in parts)),
    )


def _best_first(ranked: Iterable[Ranked[Item]]) -> tuple[Ranked[Item], ...]:
    return tuple(sorted(ranked, key=lambda one: one.score, reverse=True))


@dataclass(frozen=True, slots=True)
class Block:
    """A person's part of the prompt, and the rows and messages that are in it."""

    text: str = ""
    rows: tuple[Memory, ...] = ()
    said: tuple[Quote, ...] = ()


def anything(_text: str) -> bool:
    """Let every text be told."""
    return True


def block(
    known: Known,
    now: datetime,
    zone: tzinfo,
    policy: ReadPolicy,
    budget_tokens: int,
    may_tell: Callable[[str], bool] = anything,
    cuts: Cuts | None = None,
) -> Block:
    """Write what is known of one person in at most ``budget_tokens`` (estimated, never low).

    The profile comes first, cut if it must be; then constraints, then what fits the message,
    memories and messages in turn, then recent rows, each only whole, and nothing that ``may_tell``
    refuses. Empty when nothing is known. ``cuts`` is told what is left out, and why.
    """
    heading = f"[What you know about {clip(one_line(clean(known.name)), 80)}:]"
    room = budget_tokens - estimate_tokens(heading + "\n")
    lines = _Lines(room, now, zone, policy, may_tell, cuts)
    lines.add_text("Profile", known.profile)
    lines.add_rows("Courtesy", known.constraints)
    lines.add_matching(known)
    lines.add_rows("Recent", known.recent)
    if cuts is not None and lines.has_most_items:
        cuts.rest = Cut.MOST_ITEMS
    if not lines.written:
        return Block()
    order = ("Profile", "Courtesy", "Recent", "Relevant", "Said")
    body = [f"{label}: {lines.written[label]}" for label in order if label in lines.written]
    return Block("\n".join([heading, *body]), tuple(lines.rows), tuple(lines.said))


def lore_block(
    rows: Sequence[Memory],
    now: datetime,
    zone: tzinfo,
    policy: ReadPolicy,
    may_tell: Callable[[str], bool] = anything,
    *,
    is_alone: bool,
) -> Block:
    """Write the server's own memories that fit, at most ``most_lore``, for the end of the block."""
    lines = _Lines(policy.block_tokens // 4, now, zone, policy, may_tell)
    lines.add_rows("Lore", rows[: policy.most_lore])
    if not lines.written:
        return Block()
    heading = "[What you know about this server:]\n" if is_alone else ""
    return Block(f"{heading}Lore: {lines.written['Lore']}", tuple(lines.rows))


TALK_HEADING = "[What was talked about before:]"
OPEN_WORDS = {
    LoopKind.GOAL: "a goal",
    LoopKind.PROMISE: "promised",
    LoopKind.QUESTION: "not answered yet",
    LoopKind.ASK: "wants to be asked",
}


@dataclass(frozen=True, slots=True)
class Talk:
    """What a block says of conversations that are over, and of what is open since."""

    text: str = ""
    loops: tuple[OpenLoop, ...] = ()
    about_ids: tuple[int, ...] = ()


def now_line(
    summary: Summary | None,
    policy: ReadPolicy,
    may_tell: Callable[[str], bool] = anything,
) -> str:
    """Write what the conversation that goes on was about so far, in one line; empty if there is
    nothing to say of it."""
    if summary is None:
        return ""
    lines = _Lines(policy.now_tokens, summary.said_to, UTC, policy, may_tell)
    lines.add_text("Now", one_line(summary.text))
    return f"Now: {lines.written['Now']}" if lines.written else ""


def talk_block(
    loops: Sequence[tuple[str, OpenLoop]],
    earlier: Sequence[Summary],
    wanted: frozenset[str],
    now: datetime,
    zone: tzinfo,
    policy: ReadPolicy,
    may_tell: Callable[[str], bool] = anything,
) -> Talk:
    """Write what is open of people, by name, and what was talked about, to end the block with."""
    room = int(policy.block_tokens * policy.talk_share) - estimate_tokens(f"{TALK_HEADING}\n")
    lines = _Lines(room, now, zone, policy, may_tell)
    raised = [one for one in loops[: policy.most_open] if lines.add_loop(*one)]
    told = [one for one in earlier if lines.add_earlier(one, wanted)]
    if not lines.written:
        return Talk()
    body = [f"{label}: {said}" for label, said in lines.written.items()]
    about = {loop.member.user_id for _, loop in raised}
    about.update(user_id for one in told for user_id in one.about_ids)
    return Talk(
        "\n".join([TALK_HEADING, *body]),
        tuple(loop for _, loop in raised),
        tuple(sorted(about)),
    )


class _Lines:
    """The block's lines as they fill up, within what is left of the budget."""

    def __init__(
        self,
        room: int,
        now: datetime,
        zone: tzinfo,
        policy: ReadPolicy,
        may_tell: Callable[[str], bool],
        cuts: Cuts | None = None,
    ) -> None:
        self._room = room
        self._cuts = cuts
        self._may_tell = may_tell
        self._now = now
        self._zone = zone
        self._policy = policy
        self._kinds: Counter[Kind] = Counter()
        self._words: list[frozenset[str]] = []
        self._misses = 0
        self.written: dict[str, str] = {}
        self.rows: list[Memory] = []
        self.said: list[Quote] = []

    def add_text(self, label: str, text: str) -> None:
        """Add a line of plain text, cut at a word where the room ends."""
        text = text if self._may_tell(text) else ""
        while text and estimate_tokens(f"{label}: {text}\n") > self._room:
            text = clip(text, len(text) * 3 // 4, at_word=True) if len(text) > 40 else ""
        if text:
            self._room -= estimate_tokens(f"{label}: {text}\n")
            self.written[label] = text

    def add_rows(self, label: str, rows: Iterable[Memory]) -> None:
        """Add as many rows as fit, whole, within the limits of the policy."""
        for row in rows:
            if self._is_full():
                break
            self._add_row(label, row)

    def add_matching(self, known: Known) -> None:
        """Add memories and messages that fit the message, the best of each first, in the
        proportion of the policy; what one leaves of its share is the other's."""
        memories, messages = _shorter_of_each(known, self._now, self._zone, self._policy)
        if self._cuts is not None:
            kept = {one.row.id for one in memories}, {one.row.event_id for one in messages}
            for memory in known.relevant:
                if memory.row.id not in kept[0]:
                    self._cuts.note(memory.row, Cut.SHORTER)
            for message in known.said:
                if message.row.event_id not in kept[1]:
                    self._cuts.note(message.row, Cut.SHORTER)
        spent = {"Relevant": 0.0, "Said": 0.0}
        share = {"Relevant": 1.0 - self._policy.said_share, "Said": self._policy.said_share}
        rows, said = deque(memories), deque(messages)
        while (rows or said) and not self._is_full():
            before = self._room
            is_behind = spent["Relevant"] * share["Said"] <= spent["Said"] * share["Relevant"]
            label = "Relevant" if rows and (is_behind or not said) else "Said"
            if label == "Relevant":
                self._add_row(label, rows.popleft().row)
            else:
                self._add_said(said.popleft().row, known.wanted)
            spent[label] += before - self._room

    def add_loop(self, name: str, loop: OpenLoop) -> bool:
        """Add something that is open; False if it may not be told, or has no room."""
        age = age_in_words(min(loop.created_at, self._now), self._now, self._zone)
        said = f"{clip(one_line(clean(name)), 80)}: {loop.text} ({OPEN_WORDS[loop.kind]}, {age})"
        return self._may_tell(loop.text) and self._add("Open", said, frozenset()) is None

    def add_earlier(self, one: Summary, wanted: frozenset[str]) -> bool:
        """Add what fits best of a chapter; False if it may not be told, or has no room."""
        words = excerpt(one_line(one.text), wanted, self._policy.excerpt_characters)
        said = f"{_day(one.said_from, self._now, self._zone)}, {words}"
        return self._may_tell(one.text) and self._add("Earlier", said, frozenset()) is None

    def _add_row(self, label: str, row: Memory) -> None:
        cut: Cut | None
        if self._kinds[row.kind] >= self._policy.most_of_kind[row.kind]:
            cut = Cut.MOST_OF_KIND
        elif not self._may_tell(row.text):
            cut = Cut.UNFIT
        else:
            words = frozenset(row.stems.split("\n", 1)[0].split())
            cut = self._add(label, phrase(row, self._now, self._zone), words)
        if cut is None:
            self._kinds[row.kind] += 1
            self.rows.append(row)
        elif self._cuts is not None:
            self._cuts.note(row, cut)

    def _add_said(self, one: Said, wanted: frozenset[str]) -> None:
        shown, cut = "", Cut.UNFIT if not self._may_tell(one.text) else None
        if cut is None:
            shown = excerpt(one.text, wanted, self._policy.excerpt_characters)
            words = frozenset(one.stems.split())
            cut = self._add("Said", _quoted(shown, one, self._now, self._zone), words)
        if cut is None:
            self.said.append(Quote(one.event_id, one.message_id, shown))
        elif self._cuts is not None:
            self._cuts.note(one, cut)

    def _add(self, label: str, said: str, words: frozenset[str]) -> Cut | None:
        """Add one item to a line; returns why not, if it is too long or much like one before."""
        if self._is_repeated(words):
            return Cut.SAME_WORDS
        written = self.written.get(label)
        cost = estimate_tokens(f"{label}: {said}\n" if written is None else f" | {said}")
        if cost > self._room:
            self._misses += 1
            return Cut.NO_ROOM
        self._room -= cost
        self._misses = 0
        self._words.append(words)
        self.written[label] = said if written is None else f"{written} | {said}"
        return None

    @property
    def has_most_items(self) -> bool:
        """Whether there are as many items as may be."""
        return len(self.rows) + len(self.said) >= self._policy.most_items

    def _is_full(self) -> bool:
        """Whether there are as many items as may be, or no more is likely to fit."""
        return (
            self.has_most_items or self._room < SHORTEST_ITEM_TOKENS or self._misses >= MOST_MISSES
        )

    def _is_repeated(self, words: frozenset[str]) -> bool:
        return bool(words) and any(
            len(words & other) >= self._policy.same_words * len(words | other)
            for other in self._words
        )


def _shorter_of_each(
    known: Known, now: datetime, zone: tzinfo, policy: ReadPolicy
) -> tuple[list[Ranked[Memory]], list[Ranked[Said]]]:
    """Leave out, where a memory and its message both stand high, the longer of the two."""
    messages = {one.row.message_id: one.row for one in known.said[:MOST_COMPARED]}
    rows_out: set[int] = set()
    messages_out: set[int] = set()
    for ranked in known.relevant[:MOST_COMPARED]:
        for message_id in known.messages.get(ranked.row.id, ()):
            message = messages.get(message_id)
            if message is None:
                continue
            told = len(phrase(ranked.row, now, zone))
            text = excerpt(message.text, known.wanted, policy.excerpt_characters)
            if told <= len(_quoted(text, message, now, zone)):
                messages_out.add(message_id)
            elif message_id not in messages_out:
                rows_out.add(ranked.row.id)
    return (
        [one for one in known.relevant if one.row.id not in rows_out],
        [one for one in known.said if one.row.message_id not in messages_out],
    )


def phrase(row: Memory, now: datetime, zone: tzinfo) -> str:
    """Return a row as it is said: a pattern as a tendency, an episode with its date, with ages.

    What a clock that jumped has put into the future was said just now.
    """
    text = f"tends to: {row.text}" if row.kind is Kind.PATTERN else row.text
    confirmed = min(row.last_confirmed_at, now)
    days = (now - confirmed).days
    if row.kind is Kind.CONSTRAINT:
        return text
    if row.kind is Kind.EPISODE and days >= NEWEST_DATES_SAID_AS_AGE_DAYS:
        return f"{text} ({_day(row.created_at, now, zone)})"
    return f"{text} ({age_in_words(confirmed, now, zone)})"


def _quoted(shown: str, one: Said, now: datetime, zone: tzinfo) -> str:
    """Return a message's words in quotation marks, which they cannot break out of, with its day.

    What came with a message says so before them.
    """
    words = shown.replace('"', "'")
    label = f"{one.label} " if one.label else ""
    return f'{label}"{words}" ({_day(one.said_at, now, zone)})'


def _day(at: datetime, now: datetime, zone: tzinfo) -> str:
    """Return "12 March", with the year if it is not this one's."""
    said = min(at, now).astimezone(zone)
    year = "" if said.year == now.astimezone(zone).year else f" {said.year}"
    return f"{said.day} {said:%B}{year}"


def split_budget(people: int, policy: ReadPolicy, tokens: int | None = None) -> list[int]:
    """Share the block's tokens (or ``tokens`` of them) among people of whom something is known.

    The first, who is the speaker if anything is known of them, gets at least half.
    """
    whole = policy.block_tokens if tokens is None else tokens
    others = people - 1
    if others <= 0:
        return [whole] * people
    first = whole // 2
    return [first, *[(whole - first) // others] * others]
