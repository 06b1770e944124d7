"""Answer without a language model, in sentences made from what the member said.

What was said seconds ago counts as well. What a member wanted to be asked about is asked once its
day has come.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.text import clip, one_line
from utils.conversation.tools import WHEN, TurnTools
from utils.conversation.without_model import (
    acknowledgements,
    other_members,
    question_matching,
    questions,
    quotable_messages,
)
from utils.conversation.without_model.requests import (
    Remark,
    parse_intent,
    parse_remark,
    polite_remark,
)
from utils.conversation.without_model.second_person import (
    MAX_SHOWN,
    note_sentence,
    said_to_member,
)
from utils.conversation.without_model.texts import MAX_SENTENCES, PlainTexts, texts_of
from utils.memory.extraction.bursts import PREVIOUS_TURNS
from utils.memory.extraction.facts import Topic
from utils.memory.extraction.own_statements import (
    own_statements,
    statement_language,
    told_sentences,
)
from utils.memory.extraction.rule_extractor import facts_going_on, said_before
from utils.models.attachment import without_placeholders
from utils.models.conversation import PreparedPrompt, Turn
from utils.models.episode import LoopKind
from utils.models.llm import ToolCall
from utils.models.memory import DIRECT_MESSAGES, Form, Member, Memory, Role
from utils.without_model.wishes import parse_wish

MAX_MEMBERS = 10_000
MAX_LISTED = 20
MAX_CHAIN = 3  # questions that one may go on from


@dataclass(frozen=True, slots=True)
class PlainReply:
    """An answer without a model; ``rests_on_prompt`` if it holds words of the prompt.

    What it says of notes rests only on the memories that the turn's tools cite.
    """

    text: str
    rests_on_prompt: bool = False


class PlainAnswers:
    """Answers turns without a model."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._informed: BoundedDict[Member, None] = BoundedDict(MAX_MEMBERS)

    async def answer(
        self, turn: Turn, prepared: PreparedPrompt, tools: TurnTools, *, is_kept: bool
    ) -> PlainReply:
        """Return the answer to a message that asks for no tool; the first to a member has a notice.

        ``is_kept``: the message was stored, or will be. Raises DatabaseError.
        """
        texts = texts_of(turn, prepared)
        reply = _with_question(
            await self._reply_to(turn, prepared, tools, is_kept=is_kept), prepared, texts
        )
        if not self.note_informed(turn.event.member):
            return reply
        return replace(reply, text=f"{texts.notice}\n{reply.text}")

    async def listing(self, turn: Turn, prepared: PreparedPrompt, tools: TurnTools) -> str:
        """Return what is known about the member: facts by topic, then quotes. Raises DatabaseError.

        What exceeds MAX_LISTED is only counted.
        """
        texts = texts_of(turn, prepared)
        memories = sorted(await tools.memories.known(), key=_listing_order)
        rows = memories[:MAX_LISTED]
        tools.memories.cite(rows)
        rows = sorted(await _in_own_words(rows, texts, tools), key=_listing_order)
        lines = [note_sentence(row, texts) for row in rows]
        if turn.settings.recall:
            lines += [texts.to_ask.format(text=text) for text in await tools.memories.to_ask()]
        if len(memories) > len(rows):
            lines.append(texts.more_known.format(count=len(memories) - len(rows)))
        if turn.event.guild_id == DIRECT_MESSAGES:
            lines = [*(lines or [texts.nothing_known]), texts.stays_in_servers]
        return "\n".join(dict.fromkeys(lines)) or texts.nothing_known

    async def ask_later(
        self, wish: ToolCall, turn: Turn, prepared: PreparedPrompt, tools: TurnTools
    ) -> str:
        """Carry out a wish to be asked later; returns what to say. Raises DatabaseError."""
        texts = texts_of(turn, prepared)
        result = await tools.run(wish)
        loop = tools.asked_later
        if loop is None or loop.due_at is None:
            return texts.which_day if result == WHEN else texts.refused(result)
        due_at, today = loop.due_at.astimezone(tools.zone), self._clock.now().astimezone(tools.zone)
        day, text = texts.day(due_at.date(), today.date()), one_line(loop.text)
        if loop.kind is LoopKind.REMINDER:
            return texts.reminded.format(day=day, time=f"{due_at:%H:%M}", text=text)
        return texts.asked_later.format(day=day, text=text)

    def note_informed(self, member: Member) -> bool:
        """Note that a member knows that no model is configured. Returns False if it was noted."""
        if member in self._informed:
            return False
        self._informed[member] = None
        return True

    async def _reply_to(
        self, turn: Turn, prepared: PreparedPrompt, tools: TurnTools, *, is_kept: bool
    ) -> PlainReply:
        event = turn.event
        texts = texts_of(turn, prepared)
        rows = await tools.memories.known()
        remark = parse_remark(event.text)
        if remark is not None and not (remark is Remark.HELP and rows and _may_ask(event.text)):
            return PlainReply(acknowledgements.short_answer(remark, texts, event, rows))
        zone = turn.settings.zone
        now = self._clock.now()
        today = now.astimezone(zone).date()
        earlier_texts = [
            earlier.text
            for earlier in prepared.turns
            if earlier.author_id == event.author_id and earlier.role is Role.MEMBER
        ]
        question = questions.parse_in_turn([*earlier_texts[-MAX_CHAIN:], event.text], today)
        if question is not None and question.is_about_kith:
            return PlainReply(texts.about_kith)
        if question is not None and (question.is_own or len(turn.people) < 2):
            return await self._about_author(question, turn, prepared, tools, rows, now)
        if question is not None or questions.asks_to_tell(event.text):
            about_others = other_members.about_others(turn, prepared, now, tools.forbidden)
            if about_others:
                return PlainReply(about_others, rests_on_prompt=True)
        if question is not None:
            return PlainReply(texts.not_mine)
        if reply := acknowledgements.acknowledgement(event.text, texts, today, tools.forbidden):
            return PlainReply(reply if is_kept else texts.not_kept)
        before = said_before(event, prepared.turns[-PREVIOUS_TURNS:])
        if is_kept and any(facts_going_on(event.text, before, today)):
            return PlainReply(texts.noted)
        if remark := polite_remark(event.text):
            return PlainReply(acknowledgements.short_answer(remark, texts, event, rows))
        if any(told_sentences(event.text)) and not questions.names_kith(event.text):
            if acknowledgements.must_not_be_noted(event.text):
                return PlainReply(texts.not_noted)
            return PlainReply(texts.thanks_for_telling if is_kept else texts.not_kept)
        return PlainReply(f"{texts.no_chat} {acknowledgements.example(texts, rows)}")

    async def _about_author(
        self,
        question: questions.Question,
        turn: Turn,
        prepared: PreparedPrompt,
        tools: TurnTools,
        rows: Sequence[Memory],
        now: datetime,
    ) -> PlainReply:
        """Answer a question of a member about themselves."""
        texts = texts_of(turn, prepared)
        zone = turn.settings.zone
        today = now.astimezone(zone).date()
        notes = question_matching.matching_notes(question, rows)
        messages = (
            quotable_messages.messages_to_quote(prepared, turn.event.author_id)
            if turn.settings.recall
            else []
        )
        messages += quotable_messages.memories_to_quote(rows, messages)
        if not question.is_own:
            known_texts = [row.text for row in rows] + [item.text for item in messages]
            name = questions.unknown_name(turn.event.text, [turn.event.author_name, *known_texts])
            if name is not None:
                return PlainReply(texts.not_told_by.format(name=name))
        later = question_matching.later_sentence(question, messages, notes)
        names = notes if later is None and question.asks_deed else []
        if all(map(question_matching.tells_name, names)):
            notes = [row for row in notes if row not in names]  # rather what was said besides
        dated = [(item.text, item.said_at.astimezone(zone).date()) for item in messages]
        quoted = question_matching.best_sentence(question, dated, today, rows)
        if quoted is not None and question_matching.is_closer(question, quoted[1], notes):
            notes = []
        if not notes and (quoted is None or not question.is_own):
            related = question_matching.related_sentence(question, [item.text for item in messages])
            if related is not None and (quoted is None or related[0] < quoted[0]):
                quoted = related  # the newer one: "Joe is a firefighter" after "my brother is Joe"
        if later is None and notes:
            later = quotable_messages.corrected_message(notes, messages)
        quoted = later or quoted
        continued = None if notes else question_matching.continued_message(question, messages)
        if continued is not None:
            quoted = (continued[0], one_line(messages[continued[0]].text))
        if quoted is None:
            notes = notes or names

        def quote(place: int, sentence: str) -> str:
            message = messages[place]
            tools.memories.cite([message.row] if message.row is not None else [])
            when = texts.when(message.said_at, now, zone)
            return texts.you_said(clip(sentence, MAX_SHOWN, at_word=True), when)

        said = quote(*quoted) if quoted is not None else ""
        addition = messages[quoted[0]].addition if quoted is not None else ""
        if continued is not None:
            said = " ".join((said, *(texts.said_next.format(text=text) for text in continued[1])))
        elif addition:
            said += f" {texts.said_next.format(text=addition)}"
        elif quoted is not None and not notes:
            revision = question_matching.revising_sentence(question, messages, quoted)
            said += f" {quote(*revision)}" if revision is not None else ""
        if notes:
            notes = notes[:MAX_SENTENCES]
            tools.memories.cite(notes)
            notes = await _in_own_words(notes, texts, tools)
            sentences, said_when = _in_sentences(notes, texts, now, zone)
            asks_day = question.asks_time and Topic.BIRTHDAY not in question.topics
            is_corrected = quotable_messages.may_correct(addition)
            is_quoting = bool(said) and (asks_day or is_corrected or later is not None)
            if is_quoting and quoted is not None and all(row.text == quoted[1] for row in notes):
                return PlainReply(said, rests_on_prompt=True)
            return PlainReply(f"{sentences} {said if is_quoting else said_when}", is_quoting)
        if said:
            return PlainReply(said, rests_on_prompt=True)
        if not question.is_own or question.is_foreign:
            return PlainReply(texts.not_mine)
        is_direct = turn.event.guild_id == DIRECT_MESSAGES
        text = await _not_told(question, rows, texts, tools)
        return PlainReply(f"{text}\n{texts.stays_in_servers}" if is_direct else text)


def _may_ask(text: str) -> bool:
    """Whether a wish for help may be a question about its author: "what do I do?" (for work)."""
    return questions.WHAT_I_DO.search(f" {text.lower().strip(' ?!.')} ") is not None


def _listing_order(row: Memory) -> tuple[bool, int]:
    """Return where a memory stands in a listing: notes first, in the order of their topics."""
    topics = list(Topic)
    topic = row.topics[0] if row.topics else ""
    return row.form is not Form.NOTE, topics.index(Topic(topic)) if topic in topics else len(topics)


async def _not_told(
    question: questions.Question, rows: Sequence[Memory], texts: PlainTexts, tools: TurnTools
) -> str:
    """Return that the answer is not known; of a home, with where the member is from."""
    origins = question_matching.origins(rows)[:1] if question.asks_home else []
    if not origins:
        return texts.unknown
    tools.memories.cite(origins)
    origins = await _in_own_words(origins, texts, tools)
    return f"{note_sentence(origins[0], texts)} {texts.home_unknown}"


def _in_sentences(
    notes: Sequence[Memory], texts: PlainTexts, now: datetime, zone: ZoneInfo
) -> tuple[str, str]:
    """Return notes as sentences to the member, and when they told them."""
    sentences = [note_sentence(row, texts) for row in notes]
    told_at = max(row.last_confirmed_at for row in notes)
    when = texts.when(told_at, now, zone)
    return " ".join(dict.fromkeys(sentences)), texts.told_on.format(when=when)


async def _in_own_words(
    rows: Sequence[Memory], texts: PlainTexts, tools: TurnTools
) -> list[Memory]:
    """Return memories of the speaker, as quotes where a note makes no sentence in this language."""
    unsayable = [row for row in rows if row.form is Form.NOTE and not said_to_member(row, texts)]
    words = await tools.memories.own_words(unsayable)
    return [
        replace(row, text=words[row.id], form=Form.QUOTE) if row.id in words else row
        for row in rows
    ]


def plain_turn(turn: Turn) -> Turn:
    """Return a turn with the line that an answer without a model is for: the newest that asks for
    something, else the newest that tells something, else the last one."""
    lines = [
        replace(line, text=without_placeholders(line.text))
        for line in (turn.event, *reversed(turn.earlier_lines))
    ]
    asking = (line for line in lines if _asks(line.text))
    telling = (line for line in lines if any(own_statements(line.text)))
    return replace(turn, event=next(asking, None) or next(telling, lines[0]))


def _asks(text: str) -> bool:
    has_wish = parse_wish(text) is not None or parse_intent(text) is not None
    return has_wish or questions.is_question(text, statement_language(text))


def _with_question(reply: PlainReply, prepared: PreparedPrompt, texts: PlainTexts) -> PlainReply:
    """Append the first question whose day has come, with the marker that it was asked."""
    for place, loop in enumerate(prepared.recall.loops, 1):
        if loop.due_at is not None:
            question = texts.ask.format(text=one_line(loop.text))
            return PlainReply(f"{reply.text}\n{question} [asked {place}]", rests_on_prompt=True)
    return reply
