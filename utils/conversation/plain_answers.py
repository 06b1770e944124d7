"""Answer without a language model: from what the member said, in sentences.

A question word picks what is asked about; what was said seconds ago counts as well. Wishes to
forget reach memories and stored messages; to forget everything is asked back first.
"""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.common.text import clip, one_line
from utils.conversation import questions
from utils.conversation.intent_rules import ForgetRequest, Remark, parse_forgetting, parse_remark
from utils.conversation.plain_texts import PlainTexts, texts_in
from utils.conversation.second_person import is_german, to_second_person
from utils.conversation.tools import NOT_ASKED, NOTHING_FORGOTTEN, ChatTools, TurnTools
from utils.memory.extraction.own_statements import own_statements, statement_language
from utils.memory.policy.categories import Category
from utils.memory.safety.filter import refusal_reason
from utils.models.conversation import PreparedPrompt, Turn
from utils.models.llm import ToolCall
from utils.models.memory import DIRECT_MESSAGES, Event, Member, Memory, RecordOutcome, Role
from utils.models.recall import SearchResult

NO_CATEGORIES: frozenset[Category] = frozenset()  # what was just said here may be quoted here
MAX_SENTENCES = 3
MAX_SHOWN = 300  # characters of a quoted sentence
MAX_MEMBERS = 10_000
_BY_TOOL = re.compile(r"#?\d+\Z|you\b", re.IGNORECASE)
RECENT = timedelta(minutes=30)
CONFIRM_WITHIN_S = 300.0
MAX_FORGOTTEN_AT_ONCE = 5  # of a sentence; a name has no limit


@dataclass(frozen=True, slots=True)
class PlainReply:
    """An answer without a model; ``rests_on_prompt`` if it holds words of the prompt.

    What it says of notes rests only on the memories that the turn's tools cite.
    """

    text: str
    rests_on_prompt: bool = False


@dataclass(frozen=True, slots=True)
class _Heard:
    """A message of the member that an answer may quote."""

    text: str
    said_at: datetime


class PlainAnswers:
    """Answers turns without a model."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._informed: OrderedDict[tuple[int, int], None] = OrderedDict()
        self._waiting: OrderedDict[tuple[int, int, int], tuple[ForgetRequest, float]] = (
            OrderedDict()
        )  # with the time until which a yes counts

    def forgetting(self, turn: Turn) -> ForgetRequest | None:
        """Return what a message asks to forget; also if it says yes to the question before it.

        Any other message takes that question back.
        """
        request = parse_forgetting(turn.event.text)
        key = _place(turn)
        waiting = self._waiting.get(key)
        is_yes = request is None and parse_remark(turn.event.text) is Remark.AGREEMENT
        if is_yes and waiting is not None and self._clock.monotonic() < waiting[1]:
            request = replace(waiting[0], is_confirmed=True)
        self._waiting.pop(key, None)
        if request is not None and request.is_confirmed:
            asked_in = waiting[0].asked_in if waiting is not None else 0
            request = replace(request, asked_in=asked_in)
        return request

    async def forget(
        self, request: ForgetRequest, turn: Turn, services: ChatTools, tools: TurnTools
    ) -> str:
        """Carry out a wish to forget, or ask back; returns what to say.

        Raises DatabaseError.
        """
        texts = texts_in(statement_language(turn.event.text))
        if not request.what:
            if not request.is_confirmed:
                return self._ask_back(request, turn, texts.ask_all)
            await services.editor.forget_all(turn.event.member)
            return texts.forgotten
        if _BY_TOOL.match(request.what):
            return await tools.run(ToolCall("", "forget", {"what": request.what}))
        matches = await self._matches(request, turn, services)
        count = len(matches.rows) + len(matches.messages)
        what = _named(request.what)
        if request.is_everything and not request.is_confirmed:
            if not count:
                return texts.nothing_fits
            return self._ask_back(request, turn, texts.ask_about.format(what=what))
        if not count:
            result = await tools.run(ToolCall("", "forget", {"what": request.what}))
            return texts.nothing_fits if result in (NOT_ASKED, NOTHING_FORGOTTEN) else result
        is_broad = not request.is_everything and not request.is_name
        if is_broad and len(matches.rows) > 1 and count > MAX_FORGOTTEN_AT_ONCE:
            return texts.too_much.format(what=what)
        while count:
            await services.editor.forget_matches(turn.event.member, matches)
            more = matches.has_more or matches.has_more_messages
            matches = await self._matches(request, turn, services) if more else SearchResult(())
            count = len(matches.rows) + len(matches.messages)
        wishes = [turn.event.message_id, *filter(None, [request.asked_in])]
        await services.editor.retract(turn.event.guild_id, wishes)
        return texts.forgotten

    async def _matches(
        self, request: ForgetRequest, turn: Turn, services: ChatTools
    ) -> SearchResult:
        """Return what has all words of a wish, without the message that wishes it."""
        try:
            result = await services.search.of_member(
                turn.event.member, _named(request.what), linked_sources=turn.audience.sources
            )
        except BadInput:
            return SearchResult(())
        others = [
            message
            for message in result.messages
            if message.message_id != turn.event.message_id and not parse_forgetting(message.text)
        ]
        return replace(result, messages=tuple(others))

    def _ask_back(self, request: ForgetRequest, turn: Turn, text: str) -> str:
        request = replace(request, asked_in=turn.event.message_id)
        self._waiting[_place(turn)] = (request, self._clock.monotonic() + CONFIRM_WITHIN_S)
        while len(self._waiting) > MAX_MEMBERS:
            self._waiting.popitem(last=False)
        return text

    async def answer(
        self, turn: Turn, prepared: PreparedPrompt, tools: TurnTools | None, outcome: RecordOutcome
    ) -> PlainReply:
        """Return the answer to a message that asks for no tool; the first to a member has a notice.

        ``outcome`` is whether the message was stored. Raises DatabaseError.
        """
        reply = await self._said(turn, prepared, tools, outcome)
        if not self.note_informed(turn.event.member):
            return reply
        notice = texts_in(statement_language(turn.event.text)).notice
        return replace(reply, text=f"{notice}\n{reply.text}")

    def note_informed(self, member: Member) -> bool:
        """Note that a member knows that no model is configured. Returns False if it was noted."""
        key = (member.guild_id, member.user_id)
        if key in self._informed:
            return False
        self._informed[key] = None
        while len(self._informed) > MAX_MEMBERS:
            self._informed.popitem(last=False)
        return True

    async def _said(
        self, turn: Turn, prepared: PreparedPrompt, tools: TurnTools | None, outcome: RecordOutcome
    ) -> PlainReply:
        event = turn.event
        texts = texts_in(statement_language(event.text))
        remark = parse_remark(event.text)
        if remark is not None:
            return PlainReply(_short_answer(remark, texts, event))
        zone = ZoneInfo(turn.settings.time_zone)
        today = self._clock.now().astimezone(zone).date()
        question = questions.parse_question(event.text, today)
        if question is not None and (question.is_own or len(turn.people) < 2):
            return await self._about_author(question, turn, prepared, tools, today)
        if len(turn.people) > 1 and prepared.recall.block:
            return PlainReply(prepared.recall.block, rests_on_prompt=True)
        if question is None and any(own_statements(event.text)):
            is_kept = outcome is RecordOutcome.STORED
            return PlainReply(texts.noted if is_kept else texts.not_kept)
        return PlainReply(texts.nothing_asked if question is None else texts.not_mine)

    async def _about_author(
        self,
        question: questions.Question,
        turn: Turn,
        prepared: PreparedPrompt,
        tools: TurnTools | None,
        today: date,
    ) -> PlainReply:
        """Answer a question of a member about themselves."""
        texts = texts_in(question.language)
        zone = ZoneInfo(turn.settings.time_zone)
        rows = await tools.known() if tools is not None else list(prepared.recall.rows)
        notes = questions.matching_notes(question, rows)
        heard = self._heard(turn, prepared) if turn.settings.recall else []
        days = [item.said_at.astimezone(zone).date() for item in heard]
        dated = [(item.text, day) for item, day in zip(heard, days, strict=True)]
        found = questions.best_sentence(question, dated, today)
        said = ""
        if found is not None:
            index, sentence = found
            day = texts.day(days[index], today)
            said = texts.said_on.format(day=day, text=clip(sentence, MAX_SHOWN, at_word=True))
        if notes:
            if tools is not None:
                tools.cites(notes[:MAX_SENTENCES])
            sentences, told = _in_sentences(notes, texts, today, zone)
            is_quoting = bool(said) and question.asks_time
            return PlainReply(f"{sentences} {said if is_quoting else told}", is_quoting)
        if said:
            return PlainReply(said, rests_on_prompt=True)
        if not question.is_own:
            return PlainReply(texts.not_mine)
        now = self._clock.now()
        recent = [item.text for item in heard if now - item.said_at <= RECENT]
        last = questions.last_statement(recent)
        text = texts.unknown
        if last is not None:
            text = texts.unsure.format(text=clip(last, MAX_SHOWN, at_word=True))
        is_direct = turn.event.guild_id == DIRECT_MESSAGES
        text = f"{text}\n{texts.stays_in_servers}" if is_direct else text
        return PlainReply(text, rests_on_prompt=last is not None)

    def _heard(self, turn: Turn, prepared: PreparedPrompt) -> list[_Heard]:
        """Return the member's own messages to quote: the last turns, then what matched."""
        event, recall = turn.event, prepared.recall
        turns = [
            _Heard(earlier.text, earlier.created_at)
            for earlier in reversed(prepared.turns)
            if earlier.author_id == event.author_id and earlier.role is Role.MEMBER
        ]
        quoted = {quote.event_id for quote in recall.quotes}
        matches = recall.matches_by_user.get(event.author_id)
        said = [match.row for match in matches.messages] if matches is not None else []
        shown = [item for item in said if item.event_id in quoted]
        heard = [*turns, *(_Heard(item.text, item.said_at) for item in shown)]
        return [item for item in heard if refusal_reason(item.text, NO_CATEGORIES) is None]


def _in_sentences(
    notes: Sequence[Memory], texts: PlainTexts, today: date, zone: ZoneInfo
) -> tuple[str, str]:
    """Return notes as sentences to the member, and when they told them."""
    sentences = []
    for row in notes[:MAX_SENTENCES]:
        sentence = to_second_person(row.text)
        fits = sentence is not None and is_german(row.text) == (texts.language == "de")
        sentences.append(f"{sentence}." if fits else texts.quoted.format(text=one_line(row.text)))
    days = [row.last_confirmed_at.astimezone(zone).date() for row in notes[:MAX_SENTENCES]]
    return " ".join(sentences), texts.told_on.format(day=texts.day(max(days), today))


def _short_answer(remark: Remark, texts: PlainTexts, event: Event) -> str:
    match remark:
        case Remark.GREETING:
            return texts.greeting.format(name=clip(one_line(event.author_name), 80))
        case Remark.THANKS:
            return texts.thanks
        case Remark.IDENTITY:
            return texts.identity
        case Remark.HELP:
            return texts.help
        case Remark.AGREEMENT:
            return texts.nothing_asked


def _named(what: str) -> str:
    """Return what is to be forgotten without "my" and "I": "my cat" -> "cat"."""
    words = what.split()
    while len(words) > 1 and words[0].casefold().strip(",") in _POSSESSIVES:
        words.pop(0)
    return " ".join(words)


_POSSESSIVES = frozenset(
    [
        "my",
        "our",
        "the",
        "mein",
        "meine",
        "meinen",
        "meinem",
        "meiner",
        "unser",
        "unsere",
        "unseren",
    ]
)


def _place(turn: Turn) -> tuple[int, int, int]:
    return turn.event.guild_id, turn.event.channel_id, turn.event.author_id
