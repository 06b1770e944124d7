"""Carry out what a member asks of their own memory in one turn: forget, correct, remember.

A wish comes from the model's tool call, or without a model from the patterns of the language files.
It reaches only the member's own rows that every reader of the channel may hear. What it means is
found by number, by words, by a reply, or is what was just said or told. Erasing is final: whatever
is not plain is asked first, and carried out by one press.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import takewhile

from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.common.grouping import grouped
from utils.common.text import clip, one_line
from utils.common.visible_text import own_words_of
from utils.conversation.corrected_sentence import corrected, may_hold, may_stand, respelled
from utils.conversation.memory_matching import (
    is_said,
    match_references,
    nearest,
    shares_words,
    words_of,
    words_of_request,
)
from utils.conversation.speaker_memories import SpeakerMemories
from utils.memory.extraction.own_statements import (
    MIN_WORDS,
    corrects,
    is_question,
    is_told,
    own_statements,
    sentences_in,
    statement_language,
    tokens_of,
    words_in,
)
from utils.memory.extraction.own_statements import words_of as statement_words
from utils.memory.extraction.stated_names import stated_name
from utils.memory.member_data.edit_rules import refusal
from utils.memory.member_data.editor import MemoryEditor
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.member_data.search import MAX_SEARCH_LENGTH, MemorySearch
from utils.memory.member_data.view import MemberData
from utils.models.conversation import (
    ASKED_FOR,
    EVERYTHING,
    ForgetQuestion,
    PreparedPrompt,
    Result,
    Target,
    TargetKind,
    Turn,
    WishOutcome,
)
from utils.models.episode import OpenLoop
from utils.models.memory import MEMORY_LIMIT, Event, Form, Member, Memory, Role
from utils.models.provenance import SourceKind, SourceRole
from utils.models.recall import MemberMessage
from utils.models.transfer import Statement
from utils.nlp.answer_types import (
    DETERMINERS,
    is_negated,
    is_number,
    is_place_preposition,
    value_kind,
    value_of,
)
from utils.nlp.dates.relative import with_dates
from utils.nlp.dates.vocabulary import DATES
from utils.nlp.languages import languages, shared_tables
from utils.nlp.person_and_negation import has_first_person
from utils.nlp.questions import ends_as_question
from utils.without_model.questions import SentenceWords, may_ask
from utils.without_model.texts import texts_of
from utils.without_model.wishes import CORRECTIONS, Wish, WishKind, answer_to_question, parse_wish

MAX_NAMED = 8
"""Memories that one question names. What else fits stays until it is asked for again."""
MAX_CHOICES = 3
MAX_REFERRING_WORDS = 8
"""Words of a message that may mean what was just said or told without naming it."""
ALIKE_WORDS = 3  # at the beginning of a sentence and its correction, or in one that names another
MAX_TARGETS = 9  # more do not fit into a button
MAX_SHOWN = 120
MAX_WAITING = 10_000
_CLAUSE_BREAK = re.compile(r"(?<=[.,!?…;:\n])\s+| (?:-|–|—) | (?=(?:but|aber) )")


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that a wish may mean: a memory, a stored message, or something to be asked about.

    ``row`` is set for a memory. ``message_id`` is that of the message that it is or rests on, and
    ``said_at`` when it was said.
    """

    text: str
    targets: tuple[Target, ...]
    message_id: int = 0
    row: Memory | None = None
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ControlServices:
    """The services that a wish needs."""

    editor: MemoryEditor
    member_data: MemberData
    loops: OpenLoops
    search: MemorySearch
    clock: Clock

    async def forget(
        self, member: Member, targets: Iterable[Target], message_ids: Sequence[int] = ()
    ) -> int:
        """Erase these for good, and the messages that asked; returns how many went.

        Raises DatabaseError.
        """
        ids = grouped((target.kind, target.id) for target in targets)
        if ids[TargetKind.EVERYTHING]:
            return await self.editor.forget_all(member) or 1
        count = 0
        memory_ids, event_ids = ids[TargetKind.MEMORY], ids[TargetKind.MESSAGE]
        if memory_ids or event_ids:
            count += await self.editor.forget_items(member, memory_ids, event_ids)
        for loop_id in ids[TargetKind.LOOP]:
            count += await self.loops.drop(member, loop_id)
        if message_ids:
            await self.editor.retention.retract(member.guild_id, message_ids)
        return count


class MemberControl:
    """Carries out the wishes of one turn."""

    def __init__(
        self,
        services: ControlServices,
        turn: Turn,
        prompt: PreparedPrompt,
        memories: SpeakerMemories,
    ) -> None:
        self._services = services
        self._turn = turn
        self._prompt = prompt
        self._memories = memories
        self._member = turn.event.member
        self.is_erased = False

    # --- wishes --------------------------------------------------------------------------------

    async def forget(
        self, what: str, *, is_own: bool = False, is_all: bool = False, is_sure: bool = True
    ) -> WishOutcome:
        """Erase what a wish names, or ask first.

        ``is_own``: the wish was read in the member's message, not proposed by a model. ``is_all``:
        it is for everything about it, also for questions. ``is_sure``: its words say nothing else,
        with which it may be talk: that is asked about. Raises DatabaseError.
        """
        units = await self._find(what, with_questions=is_all or not is_own)
        is_named = is_own or await self._means(units)
        if not units and not words_of(what):
            units = await self.referred()
            is_named = len(units) == 1 and not (is_own and what) and not self._is_answered()
        if not units:
            units, is_named = await self._nearest(what, with_messages=is_own), False
        if not units:
            return WishOutcome(Result.NOTHING_FITS)
        is_plain = is_sure and is_named and (is_own or await self._is_private())
        if len(units) > 1 or not is_plain:
            return self.ask(units)
        unit = units[0]
        event = self._turn.event
        goes = bool(what) or not _statements_beside(event.text)  # "forget that. I have a cat"
        wishes = [
            line.message_id
            for line in (event, *self._turn.earlier_lines)
            if (goes and line is event) or shares_words(unit.text, line.text)
        ]
        await self._services.forget(self._member, unit.targets, wishes)
        self.is_erased = True
        outcome = WishOutcome(Result.FORGOTTEN, self._shown([unit]))
        self._memories.drop_sources({target.id for target in unit.targets})
        return outcome

    def forget_everything(self) -> WishOutcome:
        """Ask whether everything about the member is to be erased."""
        return WishOutcome(Result.ASKED, question=self._question(((EVERYTHING,),)))

    async def correct(self, what: str, memory: str) -> WishOutcome:
        """Replace what is no longer right by the member's words, or remember them and ask.

        The words must follow from the message. Raises BadInput or DatabaseError.
        """
        units = [unit for unit in await self._find(what) if unit.row is not None]
        is_named = await self._means(units)
        if not units:
            units = [unit for unit in await self.referred() if unit.row is not None]
            is_named = len(units) == 1
        row = units[0].row if len(units) == 1 else None
        if row is not None and row.user_id != self._member.user_id:
            raise BadInput(
                "that cannot be corrected here. `/memory show` tells you, and only you, where it "
                "comes from, and you can have it forgotten there."
            )
        if row is None or not is_named:
            remembered = await self.remember(memory)
            question = self.ask(units, is_wish=False) if units else remembered
            return replace(question, result=remembered.result, texts=remembered.texts)
        statement = Statement.in_message(memory, self._turn.event, self._turn.audience)
        corrected = await self._services.editor.correct(self._member, row.id, statement)
        visible = self._memories.show([corrected])
        return WishOutcome(Result.CORRECTED, tuple(row.text for row in visible))

    async def remember(self, text: str, *, is_literal: bool = False) -> WishOutcome:
        """Store a note of the member's own message, or of what they just said before it.

        ``is_literal``: it is their own sentence, which needs no verdict. Raises BadInput or
        DatabaseError.
        """
        event = self._turn.event
        is_of_event = one_line(event.text) in text or shares_words(text, event.text)
        event = event if is_of_event else self._statement() or event
        row = await self._services.editor.remember(
            self._member, event, text, self._turn.audience, is_literal=is_literal
        )
        return WishOutcome(Result.REMEMBERED, tuple(row.text for row in self._memories.show([row])))

    async def carry_out(self, wish: Wish) -> WishOutcome | None:
        """Carry out a wish that was read in the message; None if it turns out to be none.

        Raises BadInput or DatabaseError.
        """
        outcome = await self._outcome_of(wish)
        says_more = bool(wish.what) if wish.kind is WishKind.REMEMBER else bool(wish.new)
        if wish.kind is WishKind.DOUBTFUL and wish.what:  # "each day I come home, drop my bag"
            says_more = bool(_statements_beside(self._turn.event.text))
        if outcome is not None and not self.is_erased and not says_more:
            await self._services.editor.retention.retract(
                self._member.guild_id, [self._turn.event.message_id]
            )
        return outcome

    async def _outcome_of(self, wish: Wish) -> WishOutcome | None:
        """Carry out a wish, and keep the message that asks for it."""
        text = self._turn.event.text
        if wish.kind is WishKind.KEEP_OFF:
            first = parse_wish(_CLAUSE_BREAK.split(text)[0])
            is_off = first is not None and first.kind is wish.kind
            if first and is_off and first.what and (
                not any(own_statements(first.what))
                or await self._find(first.what, with_questions=False)
            ):  # fmt: skip
                wish = first  # "don't save my age, but I like cake"
        if beside := _words_beside(wish, text):
            return await self._forget_own(wish, beside)
        if wish.kind is WishKind.EVERYTHING:
            return self.forget_everything()
        if wish.kind is WishKind.REMEMBER:
            before = self._statement()
            words = wish.what or (None if before is None else one_line(before.text))
            return None if words is None else await self.remember(words, is_literal=True)
        if wish.kind in CORRECTIONS:
            return await self._correct_own(wish)
        if wish.kind is WishKind.DOUBTFUL:
            units = await self._find(wish.what, with_questions=False)
            if not units and not words_of_request(wish.what):
                units = await self.referred()
            units = units or await self._nearest(wish.what, with_messages=True)
            is_guess = not units and is_question(wish.what) and has_first_person(wish.what)
            if is_guess:  # "how old I am": "I'm 15"
                units = await self._recent_units(MAX_CHOICES)
            return self.ask(units, is_guess=is_guess) if units else None
        if wish.keeps_nothing:
            return WishOutcome(Result.PRIVACY)
        if _means_its_message(wish, text) or (
            wish.kind is WishKind.KEEP_OFF  # "off the record, I …", said for the first time
            and any(own_statements(wish.what))
            and not await self._find(wish.what, with_questions=False)
        ):
            return WishOutcome(Result.KEPT_OFF)
        return await self._forget_own(wish, wish.what)

    async def _forget_own(self, wish: Wish, what: str) -> WishOutcome:
        """Erase what a wish names; if nothing fits its words, ask about what was said just before:
        it may be told in other words."""
        head = _CLAUSE_BREAK.split(what)[0]  # "my dad, shouldn't have told you"
        is_named = wish.kind is WishKind.FORGET and what == wish.what
        is_sure = not (is_named and words_of(what.removeprefix(head)))  # "my diet, I had cake"
        outcome = await self.forget(what, is_own=True, is_all=wish.is_all, is_sure=is_sure)
        if outcome.result is Result.NOTHING_FITS and head != what and words_of_request(head):
            outcome = await self.forget(head, is_own=True, is_all=wish.is_all, is_sure=False)
        if outcome.result is Result.NOTHING_FITS:
            if wish.kind is WishKind.KEEP_OFF:
                return WishOutcome(Result.KEPT_OFF)
            is_guess = has_first_person(what)  # "my meds": "I'm on citalopram"
            if is_guess or what != wish.what:  # "that was private, delete it"
                units = await (self._recent_units(MAX_CHOICES) if is_guess else self.referred())
                outcome = self.ask(units, is_guess=is_guess) if units else outcome
        return outcome

    async def _correct_own(self, wish: Wish) -> WishOutcome | None:
        """Keep the corrected sentence in the member's words, and erase the wrong one."""
        if not wish.what and may_ask(wish.new, statement_language(wish.new)):
            # "eigentlich mag ich Nebel": what is left without its first word is turned round.
            wish = replace(
                wish,
                new=next(
                    (line for line in sentences_in(self._turn.event.text) if wish.new in line),
                    wish.new,
                ),
            )
        is_sentence = any(own_statements(wish.new)) and not wish.said
        if not (is_sentence or _is_about_another(self._turn.event.text)):
            before = self._last_line()
            wish_before = None if before is None else parse_wish(before.text)
            if before and wish_before and wish_before.is_for_later and wish.what in before.text:
                return WishOutcome(Result.OF_REMINDERS)  # "make it 8" is no age, but "she's 81"
        old, units = await self._corrected_units(wish)
        if wish.kind is WishKind.CONTRAST and not units:
            return None
        if wish.said and not all(_may_replace(old, one_line(unit.text)) for unit in units):
            return self.ask(units, is_wish=False)  # "I'm not going, I'm staying home"
        if old and _is_about_another(self._turn.event.text):  # "he's 36, not 35": not of "I'm 35"
            units = [unit for unit in units if _names_another(unit.text, old)]
        if not units and wish.is_plain:
            units = await self._recent_units(1)
        if is_sentence or not old:  # "my brother lives in York, not in Leeds"
            units = [unit for unit in units if _may_be_wrong(unit.text, wish.new)]
        correct = self._correct_by_sentence if is_sentence else self._correct_by_value
        return await correct(wish, old, units)

    async def _corrected_units(self, wish: Wish) -> tuple[str, list[Unit]]:
        """Return the wrong value of a correction, and what it may stand in."""
        old = wish.what
        if wish.kind is WishKind.CONTRAST:
            return old, await self._contrasted(wish)
        if is_number(old):  # of a sentence, not of a memory
            number = re.compile(rf"(?<![\w.,:/-]){re.escape(old)}(?!\w|[.,:/-]\w)")
            rows = [row for row in await self._memories.load() if number.search(row.text)]
            said = [line for line in await self._recent_messages() if number.search(line.text)]
            text = self._turn.event.text
            units = [u for u in await self._units(rows, said) if _may_be_wrong(u.text, text)]
        elif old:
            units = await self._find(old)
        else:  # "it's spelled Shaun" after "my brother is called Sean"; else what "that" may mean
            alike = await self._with_alike(wish.new)
            units = await (self._units([], alike) if len(alike) == 1 else self.referred())
        if wish.said:  # "I don't live in York, I live in Leeds": not of who else lives in York
            units = [unit for unit in units if _says(unit.text, f"{wish.said} {old}")]
        elif old and not units:  # "my dog isn't called Rex"
            old = old.split()[-1]
            units = await self._find(old)
        return old, units

    async def _contrasted(self, wish: Wish) -> list[Unit]:
        """Return what "leeds not leicester" or "*sophia" is of: only what was just said like it."""
        old, new = wish.what, wish.new
        if has_first_person(new) and not any(own_statements(new)):
            return []  # "tea for me, not pizza"
        if not old:
            return await self._units([], await self._with_alike(new))
        recent = await self._recent_messages()
        return await self._units(
            [],
            [line for line in recent if _says(line.text, old) and may_stand(new, old, line.text)],
        )

    async def _correct_by_sentence(
        self, wish: Wish, old: str, units: list[Unit]
    ) -> WishOutcome | None:
        """Replace the wrong sentence by a right one: "no, my dog is called Max"."""
        new = wish.new
        if not old:
            doubted = [unit for unit in units if len(units) == 1 or not _says(unit.text, new)]
            units = [unit for unit in doubted if shares_words(unit.text, new)]
            if not units:
                return await self._ask_about_alike(wish, doubted)
        elif units and not shares_words(units[0].text, new):  # "it's not coffee, I drink tea"
            return self.ask(units[:MAX_CHOICES], is_wish=False)
        units = [  # "I don't like coffee" is not all of "I like tea and coffee"
            unit
            for unit in units
            if not is_negated(new)
            or all(shares_words(word, new) for word in unit.text.split() if words_of(word))
        ]
        return await self._replace(units, new) if units else None

    async def _ask_about_alike(self, wish: Wish, doubted: Sequence[Unit]) -> WishOutcome | None:
        """Ask about what was said before the last statement, if one is like a correction: "I live
        in Leeds" before "no, I live in York"; else about what is plainly said to be wrong."""
        earlier = [u for u in await self._recent_units() if not _says(u.text, wish.new)]
        first = words_in(wish.new)[:ALIKE_WORDS]
        alike = [unit for unit in earlier if words_in(unit.text)[:ALIKE_WORDS] == first]
        alike = alike or [
            unit
            for unit in earlier
            if shares_words(unit.text, wish.new) and _may_be_wrong(unit.text, wish.new)
        ]
        if len(alike) == 1:  # what more of them begin with tells none apart
            return self.ask(alike, is_wish=False)
        return self.ask(doubted[:MAX_CHOICES], is_wish=False) if doubted and wish.is_plain else None

    async def _correct_by_value(
        self, wish: Wish, old: str, units: list[Unit]
    ) -> WishOutcome | None:
        """Replace the wrong value in a sentence by a right one: "no, York"."""
        new, text = wish.new, self._turn.event.text
        if not words_in(new):  # "not Bonn, 🤷"
            new = ""
        if (
            len(words_of(new)) >= ALIKE_WORDS
            and not (old or any(shares_words(unit.text, new) for unit in units))
            and (named := await self._find(new))
        ):  # "that's wrong, Leo studies law", after other statements
            return self.ask(named, is_wish=False)
        if not units or not new:
            return self.ask(units[:MAX_CHOICES]) if units else None
        if not old and _is_about_another(units[0].text) and not any(own_statements(units[0].text)):
            return None  # "she's 22": of whom, no note would say
        has_number = any(map(is_number, new.split()))  # "nah 5 minutes"
        before = text.partition(new)[0].split()[-1:] if not (old or has_number) else []
        value = " ".join((*filter(is_place_preposition, before), new))  # "in Gera" is no name
        fitting = self._fitting(units, value, old)
        if fitting and not old and _is_about_another(text):  # "he's 31": of which of them?
            others = [u for u in await self._recent_units() if _names_another(u.text, old)]
            fitting = self._fitting(others, value, old) or fitting
        is_of_first = may_hold(units[0].text, new) and _can_be_wrong(units[0], value)
        if not (fitting or old or is_of_first):  # of an earlier sentence
            recent = await self._recent_units()
            fitting = self._fitting(recent, value, old)
            if fitting and not any(value_kind(value_of(new))):  # a name: of whom?
                return self.ask([unit for unit, _ in fitting][:MAX_CHOICES], is_wish=False)
            units = recent if len(recent) > 1 else units
        if fitting:
            return await self._replace([unit for unit, _ in fitting], fitting[0][1])
        pronouns = languages()[statement_language(text)].answers.others  # "no wait, she …"
        is_short = len(new.split()) < ALIKE_WORDS or new.split()[0] in pronouns
        is_plain = wish.is_plain or corrects(text)
        is_meant = bool(old) or (is_plain and (value_of(new) or (is_short and not has_number)))
        last = self._turn.replied_to or self._last_line()
        may_lack_place = value_of(new) or words_in(new)[-1] in DATES.day_parts
        # "no, in the evening", but not "no, at home"
        last_id = last.message_id if last and may_lack_place else 0
        units = [
            unit
            for unit in units
            if is_meant
            if _can_be_wrong(unit, new if unit.message_id == last_id else value)
        ]
        if not units:  # "tell me a joke"
            return None
        both = f"{one_line(units[0].text)} – {one_line(text)}"
        return await self._replace(units, "" if wish.is_plain else both)

    async def _replace(self, units: Sequence[Unit], new: str) -> WishOutcome:
        """Store the corrected sentence, if it is known, and erase the only one that is wrong; else
        ask which one that is."""
        if len(units) > 1 or not new:
            return self.ask(units[:MAX_CHOICES], is_wish=False)
        unit = await self._within_message(units[0])
        if unit.text != units[0].text:
            new = unit.text.replace(one_line(units[0].text), new)
        row = await self._services.editor.remember(
            self._member, self._turn.event, new, self._turn.audience, is_literal=True
        )
        if row.form is Form.QUOTE:  # of this message, in the place of a note too many
            raise refusal("over limit")
        kept_targets = {Target(TargetKind.MEMORY, row.id), *await self._other_notes(unit, new)}
        wrong = [target for target in unit.targets if target not in kept_targets]
        await self._services.forget(self._member, wrong)
        return WishOutcome(Result.CORRECTED, tuple(row.text for row in self._memories.show([row])))

    async def _with_alike(self, word: str) -> list[MemberMessage]:
        """Return what was said with another spelling of a word."""
        recent = await self._recent_messages()
        return [line for line in recent if respelled(one_line(line.text), word)]

    def _fitting(self, units: Sequence[Unit], new: str, old: str) -> list[tuple[Unit, str]]:
        """Return what has one place for a correction's value, with the corrected sentence; of "no,
        in Leeds", which says nothing, no note can be made."""
        return [
            (unit, self._dated(sentence, unit))
            for unit in units
            if _says_something(unit) and (sentence := corrected(one_line(unit.text), new, old))
        ]

    def _dated(self, sentence: str, unit: Unit) -> str:
        """Return a unit's corrected sentence with dates: its "last month" is not that of today."""
        zone = self._turn.settings.zone
        dated = with_dates(sentence, unit.said_at, zone) if unit.said_at is not None else None
        return sentence if dated is None else dated.text

    async def _within_message(self, unit: Unit) -> Unit:
        """Return a quote with all of its message, which is erased with it, if that fits a note."""
        if unit.row is None or unit.row.form is not Form.QUOTE:
            return unit
        stored = await self._services.member_data.messages(self._member)
        texts = [
            one_line(message.text) for message in stored if message.message_id == unit.message_id
        ]
        message_text = next((text for text in texts if one_line(unit.text) in text), "")
        return replace(unit, text=message_text) if 0 < len(message_text) < MEMORY_LIMIT else unit

    async def _other_notes(self, unit: Unit, still: str) -> list[Target]:
        """Return a message's other notes that do not say what goes: ``still`` holds them."""
        ids = {target.id for target in unit.targets if target.kind is TargetKind.MEMORY}
        ids -= {unit.row.id} if unit.row is not None else set()
        notes = [row for row in await self._memories.load() if row.id in ids]
        return [
            Target(TargetKind.MEMORY, row.id)
            for row in notes
            if row.form is Form.NOTE and is_said(row.text, still)
        ]

    # --- what is meant -------------------------------------------------------------------------

    async def _find(self, what: str, *, with_questions: bool = True) -> list[Unit]:
        """Return what a reference names by its number or its words, best first.

        Without questions, those of the member stand there only if nothing else fits.
        """
        article, _, noun = what.partition(" ")
        if article.casefold() in DETERMINERS and words_of_request(noun):
            what = noun  # "den" of two words may be Swedish, and a content word of English
        rows = list(match_references(await self._memories.load(), what))
        loops = list(match_references(await self._memories.load_loops(), what))
        messages: list[MemberMessage] = []
        if words_of_request(what):
            sources = self._turn.audience.sources
            text = clip(what, MAX_SEARCH_LENGTH, at_word=True)
            try:
                matches = await self._services.search.of_member(
                    self._member, text, sources, sources
                )
            except BadInput:
                return await self._units([*rows, *loops])
            rows += [row for row in matches.rows if row not in rows]
            messages = [*matches.messages]
            if not with_questions:
                statements = [  # messages that do more than ask
                    message
                    for message in messages
                    if not all(map(is_question, sentences_in(message.text)))
                ]
                messages = statements if statements or rows or loops else messages
        return await self._units([*rows, *loops], messages)

    async def _nearest(self, what: str, *, with_messages: bool) -> list[Unit]:
        """Return what has most words of a reference that nothing fits, at most MAX_CHOICES."""
        rows, loops = await self._memories.load(), await self._memories.load_loops()
        said = await self._statements(with_others=True) if with_messages else []
        candidates: list[Memory | OpenLoop | MemberMessage] = [*rows, *loops, *said]
        near = nearest(candidates, what)[:MAX_CHOICES]
        items = [item for item in near if not isinstance(item, MemberMessage)]
        return await self._units(items, [message for message in said if message in near])

    async def referred(self) -> list[Unit]:
        """Return what "that" may mean: the member's own last statement, or the memory that the
        answer before used, or what the message replies to."""
        quoted, statement = self._turn.replied_to, self._statement()
        stored = await self._services.member_data.messages(self._member)
        by_id = {message.message_id: message for message in stored}
        if quoted is not None and quoted.author_id == self._member.user_id:
            own_message = by_id.get(quoted.message_id)
            return await self._units([], [own_message]) if own_message is not None else []
        answer = self._last_answer()
        answer_id = 0 if answer is None else answer.message_id
        text = "" if answer is None else answer.text
        if quoted is not None and quoted.is_kith:
            statement, answer_id, text = None, quoted.message_id, quoted.text
        elif statement is not None and statement.message_id > answer_id:
            answer_id = 0
        units = []
        if statement is not None and (own_message := by_id.get(statement.message_id)) is not None:
            units = await self._units([], [own_message])
        used = await self._used(answer_id, text, by_id) if answer_id else []
        statement_targets = {target for unit in units for target in unit.targets}
        units += [unit for unit in used if statement_targets.isdisjoint(unit.targets)]
        if not units and not used:
            last_line = self._last_line()
            last_id = 0 if last_line is None else last_line.message_id
            if quoted is not None:  # what Kith's answer that it replies to answered
                turns = (turn for turn in self._prompt.turns if turn.message_id == answer_id)
                last_id = next((turn.reply_to_id or 0 for turn in turns), 0)
            own_message = by_id.get(last_id)
            units = await self._units([], [own_message]) if own_message is not None else []
        return units

    def _last_answer(self) -> Event | None:
        """Return Kith's last answer, other than to somebody else and not about the member."""
        turns, member = self._prompt.turns, self._member
        other_ids = {turn.message_id for turn in turns if turn.member != member}
        answers = (
            turn
            for turn in reversed(turns)
            if turn.role is Role.KITH
            if turn.reply_to_id not in other_ids or member.user_id in turn.about_ids
        )
        return next(answers, None)

    def _is_answered(self) -> bool:
        """Whether the member's last statement was answered, and something else after it."""
        statement, answer = self._statement(), self._last_answer()
        if statement is None or answer is None or self._turn.replied_to is not None:
            return False
        is_later = answer.message_id > statement.message_id
        return is_later and answer.reply_to_id not in (None, statement.message_id)

    async def _used(self, answer_id: int, text: str, by_id: dict[int, MemberMessage]) -> list[Unit]:
        """Return the speaker's memories and messages that an answer was made from and repeats."""
        event = next((turn for turn in self._prompt.turns if turn.message_id == answer_id), None)
        of_event = event.provenance.sources if event is not None else ()
        sources = of_event or await self._services.member_data.used_in(
            self._member.guild_id, answer_id
        )
        ids = {(ref.kind, ref.id) for ref in sources if ref.role is SourceRole.RECALLED}
        rows = [
            row
            for row in await self._memories.load()
            if (SourceKind.MEMORY, row.id) in ids and is_said(row.text, text)
        ]
        messages = [
            message
            for message in by_id.values()
            if (SourceKind.MESSAGE, message.message_id) in ids
            and message.source_id in self._turn.audience.sources
            and any(is_said(sentence, text) for sentence in sentences_in(message.text))
        ]
        return await self._units(rows, messages)

    async def _statements(self, *, with_others: bool = False) -> list[MemberMessage]:
        """Return the messages with which the member said something of themselves, newest first;
        or of anybody, ``with_others``."""
        return [
            message
            for message in await self._services.member_data.messages(self._member)
            if message.source_id in self._turn.audience.sources
            and message.message_id != self._turn.event.message_id
            and (any(own_statements(message.text)) or (with_others and is_told(message.text)))
        ]

    async def _recent_messages(self) -> list[MemberMessage]:
        """Return what the member said of themselves in the turns before, newest first."""
        turn_ids = {turn.message_id for turn in self._prompt.turns}
        return [said for said in await self._statements() if said.message_id in turn_ids]

    async def _recent_units(self, limit: int | None = None) -> list[Unit]:
        """Return the newest of what the member said of themselves in the turns before."""
        return await self._units([], (await self._recent_messages())[:limit])

    def _statement(self) -> Event | None:
        """Return the member's last line before this one, if it says something of themselves."""
        last = self._last_line()
        return last if last is not None and any(own_statements(last.text)) else None

    def _last_line(self) -> Event | None:
        """Return the member's last line with words before this one; None if it is a question."""
        lines = (
            *reversed(self._turn.earlier_lines),
            *(turn for turn in reversed(self._prompt.turns) if turn.member == self._member),
        )
        for line in lines:
            is_other = line.message_id != self._turn.event.message_id
            if is_other and words_in(line.text):
                return None if ends_as_question(line.text) else line
        return None

    async def _units(
        self,
        items: Sequence[Memory | OpenLoop],
        messages: Sequence[MemberMessage] = (),
    ) -> list[Unit]:
        """Return one unit for each memory, loop and message; what rests on a message is one."""
        rows = [item for item in items if isinstance(item, Memory)]
        messages_by_row = await self._services.member_data.last_said(
            [row.id for row in rows], self._turn.audience.sources
        )
        units: list[Unit] = []
        event = self._turn.event
        turn_ids = {line.message_id for line in (event, *self._turn.earlier_lines)}
        behind = {
            row.id: messages_by_row[row.id].message_id for row in rows if row.id in messages_by_row
        }
        for item in items:
            if isinstance(item, Memory):
                target, message_id = Target(TargetKind.MEMORY, item.id), behind.get(item.id, 0)
                is_of_wish = (message_id, item.created_at) == (event.message_id, event.created_at)
                if is_of_wish and item.form is Form.QUOTE:
                    continue  # the wish itself, which was read already
                units.append(Unit(item.text, (target,), message_id, item, item.last_confirmed_at))
            else:
                target = Target(TargetKind.LOOP, item.id)
                units.append(Unit(item.text, (target,), item.message_id))
        for message in messages:
            if message.message_id == event.message_id or _is_wish(message, turn_ids):
                continue
            if any(message.message_id == unit.message_id for unit in units):
                continue
            resting = tuple(
                Target(TargetKind.MEMORY, row_id) for row_id in message.memory_ids[:MAX_CHOICES]
            )
            if any(target in unit.targets for unit in units for target in resting):
                continue
            target = Target(TargetKind.MESSAGE, message.id)
            targets = (target, *resting)
            units.append(Unit(message.text, targets, message.message_id, None, message.said_at))
        return units

    async def _means(self, units: Sequence[Unit]) -> bool:
        """Whether the member's message means these: it names them, or it can only refer to them."""
        words, quoted = self._turn.words, self._turn.replied_to
        numbers = {int(digits) for digits in re.findall(r"[0-9]{1,18}", words)}
        # The member's own words name each by a shared word, a number, or a reply.
        if units and all(
            shares_words(unit.text, words)
            or not numbers.isdisjoint(target.id for target in unit.targets)
            or (quoted is not None and unit.message_id == quoted.message_id != 0)
            for unit in units
        ):
            return True
        is_short = len(self._turn.event.text.split()) <= MAX_REFERRING_WORDS
        referred = await self.referred() if units and is_short else []
        referred_targets = {target for unit in referred for target in unit.targets}
        known_ids = {unit.message_id for unit in referred if unit.message_id}
        return len(referred) == 1 and all(
            unit.message_id in known_ids or not referred_targets.isdisjoint(unit.targets)
            for unit in units
        )

    async def _is_private(self) -> bool:
        """Whether the prompt holds nobody's text but the member's, so that nobody else can have
        told the model what to erase."""
        turn, prompt = self._turn, self._prompt
        own_ids = {self._member.user_id, *(row.user_id for row in await self._memories.load())}
        other_ids = {*prompt.about_ids, *self._memories.about_ids} - own_ids
        sources = (*prompt.provenance.sources, *self._memories.provenance.sources)
        has_episodes = any(ref.kind is SourceKind.EPISODE for ref in sources)
        quoted = turn.quoted
        is_quoting = quoted is not None and not (
            quoted.is_kith or quoted.author_id == self._member.user_id
        )
        files = turn.event.attachment_texts or (quoted is not None and quoted.attachment_texts)
        is_showing = own_words_of(turn.words) != turn.words.strip()  # such as a forward
        return not (other_ids or has_episodes or is_quoting or files or is_showing)

    # --- erasing and asking --------------------------------------------------------------------

    def ask(
        self, units: Sequence[Unit], *, is_wish: bool = True, is_guess: bool = False
    ) -> WishOutcome:
        """Return a question that names what would be erased, with a choice of each if few.

        ``is_wish``: the message says nothing else, and goes as well. ``is_guess``: nothing fits
        the wish, and these are only what was said last.
        """
        named = units[:MAX_NAMED]
        while sum(len(unit.targets) for unit in named) > MAX_TARGETS:
            named = named[:-1]
        options = [unit.targets for unit in named] if len(named) <= MAX_CHOICES else []
        if len(named) != 1:
            options.append(tuple(target for unit in named for target in unit.targets))
        texts = self._shown(named)
        question = replace(self._question(tuple(options), is_wish=is_wish), is_guess=is_guess)
        result = Result.NOTHING_FITS if is_guess else Result.ASKED
        return WishOutcome(result, texts, question, texts, len(units) - len(named))

    def _question(
        self, options: tuple[tuple[Target, ...], ...], *, is_wish: bool = True
    ) -> ForgetQuestion:
        until = self._services.clock.now() + ASKED_FOR
        return ForgetQuestion(options, until, (self._turn.event.message_id,) if is_wish else ())

    def _shown(self, units: Sequence[Unit]) -> tuple[str, ...]:
        """Return units in words, those that may not be told here by their number; the answer rests
        on them."""
        rows = [unit.row for unit in units if unit.row is not None]
        visible_ids = {row.id for row in self._memories.show(rows)}
        may_tell, texts = self._turn.settings.recall, texts_of(self._turn, self._prompt)
        return tuple(
            texts.quote.format(text=clip(one_line(unit.text), MAX_SHOWN, at_word=True))
            if (unit.row is None and may_tell)
            or (unit.row is not None and unit.row.id in visible_ids)
            else f"{unit.targets[0].kind}{unit.targets[0].id}"
            for unit in units
        )


def _means_its_message(wish: Wish, text: str) -> bool:
    """Whether a wish is for what its own message says: "don't save this: I hate my job"."""
    statements = _statements_beside(text)
    if wish.kind is WishKind.KEEP_OFF:
        return any(not wish.what or part.strip(" .,:;!?…") in wish.what for part in statements)
    return bool(statements) and not wish.what and statements[-1] != _CLAUSE_BREAK.split(text)[-1]


def _words_beside(wish: Wish, text: str) -> str:
    """Return the clauses before a wish that name what it means: "no parrot, delete that one"."""
    if wish.what or wish.kind not in (WishKind.FORGET, WishKind.DOUBTFUL):
        return ""
    whole = parse_wish(" ".join(words_in(text)))  # "sorry, forget that"
    if (whole and not whole.what) or _means_its_message(wish, text):
        return ""
    parts = _CLAUSE_BREAK.split(text)
    beside = " ".join(takewhile(lambda part: parse_wish(part) is None, parts))
    return beside if words_of_request(beside) else ""


def _statements_beside(text: str) -> list[str]:
    """Return the clauses with which a message says something beside its wish."""
    parts = _CLAUSE_BREAK.split(text)
    return [part for part in parts if not parse_wish(part) and any(own_statements(part))]


def _may_be_wrong(text: str, correction: str) -> bool:
    """Whether a sentence may be what words correct: it is about the people that they name, or
    mentions them where its author speaks of themselves, and names its author if they do."""
    owners, text_words = SentenceWords.of(correction).owners, SentenceWords.of(text)
    is_about_them = (
        owners == text_words.owners
        if text_words.owners
        else not owners.isdisjoint(text_words.forms)
    )
    is_other = bool(owners) and not is_about_them
    return not is_other and (stated_name(correction) is None or stated_name(text) is not None)


def _is_about_another(text: str) -> bool:
    """Whether a correction begins with a pronoun for somebody else: "no, he's 36, not 35"."""
    others = languages()[statement_language(text)].answers.others
    return any(word.split("'")[0] in others for word in words_in(text)[:ALIKE_WORDS])


def _names_another(text: str, old: str) -> bool:
    """Whether a sentence has a subject, person or pet, beside a wrong value and its author, that a
    pronoun may mean."""
    first = words_in(text)[0].split("'")[0]
    if first not in statement_words(statement_language(text)).speakers:  # "meine Firma …"
        return True
    words = [word for word in words_in(text) if word not in words_in(old)]
    is_named = not shared_tables().names.given.isdisjoint(words)
    return is_named or _is_about_another(text) or any(value_kind(word)[-1] for word in words)


def _says(text: str, words: str) -> bool:
    """Whether a text says words in a row, in any spelling, of "I" or of "we"."""
    code = statement_language(text)
    speakers = statement_words(code).speakers
    said, wanted = (
        " ".join("I" if token in speakers else token for token in tokens_of(part, code))
        for part in (text, words)
    )
    return f" {wanted} " in f" {said} "


def _may_replace(old: str, text: str) -> bool:
    """Whether a text stays a sentence if another value replaces this: a number, a name, its end."""
    folded, word = text.casefold(), old.split()[-1]
    is_value = is_number(word) or word[:1].isupper()
    is_end = folded.rstrip(" .!…").endswith(old.casefold())
    return folded.count(old.casefold()) == 1 and (is_value or is_end)


def _can_be_wrong(unit: Unit, new: str) -> bool:
    """Whether a unit says something that a value without a place in it may correct: a number, a
    word of time or what follows "in" only what has one."""
    said = [word.removesuffix("s") for word in words_in(unit.text)]  # "weekends"
    kinds = [(kind[0], any(kind[3:6])) for kind in map(value_kind, (value_of(new) or new, *said))]
    before = {*filter(is_place_preposition, new.split()[:1])}
    is_in = not before.isdisjoint(said) or any(value_kind(word)[1] for word in said)
    return (
        _says_something(unit)
        and (kinds[0] in kinds[1:] if any(kinds[0]) else is_in or not before)
        and (":" in unit.text or ":" not in new)  # "no, 23:58" after "I have 3 kids"
    )


def _says_something(unit: Unit) -> bool:
    """Whether a unit tells something: it is a memory, or a message that does more than ask, order
    or correct."""
    if unit.row is not None or any(own_statements(unit.text)):
        return True
    told = (part for part in sentences_in(unit.text) if is_told(part) and not corrects(part))
    return any(len(words_in(part)) >= MIN_WORDS for part in told)


def _is_wish(message: MemberMessage, turn_ids: set[int]) -> bool:
    """Whether a message only asks for what this turn asks."""
    wish = parse_wish(message.text)
    return message.message_id in turn_ids and wish is not None and wish.forgets


@dataclass(eq=False, repr=False)
class WaitingQuestions:
    """The questions back that members may answer in words, until they say something else."""

    _clock: Clock
    _waiting: BoundedDict[tuple[int, int, int], ForgetQuestion] = field(
        default_factory=lambda: BoundedDict(MAX_WAITING), init=False
    )

    def put(self, turn: Turn, question: ForgetQuestion) -> None:
        """Let the member answer a question with their next message here."""
        self._waiting[_place(turn)] = question

    def take(self, turn: Turn) -> tuple[ForgetQuestion, int] | None:
        """Return the question that a message answers, and which option it chooses (-1: none)."""
        question = self._waiting.pop(_place(turn), None)
        if question is None or self._clock.now() >= question.until:
            return None
        choice = answer_to_question(turn.event.text, len(question.options))
        is_one = len(question.options) == 1 or turn.event.text.strip(" .!")[-1:].isdecimal()
        if choice is not None and question.is_guess and not is_one:  # "yes", to which of them?
            choice = -1
        return None if choice is None else (question, choice)


def _place(turn: Turn) -> tuple[int, int, int]:
    return turn.event.guild_id, turn.event.channel_id, turn.event.author_id
