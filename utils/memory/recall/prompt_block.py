"""Writes the memory block that goes before the prompt's last message, within a token budget."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from utils.common.text import age_in_words, clean, clip, estimate_tokens, one_line
from utils.memory.consolidation.wording import beside_stems
from utils.memory.policy.recall_policy import MAX_PER_KIND, RecallPolicy
from utils.memory.recall.person_recall import (
    PersonRecall,
    choose_of_pairs,
    most_for_their_room,
)
from utils.memory.recall.phrasing import (
    dated,
    day_of,
    excerpt,
    phrase,
    quotable,
    quoted,
    statements,
    time_of,
)
from utils.models.episode import LoopKind, OpenLoop, Summary
from utils.models.memory import Form, Kind, Memory
from utils.models.recall import Omission, Omissions, Quote, Ranked, Said

MIN_ITEM_TOKENS = 6
MAX_TOLD_WHOLE = 2  # past episodes; of more, only the topics
MAX_TOPIC = 80  # characters
MAX_MISSES = 8  # in a row; later items match less well and hardly ever fit
RETRIED = (Omission.MAX_PER_KIND, Omission.NO_STATEMENT)  # memories, with their messages


@dataclass(frozen=True, slots=True)
class PromptSection:
    """A person's part of the prompt, and the rows and messages that are in it."""

    text: str = ""
    rows: tuple[Memory, ...] = ()
    said: tuple[Quote, ...] = ()


def allow_all(_text: str) -> bool:
    """Allow every text."""
    return True


@dataclass(frozen=True, slots=True)
class BlockContext:
    """When and how a block is written; texts that ``may_tell`` refuses are left out.

    ``cuts`` records what is left out, and why.
    """

    now: datetime
    zone: tzinfo
    policy: RecallPolicy
    may_tell: Callable[[str], bool] = allow_all
    cuts: Omissions = field(default_factory=Omissions)


def person_section(
    person: PersonRecall, context: BlockContext, budget_tokens: int
) -> PromptSection:
    """Return one person's section in at most ``budget_tokens``, as estimated.

    The profile comes first and is shortened if necessary. Then come constraints, memories and
    messages that match, and recent memories, each only whole. The section is empty if nothing is
    known.
    """
    heading = f"[What you know about {clip(one_line(clean(person.name)), 80)}:]"
    writer = _SectionWriter(budget_tokens, context, heading)
    writer.add_text("Profile", person.profile)
    writer.add_rows("Courtesy", person.constraints)
    writer.add_matching(person)
    writer.add_rows("Recent", person.recent)
    if writer.has_most_items:
        context.cuts.default = Omission.MAX_ITEMS
    lines = writer.lines
    if not lines:
        return PromptSection()
    order = ("Profile", "Courtesy", "Recent", "Relevant", "Said")
    body = [f"{label}: {lines[label]}" for label in order if label in lines]
    return PromptSection("\n".join([heading, *body]), tuple(writer.rows), tuple(writer.said))


def server_section(
    lore: Sequence[Memory], facts: Sequence[Memory], context: BlockContext
) -> PromptSection:
    """Return the section of matching server memories, at most ``most_lore`` stories.

    Facts are told as what a member said, so that none reads as an instruction.
    """
    writer = _SectionWriter(context.policy.block_tokens // 4, context)
    writer.add_rows("A member said here", facts)
    writer.add_rows("Lore", lore[: context.policy.most_lore])
    if not writer.lines:
        return PromptSection()
    lines = [f"{label}: {line}" for label, line in writer.lines.items()]
    return PromptSection(
        "\n".join(["[What you know about this server:]", *lines]), tuple(writer.rows)
    )


TALK_HEADING = "[What was talked about before:]"
OPEN_WORDS = {
    LoopKind.GOAL: "a goal",
    LoopKind.PROMISE: "promised",
    LoopKind.QUESTION: "not answered yet",
    LoopKind.ASK: "wants to be asked",
}


@dataclass(frozen=True, slots=True)
class ConversationSection:
    """The section of past conversations and open loops, and whom it is about."""

    text: str = ""
    loops: tuple[OpenLoop, ...] = ()
    about_ids: tuple[int, ...] = ()
    episodes: tuple[Summary, ...] = ()


def now_line(summary: Summary | None, context: BlockContext) -> str:
    """Return one line about the current conversation so far; empty without a summary."""
    if summary is None:
        return ""
    writer = _SectionWriter(context.policy.now_tokens, context)
    writer.add_text("Now", one_line(summary.text))
    return f"Now: {writer.lines['Now']}" if writer.lines else ""


def conversation_section(
    loops: Sequence[tuple[str, OpenLoop]],
    episodes: Sequence[Summary],
    query_stems: frozenset[str],
    context: BlockContext,
) -> ConversationSection:
    """Return the section of open loops, with their members' names, and of past episodes."""
    policy = context.policy
    budget = int(policy.block_tokens * policy.talk_share)
    writer = _SectionWriter(budget, context, TALK_HEADING)
    shown_loops = [
        (name, loop) for name, loop in loops[: policy.most_open] if writer.add_loop(name, loop)
    ]
    is_brief = len(episodes) > MAX_TOLD_WHOLE
    shown_episodes = [
        summary
        for summary in episodes
        if writer.add_episode(summary, query_stems, is_brief=is_brief)
    ]
    if not writer.lines:
        return ConversationSection()
    body = [f"{label}: {line}" for label, line in writer.lines.items()]
    about = {loop.member.user_id for _, loop in shown_loops}
    about.update(user_id for summary in shown_episodes for user_id in summary.about_ids)
    return ConversationSection(
        "\n".join([TALK_HEADING, *body]),
        tuple(loop for _, loop in shown_loops),
        tuple(sorted(about)),
        tuple(shown_episodes),
    )


@dataclass(frozen=True, slots=True)
class _SameTime:
    """Neighbouring items of a line, and the time that they share, in words; empty: no time."""

    texts: list[str]
    when: str = ""


class _SectionWriter:
    """Writes the lines of one section until its token budget is used up."""

    def __init__(self, budget: int, context: BlockContext, heading: str = "") -> None:
        """The heading is paid for but not written."""
        self._budget, self._heading = budget, heading
        self._tokens_left = budget - estimate_tokens(heading)
        self._tokens_spent = 0  # each item's cost, rounded up
        self._is_counted = True  # _tokens_left is what the lines leave, not what the items leave
        self._cuts = context.cuts
        self._may_tell = context.may_tell
        self._now, self._zone = context.now, context.zone
        self._policy = context.policy
        self._kinds: Counter[Kind] = Counter()
        self._words: list[tuple[frozenset[str], str]] = []
        self._every_word: set[str] = set()
        self._misses = 0
        self._items: dict[str, list[_SameTime]] = {}
        self.rows: list[Memory] = []
        self.said: list[Quote] = []

    def add_text(self, label: str, text: str) -> None:
        """Add a line of plain text, shortened at a word to fit the budget."""
        text = text if self._may_tell(text) else ""
        while text and (cost := estimate_tokens(f"{label}: {text}\n")) > self._tokens_left:
            text = clip(text, len(text) * 3 // 4, at_word=True) if len(text) > 40 else ""
        if text:
            self._tokens_left -= cost
            self._items[label] = [_SameTime([text])]

    def add_rows(self, label: str, rows: Iterable[Memory]) -> None:
        """Add as many whole memories as the budget and the policy allow."""
        for row in rows:
            if self._is_full():
                break
            self._add_row(label, row)

    def add_matching(self, person: PersonRecall) -> None:
        """Add matching memories and messages in the policy's proportion.

        Those that match best for the room they take come first. A share that memories or messages
        do not use goes to the other.
        """
        policy = self._policy
        choice = choose_of_pairs(person, self._now, self._zone, policy)
        spent = {"Relevant": 0, "Said": 0}
        said_share = person.said_share(policy)
        share = {"Relevant": 1.0 - said_share, "Said": said_share}
        rows = deque(most_for_their_room(choice.memories, policy))
        messages = deque(most_for_their_room(choice.messages, policy))
        tried = {match.row.event_id for match in choice.messages}
        tried_rows = {match.row.id for match in choice.memories}
        while (rows or messages) and not self._is_full():
            before = self._tokens_spent
            is_behind = spent["Relevant"] * share["Said"] <= spent["Said"] * share["Relevant"]
            if rows and messages and not any(spent.values()):
                is_behind = rows[0].score >= messages[0].score
            label = "Relevant" if rows and (is_behind or not messages) else "Said"
            if label == "Relevant":
                row = rows.popleft().row
                partners = choice.messages_of.get(row.id, ())
                cut = self._add_row(label, row)
                # A message is tried instead of a memory that is left out for these reasons.
                others = [
                    match
                    for match in partners
                    if cut in RETRIED
                    or (cut is Omission.NO_ROOM and len(match.row.text) < len(row.text))
                ]
                if not others:
                    self._note_pair(partners)
                others = [match for match in others if match.row.event_id not in tried]
                if others:
                    messages = deque(most_for_their_room((*messages, *others), policy))
                tried.update(match.row.event_id for match in partners)
            else:
                message = messages.popleft().row
                memories = choice.memories_of.get(message.event_id, ())
                if self._add_said(message, person):
                    untried = [match for match in memories if match.row.id not in tried_rows]
                    tried_rows.update(match.row.id for match in memories)
                    if untried:
                        rows = deque(most_for_their_room((*rows, *untried), policy))
                else:
                    self._note_pair(memories)
            spent[label] += self._tokens_spent - before

    def _note_pair(self, left_out: Iterable[Ranked[Memory] | Ranked[Said]]) -> None:
        for match in left_out:
            self._cuts.note(match.row, Omission.PAIR)

    def add_loop(self, name: str, loop: OpenLoop) -> bool:
        """Add an open loop; False if it must not be shown or does not fit."""
        age = age_in_words(min(loop.created_at, self._now), self._now, self._zone)
        line = f"{clip(one_line(clean(name)), 80)}: {loop.text} ({OPEN_WORDS[loop.kind]}, {age})"
        return self._may_tell(loop.text) and self._add("Open", line, frozenset()) is None

    def add_episode(
        self, summary: Summary, query_stems: frozenset[str], *, is_brief: bool = False
    ) -> bool:
        """Add the best sentences of a summary, or only its topic if ``is_brief``.

        Returns False if it must not be shown or does not fit.
        """
        limit = MAX_TOPIC if is_brief else self._policy.excerpt_characters
        text = summary.topic if is_brief and summary.topic else summary.text
        words = excerpt(one_line(text), query_stems, limit)
        line = f"{day_of(summary.said_from, self._now, self._zone)}, {words}"
        may_tell = self._may_tell(summary.text) and self._may_tell(text)
        return may_tell and self._add("Earlier", line, frozenset()) is None

    def _add_row(self, label: str, row: Memory) -> Omission | None:
        cut: Omission | None
        is_quote = row.form is Form.QUOTE
        label = "Said" if is_quote else label
        # A stored policy may be older than the kind.
        limit = self._policy.most_of_kind.get(row.kind, MAX_PER_KIND[row.kind])
        if not is_quote and self._kinds[row.kind] >= limit:
            cut = Omission.MAX_PER_KIND
        elif is_quote and not statements(row.text):
            cut = Omission.NO_STATEMENT
        elif not self._may_tell(row.text):
            cut = Omission.UNFIT
        else:
            words = frozenset(row.stems.split("\n", 1)[0].split())
            when = time_of(row, self._now, self._zone)
            cut = self._add(label, phrase(row), words, when)
        if cut is None:
            self._kinds[row.kind] += row.form is Form.NOTE
            self.rows.append(row)
        else:
            self._cuts.note(row, cut)
        return cut

    def _add_said(self, message: Said, person: PersonRecall) -> Omission | None:
        is_unasked = message.is_page and person.statement_share > 0.5
        quote = "" if is_unasked else quotable(message, person.others)
        text = excerpt(quote, person.query_stems, self._policy.excerpt_characters)
        cut = None if text else Omission.NO_STATEMENT
        if cut is None and not self._may_tell(message.text):
            cut = Omission.UNFIT
        if cut is None:
            words = frozenset(message.stems.split())
            day = day_of(message.said_at, self._now, self._zone)
            cut = self._add("Said", quoted(text, message), words, day)
        if cut is None:
            self.said.append(Quote(message.event_id, message.message_id, text))
        else:
            self._cuts.note(message, cut)
        return cut

    @property
    def lines(self) -> dict[str, str]:
        """The text of each line, by its label."""
        return {
            label: " | ".join(dated("; ".join(items.texts), items.when) for items in line)
            for label, line in self._items.items()
        }

    def _add(self, label: str, text: str, words: frozenset[str], when: str = "") -> Omission | None:
        """Add one item to a line, beside those of the same time: "a; b (12 March) | c (1 May)".

        Returns why it was left out, or None if it was added.
        """
        if self._is_repeated(words, text):
            return Omission.SAME_WORDS
        line = self._items.get(label, [])
        same_time = next((items for items in line if when and items.when == when), None)
        if same_time is not None:
            cost = estimate_tokens(f"; {text}")
        else:
            cost = estimate_tokens(f"{' |' if line else f'{label}:'} {dated(text, when)}")
        if cost > self._tokens_left:
            self._count_lines()
        if cost > self._tokens_left:
            self._misses += 1
            return Omission.NO_ROOM
        self._tokens_left -= cost
        self._tokens_spent += cost
        self._is_counted = False
        self._misses = 0
        self._words.append((words, text))
        self._every_word |= words
        if same_time is not None:
            same_time.texts.append(text)
        else:
            self._items.setdefault(label, []).append(_SameTime([text], when))
        return None

    def _count_lines(self) -> None:
        """Count what the lines leave of the budget: each item's cost was rounded up."""
        if not self._is_counted:
            lines = (f"{label}: {line}" for label, line in self.lines.items())
            tokens = estimate_tokens("\n".join((self._heading, *lines)))
            self._tokens_left = max(self._tokens_left, self._budget - tokens)
            self._is_counted = True

    @property
    def has_most_items(self) -> bool:
        """Whether the policy's maximum of items is reached."""
        return len(self.rows) + len(self.said) >= self._policy.most_items

    def _is_full(self) -> bool:
        """Whether the maximum is reached or hardly anything more can fit."""
        if self._tokens_left < MIN_ITEM_TOKENS:
            self._count_lines()
        return (
            self.has_most_items or self._tokens_left < MIN_ITEM_TOKENS or self._misses >= MAX_MISSES
        )

    def _is_repeated(self, words: frozenset[str], text: str) -> bool:
        """Whether the block has hardly other words, the same numbers, and what stems do not say."""
        if not words or len(words & self._every_word) < self._policy.same_words * len(words):
            return False
        return any(
            len(words & earlier) >= self._policy.same_words * len(words | earlier)
            and not any(character.isdigit() for stem in words ^ earlier for character in stem)
            and beside_stems(text) == beside_stems(earlier_text)
            for earlier, earlier_text in self._words
        )


def split_budget(people: int, tokens: int) -> list[int]:
    """Return the token budget of each person, out of ``tokens``.

    The first person, the speaker if anything is known of them, gets at least half.
    """
    other_count = people - 1
    if other_count <= 0:
        return [tokens] * people
    first = tokens // 2
    return [first, *[(tokens - first) // other_count] * other_count]
