"""Answer questions without a language model: quote what recall finds, and what was said since.

Nothing is turned into another person or tense, so nothing is asserted that was not said.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.text import clip, one_line
from utils.common.visible_text import written_words
from utils.guilds.who_else import FoundMember, WhoElse
from utils.memory.extraction.endings import coming
from utils.memory.extraction.own_statements import (
    corrects,
    is_question,
    own_statements,
    sentences_in,
    words_in,
)
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.member_data.view import MemberData
from utils.memory.policy.categories import Category
from utils.memory.recall.reader import Reader
from utils.memory.verification.sentences import normalised
from utils.models.conversation import GeneratedText, PreparedPrompt, Turn
from utils.models.memory import DIRECT_MESSAGES, Member
from utils.models.provenance import NO_PROVENANCE, Provenance, SourceKind, SourceRef
from utils.models.recall import Person
from utils.nlp.answer_types import AnswerType, holds, is_number
from utils.nlp.stemming import stems
from utils.without_model import small_talk
from utils.without_model.finding import Finder, Quotable, without_noted
from utils.without_model.questions import CLOSE, LEAST, Question, Word, idle_words, parse_question
from utils.without_model.texts import MAX_NAME, PlainTexts, texts_of
from utils.without_model.wishes import WishKind, parse_wish

MAX_MEMBERS = 10_000
MAX_LISTED = 20
MAX_LOOKED_AT = 300  # memories
MAX_BEST = 3  # sentences that answer a question
MAX_SINCE = 3
MAX_SHOWN = 300  # characters of a quote
AFTER_WITHIN = timedelta(minutes=5)


def _reply(
    text: str, about_ids: tuple[int, ...] = (), provenance: Provenance = NO_PROVENANCE
) -> GeneratedText:
    return GeneratedText(text, about_ids, provenance, rests_on_prompt=False)


@dataclass(frozen=True, slots=True)
class PlainAnswers:
    """Answers turns without a model.

    ``forbidden`` subjects are quoted to their author only. ``who_else``: None without others.
    """

    clock: Clock
    reader: Reader
    member_data: MemberData
    loops: OpenLoops
    forbidden: frozenset[Category]
    who_else: WhoElse | None = None
    _informed: BoundedDict[Member, None] = field(
        default_factory=lambda: BoundedDict(MAX_MEMBERS), init=False
    )

    async def answer(self, turn: Turn, prepared: PreparedPrompt, *, is_kept: bool) -> GeneratedText:
        """Return the answer to a message that wishes nothing; the first to a member has a notice.

        ``is_kept``: the message was stored, or will be. Raises DatabaseError.
        """
        texts = texts_of(turn, prepared)
        reply = await self._reply_to(turn, prepared, texts, is_kept=is_kept)
        due = next((of for of in enumerate(prepared.recall.loops, 1) if of[1].due_at), None)
        if due is not None:  # with the marker that it was asked
            question = texts.ask_now.format(text=one_line(due[1].text))
            text = f"{reply.text}\n{question} [asked {due[0]}]"
            reply = replace(reply, text=text, rests_on_prompt=True)
        is_new = self.note_informed(turn.event.member)
        return replace(reply, text=f"{texts.notice}\n{reply.text}") if is_new else reply

    def note_informed(self, member: Member) -> bool:
        """Note that a member knows that no model is configured. Returns False if it was noted."""
        is_new = member not in self._informed
        self._informed[member] = None
        return is_new

    async def _reply_to(
        self, turn: Turn, prepared: PreparedPrompt, texts: PlainTexts, *, is_kept: bool
    ) -> GeneratedText:
        text, zone, now = turn.event.text, turn.settings.zone, self.clock.now()
        if (remark := small_talk.parse_remark(text)) is not None:
            return _reply(small_talk.short_answer(remark, texts, turn.event))
        names = [*(person.name for person in turn.people), *turn.named.names]
        question = parse_question(text, names, now, zone, texts.language)
        told = partial(small_talk.told, turn.event, zone, texts, self.forbidden, is_kept=is_kept)
        if question is None:
            return _reply(told())
        if question.asks_others and question.topics and self.who_else is not None:
            return await self._others(self.who_else, question, turn, texts)
        if turn.named.unclear:
            lines = (
                texts.which_member.format(name=name, names=", ".join(map(_shown_name, people)))
                for name, people in turn.named.unclear
            )
            return GeneratedText("\n".join(lines))
        said = {form for word in words_in(text) for form in (word, re.sub("'?s$", "", word))}
        named = [
            person
            for person in turn.people[1:]
            if person in turn.named.people or not said.isdisjoint(words_in(person.name)[:1])
        ]
        people = turn.people[:1] if question.is_own else named or turn.people
        if question.is_to_kith and not named:
            return _reply(texts.no_chat)
        replies = []
        given = self.reader, self.member_data, self.forbidden, now, turn, prepared
        for person in people:
            is_own = person in named or (person != turn.people[0] and question.is_of_another)
            asked = replace(question, is_own=question.is_own or is_own)
            reply = await PersonAnswer(asked, texts, Finder(*given, person)).reply(self.loops)
            if reply is None and person in named:  # "Can owes me 7 euros", said by the asker
                things = (
                    *(replace(word, is_kind=False) for word in question.things),
                    Word("", frozenset(words_in(person.name)[:1]), needs_verb=True),
                )
                asked = replace(question, things=things, is_of_everything=False)
                of_asker = PersonAnswer(asked, texts, Finder(*given, turn.people[0], is_open=True))
                reply = await of_asker.reply(self.loops) or _reply(
                    texts.not_told_by.format(name=_shown_name(person))
                )
            replies.append(reply)
        if any(replies):
            return _joined([reply for reply in replies if reply is not None])
        if not any(map(is_question, sentences_in(text))):  # "hab ich auch gekauft"
            return _reply(told())
        if question.span is not None:
            return _reply(texts.nothing_coming)
        unknown = texts.unknown if question.is_own else texts.not_mine
        elsewhere = f"\n{texts.stays_in_servers}" if turn.event.guild_id == DIRECT_MESSAGES else ""
        return _reply(f"{unknown}{elsewhere}")

    async def _others(
        self, who_else: WhoElse, question: Question, turn: Turn, texts: PlainTexts
    ) -> GeneratedText:
        """Return the other members who told something about what a question asks."""
        found: list[FoundMember] = []
        member, settings = turn.event.member, turn.settings
        for topic in question.topics:
            found = found or await who_else.find(member, turn.audience, topic, settings)
        now, zone = self.clock.now(), settings.zone
        replies = [_told(texts, now, zone, [Quotable.of_row(m.row)], _shown_name(m)) for m in found]
        return _joined(replies) if replies else _reply(texts.nobody_else)


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """Answers a question of a turn with what one person said."""

    question: Question
    texts: PlainTexts
    finder: Finder

    async def reply(self, loops: OpenLoops) -> GeneratedText | None:
        """Return what the person said that answers, or None; ``loops`` are told with everything.

        Raises DatabaseError.
        """
        if self.question.is_of_everything:
            return await self._listing(loops)
        span = self.question.span
        if span and ((coming_days := await self._coming(*span)) or self.finder.is_open):
            return coming_days
        kin = {kin for word in (*self.question.things, *self.question.verbs) for kin in word.kin}
        # Recall needs most words: many kin hide one, and "I'm 29" has none of "how old am I?".
        texts = dict.fromkeys((self.question.text, " ".join((self.question.text, *sorted(kin)))))
        found = [item for text in texts for item in await self.finder.find(text)]
        candidates = without_noted([*found, *(await self.finder.everything())[:MAX_LOOKED_AT]])
        best = _best(self.question, candidates, self.finder.turn)
        if not best:  # "I have a cat", then "it's called Gustav"
            best = [
                item
                for item in _best(self.question, candidates, self.finder.turn, is_later=True)
                for following in self._right_after(item, candidates)
                if holds(self.question.expects, following.text, following.words.code)
            ][-1:]
        if not (best or self.question.days or span):
            best = [
                item
                for item in await self.finder.nearest(self.question.text, self.question.code)
                if holds(self.question.expects, item.text, item.words.code)
                and not self.question.is_about_another(item.words)
            ][:1]
        return await self._told(best, candidates, ()) if best else None

    def _right_after(
        self, item: Quotable, candidates: Iterable[Quotable], *, is_chain: bool = False
    ) -> Sequence[Quotable]:
        """Return the next line if it came at once and tells nothing else: "jk"; and corrections."""
        later = [o for o in candidates if o.row is None and o.said_at > item.said_at]
        after = min(later, key=lambda other: other.said_at, default=None)
        if after is None or after.said_at - item.said_at > AFTER_WITHIN:
            return ()
        ids = item.user_id, self.finder.person.user_id  # what is of the server has no author
        turns = [turn for turn in self.finder.prepared.turns if turn.author_id in ids]
        said = (item.words.of(t.text) for t in turns if item.said_at < t.created_at < after.said_at)
        is_earlier = not turns or item.said_at < turns[0].created_at  # than the turns known
        if is_earlier or not all(self.question.match(of, is_later=True) for of in said):
            return ()  # a wish, or a question about something else, came between
        wish = parse_wish(after.text)
        is_value = wish and wish.kind is WishKind.CORRECT and not any(own_statements(wish.new))
        is_own = any(own_statements(after.text)) and not after.words.refers_back  # no "sold it"
        is_told = is_value or (corrects(after.text) and not (is_chain and is_own))
        if not is_told and (is_chain or item.is_note or is_own):
            return ()
        return (after, *self._right_after(after, candidates, is_chain=True))

    async def _coming(self, first: date, last: date) -> GeneratedText | None:
        """Return what lies in the days from ``first`` to ``last``, in their order."""
        dated: dict[str, tuple[date, Quotable]] = {}
        for item in await self.finder.everything(with_told=True):
            days = coming(item.text, item.said_at, self.finder.turn.settings.zone)
            if (
                days is not None
                and days[0] <= last
                and first <= days[1]
                and (not self.finder.is_open or self.question.match(item.words, is_later=True))
            ):  # not one's own dentist, of what comes up for Bob
                dated.setdefault(normalised(item.text), (days[0], item))
        items = [i for _, i in sorted(dated.values(), key=lambda pair: (pair[0], pair[1].said_at))]
        replies = [await self._told([item], (), items) for item in items[: 2 * MAX_BEST]]
        return _joined(replies) if replies else None

    async def _listing(self, loops: OpenLoops) -> GeneratedText | None:
        """Return what is known about the person, newest first; more than MAX_LISTED is counted."""
        turn, texts = self.finder.turn, self.texts
        items = {normalised(item.text): item for item in reversed(await self.finder.everything())}
        ordered = sorted(items.values(), key=lambda i: (not i.is_note, -i.said_at.timestamp()))
        listed = ordered[:MAX_LISTED]
        replies = [await self._told([item], self.finder.turns(), listed) for item in listed]
        if not self.finder.is_author:
            return _joined(replies) if replies else None
        if turn.settings.recall:
            for loop in await loops.of_member(turn.event.member, turn.audience.sources):
                refs = (SourceRef(SourceKind.MESSAGE, loop.message_id),)
                rests_on = Provenance(refs, loops=((loop.id, loop.message_id),))
                text = texts.to_ask.format(text=one_line(loop.text))
                replies.append(_reply(text, provenance=rests_on))
        if (count := len(ordered) - MAX_LISTED) > 0:
            replies.append(_reply(texts.more_known.format(count=count)))
        replies = replies or [_reply(texts.nothing_known)]
        if turn.event.guild_id == DIRECT_MESSAGES:
            replies.append(_reply(texts.stays_in_servers))
        return _joined(replies)

    async def _told(
        self, best: Sequence[Quotable], candidates: Sequence[Quotable], quoted: Sequence[Quotable]
    ) -> GeneratedText:
        """Return sentences with what was said later about the same, other than ``quoted``."""
        finder, after = self.finder, self._right_after(best[-1], candidates)
        told, idle = best[0].words, idle_words(best[0].words.code)
        keys = [
            Word(token, frozenset(token_stems))
            for token in told.tokens
            if not is_number(token) and (token_stems := stems(token, language=told.code))
            and idle.isdisjoint((token, *token_stems))
        ]  # fmt: skip
        found = await finder.find(f"{' '.join(key.text for key in keys)}?") if keys else ()
        quoted_texts = {normalised(item.text) for item in (*best, *after, *quoted)}
        since: dict[str, Quotable] = {}
        for item in sorted([*candidates, *found], key=lambda item: item.said_at):
            key = normalised(item.text)
            is_later = item.said_at > best[-1].said_at and key not in quoted_texts
            if is_later and self.question.goes_on(item.words, keys):
                since.setdefault(key, item)
        name = "" if finder.is_author else _shown_name(finder.person)
        newest = list(since.values())[-MAX_SINCE:]
        return _told(self.texts, finder.now, finder.turn.settings.zone, best, name, newest, after)


def _told(
    texts: PlainTexts,
    now: datetime,
    zone: ZoneInfo,
    best: Sequence[Quotable],
    name: str = "",
    since: Sequence[Quotable] = (),
    after: Sequence[Quotable] = (),
) -> GeneratedText:
    """Return sentences as quotes with their days; ``name``: whose they are, if not the asker's."""
    lines, today = [], now.astimezone(zone).date()
    noted, said = (texts.noted_by, texts.said_by) if name else (texts.noted_on, texts.said_on)
    for item in best:
        form, when = noted if item.is_note else said, texts.when(item.said_at, now, zone)
        lines.append(form.format(name=name, when=when, text=_shown(item)))
    parts = ["\n".join(lines)]
    kinds = ((texts.right_after, texts.quote, after), (texts.since, texts.dated_quote, since))
    for form, quote, items in kinds:
        quotes = [
            quote.format(text=_shown(i), day=texts.day(i.said_at.astimezone(zone).date(), today))
            for i in items
        ]
        parts += [form.format(quotes=" ".join(quotes))] if quotes else []
    used = (*best, *after, *since)
    event_ids = tuple(item.event_id for item in used if item.event_id > 0)
    about = tuple(dict.fromkeys(item.user_id for item in used))
    return _reply(" ".join(parts), about, Provenance(tuple(i.source for i in used), event_ids))


def _best(
    question: Question, candidates: Sequence[Quotable], turn: Turn, *, is_later: bool = False
) -> list[Quotable]:
    """Return the sentences that answer a question best, in order of time."""
    matches: dict[str, tuple[float, Quotable]] = {}
    of_note = question.expects is not AnswerType.AGE  # "I meet Tom at 4" is none
    for item in candidates:
        day = item.said_at.astimezone(turn.settings.zone).date()
        value = question.match(item.words, is_later=is_later or (of_note and item.is_note))
        is_undated = not (question.days or question.span) and value > LEAST
        is_of_day = is_undated or any(d.first <= day <= d.last for d in question.days)
        if value and (question.is_dated(item.words) or is_of_day):
            matches.setdefault(normalised(item.text), (value, item))
    ordered = sorted(matches.values(), key=lambda pair: -pair[0])
    best = [item for value, item in ordered if value >= ordered[0][0] - CLOSE][:MAX_BEST]
    notes = [normalised(item.text) for item in best if item.is_note]
    told = (i for i in best if i.is_note or not any(note in normalised(i.text) for note in notes))
    return sorted(told, key=lambda item: item.said_at)


def _shown(item: Quotable) -> str:
    return clip(one_line(item.text), MAX_SHOWN, at_word=True)


def _shown_name(person: Person | FoundMember) -> str:
    return clip(one_line(person.name), MAX_NAME)


def _joined(replies: Sequence[GeneratedText]) -> GeneratedText:
    return _reply(
        "\n".join(reply.text for reply in replies),
        tuple(dict.fromkeys(user_id for reply in replies for user_id in reply.about_ids)),
        Provenance.merged([reply.provenance for reply in replies]),
    )


def plain_turn(turn: Turn) -> Turn:
    """Return a turn whose line is the newest that asks, else that tells, else the last."""
    said = (turn.event, *reversed(turn.earlier_lines))
    lines = [replace(line, text=written_words(line.text)) for line in said]
    asking = (line for line in lines if parse_wish(line.text) or is_question(line.text))
    telling = (line for line in lines if any(own_statements(line.text)))
    return replace(turn, event=next(asking, None) or next(telling, lines[0]))
