"""Find what a person said that an answer may quote: by recall, and in the last turns."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from utils.memory.extraction.endings import last_day
from utils.memory.extraction.own_statements import is_told, own_part, own_statements, sentences_in
from utils.memory.member_data.view import MemberData
from utils.memory.policy.categories import Category
from utils.memory.recall.reader import Reader
from utils.memory.safety.filter import refusal_reason
from utils.memory.verification.sentences import normalised
from utils.models.conversation import PreparedPrompt, Turn
from utils.models.memory import Event, Form, Member, Memory
from utils.models.provenance import SourceKind, SourceRef
from utils.models.recall import Person, Said
from utils.nlp.confidential import is_confidential
from utils.without_model.questions import SentenceWords
from utils.without_model.small_talk import NO_CATEGORIES, parse_remark
from utils.without_model.wishes import answer_to_question, parse_wish


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence of a message or a memory that may be quoted."""

    text: str
    said_at: datetime
    user_id: int
    source: SourceRef
    row: Memory | None = None
    event_id: int = 0
    stems: str = ""
    words: SentenceWords = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", SentenceWords.of(self.text))

    @classmethod
    def of_row(cls, row: Memory) -> "Quotable":
        """Return the sentence of a memory."""
        source = SourceRef(SourceKind.MEMORY, row.id)
        return cls(row.text, row.last_confirmed_at, row.user_id, source, row, stems=row.stems)

    @property
    def is_note(self) -> bool:
        """Whether it is a note, not words of its author."""
        return self.row is not None and self.row.form is Form.NOTE


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds the sentences of one person that a turn may quote.

    ``forbidden`` subjects are quoted to their author only. ``is_open``: as all else that is secret,
    not even to them: they ask about a member who may listen.
    """

    reader: Reader
    member_data: MemberData
    forbidden: frozenset[Category]
    now: datetime
    turn: Turn
    prepared: PreparedPrompt
    person: Person
    is_open: bool = False

    @property
    def is_author(self) -> bool:
        """Whether the person asks."""
        return self.person == self.turn.people[0]

    async def find(self, text: str) -> list[Quotable]:
        """Return the sentences that match a text, and those of the last turns."""
        if not self.turn.settings.recall:
            return []
        author = self.turn.people[0]  # first: what others say in confidence is theirs alone
        recall, _ = await self.reader.recall_with_turns(
            self.turn.audience,
            tuple(dict.fromkeys((author, self.person))),
            text,
            settings=self.turn.settings,
            exclude_id=self.turn.event.message_id,
            with_turns=True,
        )
        others = frozenset[int]() if self.is_author else {author.user_id}
        usable = [of for of in recall.matches_by_user.items() if of[0] not in others]
        said = [
            quote
            for user_id, matches in usable
            for row in (message.row for message in matches.messages)
            if not row.label
            for quote in _quotable(row, row.said_at, user_id, row.event_id)
        ]
        rows = [Quotable.of_row(match.row) for _, matches in usable for match in matches.rows]
        return self._usable([*rows, *said, *self.turns()])

    async def everything(self, *, with_told: bool = False) -> list[Quotable]:
        """Return the memories, and what the last turns tell of themselves, or of anything else."""
        sources, is_own = self.turn.audience.sources, self.is_author
        member = Member(self.turn.event.guild_id, self.person.user_id)
        linked = sources if is_own else frozenset[int]()
        view = await self.member_data.show(member, sources, linked, for_others=not is_own)
        live = (row for row in view.rows if row.is_live(self.now) and self.turn.settings.recall)
        rows = [*map(Quotable.of_row, live)]
        row_texts = [normalised(item.text) for item in rows]
        stated = (item for item in self.turns() if with_told or any(own_statements(item.text)))
        turns = [i for i in stated if not any(text in normalised(i.text) for text in row_texts)]
        return without_noted(self._usable([*rows, *turns]))

    async def nearest(self, text: str, language: str) -> list[Quotable]:
        """Return the sentences whose meaning answers a question, nearest first."""
        ids = await self.reader.nearest(text, language, self.turn.event.guild_id, self.person)
        found = [item for item in await self.find(text) if item.event_id in ids] if ids else []
        return sorted(found, key=lambda item: ids.index(item.event_id))

    def turns(self) -> list[Quotable]:
        """Return the sentences of the person's messages among the last turns."""
        member = Member(self.turn.event.guild_id, self.person.user_id)
        return [
            quote
            for line in self.prepared.turns
            if self.turn.settings.recall and line.is_by(member)
            for quote in _quotable(line, line.created_at, line.author_id, line.id)
        ]

    def _usable(self, items: Iterable[Quotable]) -> list[Quotable]:
        """Return what is not over, and may be quoted here."""
        zone = self.turn.settings.zone
        today = self.now.astimezone(zone).date()
        is_private = self.is_author and not self.is_open
        forbidden = NO_CATEGORIES if is_private else self.forbidden
        return [
            item
            for item in items
            if item.is_note or (last_day(item.text, item.said_at, zone) or today) >= today
            if is_private or not is_confidential(item.text, item.stems)
            if refusal_reason(item.text, forbidden) is None
        ]


def without_noted(items: Collection[Quotable]) -> list[Quotable]:
    """Return what did not become one of the notes: not "sorry, York, not Leeds"."""
    noted_at = {item.said_at for item in items if item.is_note}
    wish_in = partial(parse_wish, all_kinds=True)
    return [i for i in items if i.row or i.said_at not in noted_at or not wish_in(i.text)]


def _quotable(line: Event | Said, at: datetime, user_id: int, event_id: int) -> Iterator[Quotable]:
    """Yield the sentences that may be quoted: no questions, orders, remarks or answers to Kith."""
    source = SourceRef(SourceKind.MESSAGE, line.message_id)
    for sentence in sentences_in(own_part(line.text)):
        is_said = is_told(sentence) or (": " in sentence and is_confidential(sentence))
        if is_said and parse_remark(sentence) is None and answer_to_question(sentence, 1) is None:
            yield Quotable(sentence, at, user_id, source, event_id=event_id, stems=line.stems)
