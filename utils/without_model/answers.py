"""Answer questions without a language model: quote what recall finds, and what was said since.

Nothing is turned into another person or tense, so nothing is asserted that was not said.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.text import clip, one_line
from utils.memory.extraction.endings import coming
from utils.memory.extraction.own_statements import (
    WORD,
    corrects,
    is_question,
    own_statements,
    sentences_in,
    words_in,
    words_of,
)
from utils.memory.extraction.rule_extractor import NAME
from utils.memory.extraction.stated_names import stated_name
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.member_data.view import MemberData
from utils.memory.policy.categories import Category
from utils.memory.recall.reader import Reader
from utils.memory.verification.sentences import normalised
from utils.models.attachment import without_placeholders
from utils.models.conversation import PreparedPrompt, Turn
from utils.models.memory import DIRECT_MESSAGES, Member
from utils.models.provenance import NO_PROVENANCE, Provenance, SourceKind, SourceRef
from utils.models.recall import Person
from utils.nlp.languages import languages
from utils.nlp.stemming import stems
from utils.without_model import small_talk
from utils.without_model.finding import Finder, Said, Sources
from utils.without_model.questions import Kind, Question, SentenceWords, Word, parse_question
from utils.without_model.small_talk import parse_remark
from utils.without_model.texts import MAX_NAME, PlainTexts, texts_of
from utils.without_model.wishes import WishKind, parse_wish

MAX_MEMBERS = 10_000
MAX_LISTED = 20
MAX_LOOKED_AT = 300  # memories
MAX_BEST = 3  # sentences that answer a question
MAX_SINCE = 3
MAX_AFTER = 2
MAX_REFERRING = 8  # content words of a line that refers to the one before
MAX_SHOWN = 300  # characters of a quote
AFTER_WITHIN = timedelta(minutes=5)
CLOSE = 0.5  # below the best, in matched words


@dataclass(frozen=True, slots=True)
class PlainReply:
    """An answer without a model, and the members and rows that it quotes.

    ``rests_on_prompt``: it asks what the prompt brought up, so it rests on the prompt as well.
    """

    text: str
    about_ids: tuple[int, ...] = ()
    provenance: Provenance = NO_PROVENANCE
    rests_on_prompt: bool = False


class PlainAnswers:
    """Answers turns without a model."""

    def __init__(
        self,
        clock: Clock,
        reader: Reader,
        member_data: MemberData,
        loops: OpenLoops,
        forbidden: frozenset[Category],
    ) -> None:
        """``forbidden``: the sensitive subjects that are quoted to nobody but their author."""
        self._clock = clock
        self._sources = Sources(clock, reader, member_data, forbidden)
        self._loops = loops
        self._forbidden = forbidden
        self._informed: BoundedDict[Member, None] = BoundedDict(MAX_MEMBERS)

    async def answer(self, turn: Turn, prepared: PreparedPrompt, *, is_kept: bool) -> PlainReply:
        """Return the answer to a message that wishes nothing; the first to a member has a notice.

        ``is_kept``: the message was stored, or will be. Raises DatabaseError.
        """
        texts = texts_of(turn, prepared)
        reply = await self._reply_to(turn, prepared, texts, is_kept=is_kept)
        reply = _with_question(reply, prepared, texts)
        if not self.note_informed(turn.event.member):
            return reply
        return replace(reply, text=f"{texts.notice}\n{reply.text}")

    def note_informed(self, member: Member) -> bool:
        """Note that a member knows that no model is configured. Returns False if it was noted."""
        if member in self._informed:
            return False
        self._informed[member] = None
        return True

    async def _reply_to(
        self, turn: Turn, prepared: PreparedPrompt, texts: PlainTexts, *, is_kept: bool
    ) -> PlainReply:
        text = turn.event.text
        remark = parse_remark(text)
        if remark is not None:
            return PlainReply(small_talk.short_answer(remark, texts, turn.event))
        now, zone = self._clock.now(), turn.settings.zone
        names = [person.name for person in turn.people]
        question = parse_question(text, names, now, zone, texts.language)
        if question is None:
            return PlainReply(small_talk.told(text, texts, self._forbidden, is_kept=is_kept))
        named = [person for person in turn.people[1:] if _names(text, person.name)]
        asked = turn.people[:1] if question.is_own else named or turn.people
        replies = [await self._about(question, turn, prepared, person, texts) for person in asked]
        if named and not question.is_own:
            replies = [
                reply or PlainReply(texts.not_told_by.format(name=_shown_name(person)))
                for person, reply in zip(named, replies, strict=True)
            ]
        found = [reply for reply in replies if reply is not None]
        if found:
            return _joined(found)
        if question.kind is Kind.COMING:
            return PlainReply(texts.nothing_coming)
        unknown = texts.unknown if question.is_own else texts.not_mine
        second_person = languages()[question.code].words.second_person
        if not (question.is_own or second_person.isdisjoint(words_in(text))):
            unknown = texts.about_kith
        is_direct = turn.event.guild_id == DIRECT_MESSAGES
        return PlainReply(f"{unknown}\n{texts.stays_in_servers}" if is_direct else unknown)

    async def _about(
        self,
        question: Question,
        turn: Turn,
        prepared: PreparedPrompt,
        person: Person,
        texts: PlainTexts,
    ) -> PlainReply | None:
        """Return what a person said that answers a question, or None."""
        finder = Finder(self._sources, turn, prepared, person)
        if question.kind is Kind.ALL:
            is_of_author = person == turn.people[0]
            return await self._listing(question, turn, texts, finder, is_of_author=is_of_author)
        if question.kind is Kind.COMING:
            best = await self._coming(question, turn, finder)
            return await self._each_told(question, best, finder, turn, texts) if best else None
        candidates = await finder.find(question.search_text)
        best = _best(question, candidates, turn)
        if not best:  # recall needs a word in common; "I'm 29" has none with "how old am I?"
            candidates += (await finder.everything())[:MAX_LOOKED_AT]
            best = _best(question, candidates, turn)
        if not best:
            return None
        since = await self._since(question, best, finder, candidates)
        after = _right_after(best[-1], candidates)
        quoted = {normalised(item.text) for item in after}
        since = [item for item in since if normalised(item.text) not in quoted]
        return self._told(best, since, after, turn, person, texts)

    async def _since(
        self,
        question: Question,
        best: Sequence[Said],
        finder: "Finder",
        candidates: Iterable[Said],
        quoted: Sequence[Said] = (),
    ) -> list[Said]:
        """Return what was said later and is not ``quoted`` already, about the same name or head
        noun, in order of time."""
        keys = _keys(question, best[0])
        ended = _endings(question, best[0])
        text = " ".join([*(key.text for key in keys), *ended])
        later = [*candidates, *(await finder.find(f"{text}?") if text else ())]
        known = {normalised(item.text) for item in (*best, *quoted)}
        since: dict[str, Said] = {}
        for item in sorted(later, key=lambda item: item.said_at):
            key = normalised(item.text)
            is_later = item.said_at > best[-1].said_at and key not in known
            if is_later and (
                question.match(item.words, is_later=True)
                or any(word.match(item.words) == 1.0 for word in keys)
                or not ended.isdisjoint(item.words.tokens)
            ):
                since.setdefault(key, item)
        return list(since.values())[-MAX_SINCE:]

    async def _each_told(
        self,
        question: Question,
        items: Sequence[Said],
        finder: "Finder",
        turn: Turn,
        texts: PlainTexts,
    ) -> PlainReply:
        """Return sentences of their own lines, each with what was said of it since and nowhere
        else in the list: it may be over."""
        replies = []
        for item in items:
            since = await self._since(question, [item], finder, (), items)
            replies.append(self._told([item], since, (), turn, finder.person, texts))
        return _joined(replies)

    async def _coming(self, question: Question, turn: Turn, finder: "Finder") -> list[Said]:
        """Return what lies in the days that a question asks about, in the order of its days."""
        zone, now = turn.settings.zone, self._clock.now()
        assert question.span is not None  # noqa: S101
        first, last = question.span
        dated: dict[str, tuple[date, Said]] = {}
        for item in await finder.everything():
            days = coming(item.text, item.said_at, zone)
            is_yearly = not words_of(item.words.code).lasting.isdisjoint(item.words.tokens)
            if days is not None and is_yearly and days[1] < first:
                days = coming(item.text, now, zone)
            if days is not None and days[0] <= last and first <= days[1]:
                dated.setdefault(normalised(item.text), (days[0], item))
        ordered = sorted(dated.values(), key=lambda pair: (pair[0], pair[1].said_at))
        return [item for _, item in ordered][: 2 * MAX_BEST]

    async def _listing(
        self,
        question: Question,
        turn: Turn,
        texts: PlainTexts,
        finder: "Finder",
        *,
        is_of_author: bool,
    ) -> PlainReply | None:
        """Return what is known about a person, newest first; what exceeds MAX_LISTED is counted."""
        items = {normalised(item.text): item for item in reversed(await finder.everything())}
        ordered = sorted(
            items.values(), key=lambda item: (not item.is_note, -item.said_at.timestamp())
        )
        if not (is_of_author or ordered):
            return None
        reply = await self._each_told(question, ordered[:MAX_LISTED], finder, turn, texts)
        if not is_of_author:
            return reply
        lines = reply.text.split("\n") if ordered else []
        provenance = reply.provenance
        if turn.settings.recall:
            loops = await self._loops.of_member(turn.event.member, turn.audience.sources)
            lines += [texts.to_ask.format(text=one_line(loop.text)) for loop in loops]
            refs = tuple(SourceRef(SourceKind.MESSAGE, loop.message_id) for loop in loops)
            ids = tuple((loop.id, loop.message_id) for loop in loops)
            provenance = Provenance.merged((provenance, Provenance(refs, loops=ids)))
        if len(ordered) > MAX_LISTED:
            lines.append(texts.more_known.format(count=len(ordered) - MAX_LISTED))
        lines = lines or [texts.nothing_known]
        if turn.event.guild_id == DIRECT_MESSAGES:
            lines.append(texts.stays_in_servers)
        return replace(reply, text="\n".join(lines), provenance=provenance)

    def _told(
        self,
        best: Sequence[Said],
        since: Sequence[Said],
        after: Sequence[Said],
        turn: Turn,
        person: Person,
        texts: PlainTexts,
    ) -> PlainReply:
        """Return sentences as quotes with their days, and whose and which they are."""
        now, zone = self._clock.now(), turn.settings.zone
        today = now.astimezone(zone).date()
        name = _shown_name(person) if person != turn.people[0] else ""
        lines = []
        for item in best:
            when = texts.when(item.said_at, now, zone)
            form = (texts.noted_by if name else texts.noted_on) if item.is_note else (
                texts.said_by if name else texts.said_on)  # fmt: skip
            lines.append(form.format(name=name, when=when, text=_shown(item)))
        parts = ["\n".join(lines)]
        if after:
            quotes = (texts.quote.format(text=_shown(item)) for item in after)
            parts.append(texts.right_after.format(quotes=" ".join(quotes)))
        if since:
            quotes = (
                texts.dated_quote.format(
                    text=_shown(item), day=texts.day(item.said_at.astimezone(zone).date(), today)
                )
                for item in since
            )
            parts.append(texts.since.format(quotes=" ".join(quotes)))
        used = (*best, *after, *since)
        refs = [
            SourceRef(SourceKind.MEMORY, item.row.id)
            if item.row is not None
            else SourceRef(SourceKind.MESSAGE, item.message_id)
            for item in used
        ]
        event_ids = tuple(item.event_id for item in used if item.event_id > 0)
        about = tuple(dict.fromkeys(item.user_id for item in used))
        return PlainReply(" ".join(parts), about, Provenance(tuple(refs), event_ids))


def _best(question: Question, candidates: Sequence[Said], turn: Turn) -> list[Said]:
    """Return the sentences that answer a question best, in order of time."""
    zone = turn.settings.zone
    top = max((item.score for item in candidates), default=0.0) or 1.0
    scored: dict[str, tuple[float, Said]] = {}
    for item in candidates:
        day = item.said_at.astimezone(zone).date()
        parts = [SentenceWords.of(sentence) for sentence in sentences_in(item.text)]
        match = max(map(question.match, (*parts, item.words)))
        match = 1.0 if _states(question, item) else match
        is_dated = not question.day_words.isdisjoint(token[:3] for token in item.words.tokens)
        is_of_day = (
            is_dated
            or not question.days
            or any(days.first <= day <= days.last for days in question.days)
        )
        if match and is_of_day:
            is_own = any(own_statements(item.text)) or item.is_note
            value = match + 0.3 * is_own + 0.4 * max(0.0, item.score) / top
            key = normalised(item.text)
            if key not in scored or scored[key][0] < value:
                scored[key] = (value, item)
    ordered = sorted(scored.values(), key=lambda pair: -pair[0])
    best = [item for value, item in ordered if value >= ordered[0][0] - CLOSE][:MAX_BEST]
    return sorted(best, key=lambda item: item.said_at)


def _states(question: Question, item: Said) -> bool:
    """Whether a sentence states the name or the age that a question asks for."""
    if question.asks_name:
        is_note = item.row is not None and item.row.fact_key == NAME
        return is_note or stated_name(item.text) is not None
    if question.asks_age:
        before = "|".join(languages()[item.words.code].answers.age_before) or r"(?!)"
        ages = rf"\b(?:{before}) \d{{1,3}}\b(?! ?(?:%|cm|km|min|h|:))"
        return re.search(ages, " ".join(item.words.tokens)) is not None
    return False


def _right_after(item: Said, candidates: Iterable[Said]) -> list[Said]:
    """Return what its author said right after a sentence and that can only refer to it.

    It is short and has no subject of its own, or it is a correction.
    """
    after: dict[str, Said] = {}
    for later in sorted(candidates, key=lambda other: other.said_at):
        gap = later.said_at - item.said_at
        is_soon = later.row is None and timedelta(0) < gap <= AFTER_WITHIN
        if is_soon and _refers_back(later):
            after.setdefault(later.text, later)
    return list(after.values())[:MAX_AFTER]


def _refers_back(item: Said) -> bool:
    """Whether a line cannot stand alone: "jk", "no, York", "best one ever"."""
    wish = parse_wish(item.text)
    if corrects(item.text) or (wish is not None and wish.kind is WishKind.CORRECT):
        return True
    is_short = len(stems(item.text, language=item.words.code)) <= MAX_REFERRING
    return is_short and not any(own_statements(item.text))


def _keys(question: Question, item: Said) -> list[Word]:
    """Return the names and nouns of a sentence: what goes on from it has one of them.

    Chats write names in lower case, so every word with a content counts, except common verbs and
    what says when or how.
    """
    code = item.words.code
    spoken, words = words_of(code), languages()[code].answers
    idle = words.general | spoken.own_verbs | spoken.talk | spoken.fleeting | spoken.light
    idle |= languages()[code].dates.time_words | spoken.past | spoken.leads | spoken.first_person
    verbs = {word.text for word in question.verbs}
    return [
        Word(token, frozenset(token_stems))
        for token in dict.fromkeys(item.words.tokens)
        if token not in idle and token not in verbs and not token.isdigit()
        and (token_stems := stems(token, language=code))
    ]  # fmt: skip


def _endings(question: Question, item: Said) -> frozenset[str]:
    """Return the words that say that what a question asks about is over."""
    tokens = {word.text for word in (*question.things, *question.verbs)} | set(item.words.tokens)
    rows = languages()[question.code].answers.ended.items()
    return frozenset(
        word for of, words in rows if not tokens.isdisjoint(of.split()) for word in words.split()
    )


def _shown(item: Said) -> str:
    return clip(one_line(item.text), MAX_SHOWN, at_word=True)


def _names(text: str, name: str) -> bool:
    """Whether a text has a person's name, or the first word of it."""
    first = next(iter(WORD.findall(name)), name)
    return any(
        re.search(rf"(?<!\w){re.escape(part)}(?:['’]?s)?(?!\w)", text, re.IGNORECASE)
        for part in (name, first)
        if part
    )


def _shown_name(person: Person) -> str:
    return clip(one_line(person.name), MAX_NAME)


def _joined(replies: Sequence[PlainReply]) -> PlainReply:
    return PlainReply(
        "\n".join(reply.text for reply in replies),
        tuple(dict.fromkeys(user_id for reply in replies for user_id in reply.about_ids)),
        Provenance.merged([reply.provenance for reply in replies]),
    )


def plain_turn(turn: Turn) -> Turn:
    """Return a turn with the line that an answer without a model is for: the newest that asks for
    something, else the newest that tells something, else the last one."""
    lines = [
        replace(line, text=without_placeholders(line.text))
        for line in (turn.event, *reversed(turn.earlier_lines))
    ]
    asking = (line for line in lines if parse_wish(line.text) or is_question(line.text))
    telling = (line for line in lines if any(own_statements(line.text)))
    return replace(turn, event=next(asking, None) or next(telling, lines[0]))


def _with_question(reply: PlainReply, prepared: PreparedPrompt, texts: PlainTexts) -> PlainReply:
    """Append the first question whose day has come, with the marker that it was asked."""
    for place, loop in enumerate(prepared.recall.loops, 1):
        if loop.due_at is not None:
            question = texts.ask.format(text=one_line(loop.text))
            text = f"{reply.text}\n{question} [asked {place}]"
            return replace(reply, text=text, rests_on_prompt=True)
    return reply
