"""Extract what members say about themselves with built-in rules, without a model.

Every sentence in which a member says something about themselves becomes a quote. A sentence that a
rule of facts matches as a whole clause becomes a note, which that rule verifies. The rules prefer
a quote to a wrong note.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from utils.common.text import clip, one_line
from utils.memory.consolidation.attributes import has_single_value
from utils.memory.extraction import english_facts, english_people, german_facts
from utils.memory.extraction.clauses import is_given_name, words_of
from utils.memory.extraction.coreference import goes_on, resolved
from utils.memory.extraction.doubts import is_laughed_at, is_unlisted_home
from utils.memory.extraction.facts import Fact, Topic
from utils.memory.extraction.own_statements import (
    Statement,
    is_remark,
    own_statements,
    statement_language,
    told_sentences,
)
from utils.memory.extraction.plans import plan_of
from utils.models.extraction import (
    BY_RULE,
    Candidate,
    Extraction,
    ExtractionInput,
    Judgement,
    Verdict,
)
from utils.models.memory import (
    MEMORY_LIMIT,
    Event,
    Importance,
    Kind,
    Memory,
    Method,
    Role,
    Source,
    VerifiedBy,
)

BY_MEMBER = Verdict(Judgement.SUPPORTED, VerifiedBy.MEMBER, repeats=True, ends=True)
MIN_QUOTED_WORDS = 3
GOES_ON_WITHIN = timedelta(minutes=5)
_OF_OTHERS = frozenset((Topic.FAMILY, Topic.PETS))
_FACTS: Mapping[str, Callable[[str], Iterator[Fact]]] = {
    "en": english_facts.english_facts,
    "de": german_facts.german_facts,
}
_FOLLOW_UPS: Mapping[str, Callable[[str, str], Fact | None]] = {
    "en": english_people.follow_up,
    "de": german_facts.follow_up,
}
REMEMBER = re.compile(
    r"\W*(?:(?:hey|hi|hallo|ok|okay|kith|please|pls|bitte|and|und)\b[\s,!:-]*)*(?:"
    r"(?:remember|don['’]?t forget|keep in mind|note)(?: please)?(?: that |: ?| (?=i\b|i['’]?m\b|"
    r"my\b))"
    r"|(?:merk dir|merke dir|vergiss nicht|denk dran|denk daran)(?! (?:bitte )?nicht?\b)"
    r"(?: bitte)?[,:]? (?:dass )?)"
    r"(?P<what>.+)",
    re.IGNORECASE,
)
_PEOPLE = "|".join(
    frozenset[str]().union(
        *(
            getattr(words_of(code), field)
            for code in ("en", "de")
            for field in ("relatives", "relatives_plural", "pets")
        )
    )
)
_INTRODUCED = re.compile(
    rf"\b(?:{_PEOPLE}|friends?|freunde?|freundin|named|called|namens|heißt|heißen|partner|are|with|mit)"
    r":? (?P<names>[^\W\d_]{2,20}(?:(?:, | (?:and|und|n|&) )[^\W\d_]{2,20}){0,4})\b",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:I|I['’]m|I['’]ve|im|ive|my|we|our|ich|mein\w*|wir|unser\w*)\b", re.IGNORECASE
)
_THIRD_PERSON = (
    (re.compile(r"\bI['’]?m\b|\bI am\b", re.IGNORECASE), "they are"),
    (re.compile(r"\bI was\b", re.IGNORECASE), "they were"),
    (re.compile(r"\bI['’]?ve\b|\bI have\b", re.IGNORECASE), "they have"),
    (re.compile(r"\bI\b", re.IGNORECASE), "they"),
    (re.compile(r"\bmyself\b", re.IGNORECASE), "themselves"),
    (re.compile(r"\bmine\b", re.IGNORECASE), "theirs"),
    (re.compile(r"\bmy\b", re.IGNORECASE), "their"),
    (re.compile(r"\bme\b", re.IGNORECASE), "them"),
)


class RuleExtractor:
    """The extractor for installations without a model: applies the rules to each message."""

    async def extract(self, inputs: ExtractionInput) -> Extraction:
        """Return the candidates that the rules find, without duplicates."""
        zone = ZoneInfo(inputs.time_zone)
        by_key: dict[str, Candidate] = {}
        member_id = inputs.burst.member.user_id
        earlier_texts = [row.text for row in inputs.rows]
        earlier_texts += [event.text for event in inputs.previous if event.author_id == member_id]
        for event in inputs.burst.events:
            earlier_texts.append(event.text)
            talk = (*inputs.previous, *inputs.burst.events)
            going_on = list(_going_on(event, said_before(event, talk), zone, inputs.rows))
            of_people = () if going_on else _of_people(event, people_in(earlier_texts))
            for candidate in (*candidates(event, zone), *going_on, *of_people):
                by_key = {
                    key: other
                    for key, other in by_key.items()
                    if not (candidate.text and _says_less(other.text, candidate))
                }
                if has_single_value(candidate):  # "I live in Rome. Sorry, I live in Oslo"
                    by_key = {
                        key: other
                        for key, other in by_key.items()
                        if other.attribute != candidate.attribute
                    }
                key = candidate.text or f"\n{candidate.quote.casefold()}"
                by_key[key] = candidate
        return Extraction(tuple(by_key.values()), Method.RULE)


def candidates(event: Event, zone: ZoneInfo) -> Iterator[Candidate]:
    """Yield the candidates of a message: notes, and sentences without a note as quotes.

    Relative dates become dates in the server's time zone.
    """
    today = event.created_at.astimezone(zone).date()
    for line in event.text.split("\n"):
        wish = REMEMBER.match(line)
        if wish is not None:
            yield from _explicit(one_line(wish["what"]), event, today)
    for statement in own_statements(event.text):
        if REMEMBER.match(statement.sentence):
            continue
        facts = statement_facts(statement, today)
        for fact in facts:
            yield _candidate(fact, statement.sentence, event, today)
        is_long = len(statement.sentence.split()) >= MIN_QUOTED_WORDS
        if not facts and is_long and not is_remark(statement.sentence):
            yield _quote(statement.sentence, event)


def statement_facts(statement: Statement, today: date) -> list[Fact]:
    """Return the facts that the rules read in a sentence, each once.

    ``today`` is the day on which it was said, in the server's time zone.
    """
    read = _FACTS.get(statement.language)
    if read is None:
        return []
    facts: dict[str, Fact] = {}
    previous, last = "", ""
    for clause in statement.clauses:
        followed = _FOLLOW_UPS[statement.language](previous, clause) if previous else None
        if followed is not None and facts.get(last, followed).topic is followed.topic:
            facts.pop(last, None)  # "has a dog" says less than "has a dog named Biscuit"
        new = [followed] if followed else list(plan_of(clause, statement.language, today))
        meant = resolved(clause, [previous], statement.language) if previous else None
        for fact in new or read(meant or clause):
            facts[fact.text] = fact
            last = fact.text
        previous = clause
    laughed = is_laughed_at(statement.sentence)  # "haha I live in Narnia"
    return [fact for fact in facts.values() if not (laughed and is_unlisted_home(fact))]


def said_before(event: Event, talk: Iterable[Event]) -> list[str]:
    """Return what its author said right before a message, oldest first, if nobody else spoke.

    ``talk`` are the messages around it, in their order.
    """
    texts: list[str] = []
    for earlier in talk:
        if earlier.message_id == event.message_id:
            break
        if earlier.author_id == event.author_id:
            is_recent = event.created_at - earlier.created_at <= GOES_ON_WITHIN
            texts = [*texts, *_told(earlier.text)] if is_recent else []
        elif earlier.role is Role.MEMBER:
            texts = []
    return texts


def _told(text: str) -> list[str]:
    """Return the sentences of a message that tell something; "he's 4" is shorter than others."""
    line = one_line(text)
    is_short = "?" not in line and goes_on(line, statement_language(line))
    return list(told_sentences(text)) or ([line] if is_short else [])


def _going_on(
    event: Event, before: Sequence[str], zone: ZoneInfo, rows: Iterable[Memory]
) -> Iterator[Candidate]:
    """Yield notes of sentences that begin with a pronoun: "she is 4" after "I have a cat".

    One that says more than a known note replaces it.
    """
    today = event.created_at.astimezone(zone).date()
    for sentence, fact in facts_going_on(event.text, before, today):
        candidate = _candidate(fact, sentence, event, today)
        row = next((row for row in rows if _says_less(row.text, candidate)), None)
        yield candidate if row is None else replace(candidate, replaces=row.id)


def facts_going_on(text: str, before: Sequence[str], today: date) -> Iterator[tuple[str, Fact]]:
    """Yield each sentence that begins with a pronoun, with a fact that it adds to those before.

    Args:
        text: the message.
        before: what its author said right before it, oldest first.
        today: the day on which it was said, in the server's time zone.
    """
    before = list(before)
    for sentence in _told(text):
        meant = resolved(sentence, before, statement_language(sentence))
        for statement in own_statements(meant) if meant is not None else ():
            for fact in statement_facts(statement, today):
                if fact.topic in _OF_OTHERS:
                    yield sentence, fact
        before.append(sentence)


def _says_less(text: str, candidate: Candidate) -> bool:
    """Whether a note says less than a candidate: "has a cat" than "has a cat named Gustav"."""
    return f"{candidate.text} ".startswith((f"{text} named ", f"{text} namens ")) if text else False


def _candidate(fact: Fact, sentence: str, event: Event, today: date) -> Candidate:
    return Candidate(
        subject_id=event.author_id,
        text=fact.text,
        quote=sentence,
        kind=fact.kind,
        importance=fact.importance,
        lifetime_days=None if fact.until is None else (fact.until - today).days + 1,
        attribute=fact.attribute,
        topics=(fact.topic,),
        until=fact.until,
        message_id=event.message_id,
        verdict=BY_RULE,
    )


def people_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the names, in lower case, that somebody gave their relatives, friends and pets."""
    return frozenset(
        name.lower()
        for text in texts
        for match in _INTRODUCED.finditer(text)
        for name in re.split(r",? (?:and|und|n|&) |, ", match["names"])
        if name[:1].isupper() or is_given_name(name)
    )


def _of_people(event: Event, names: AbstractSet[str]) -> Iterator[Candidate]:
    """Yield, as quotes, the sentences about people whom their author introduced: "Zoe is 11"."""
    statements = {statement.sentence for statement in own_statements(event.text)}
    for sentence in told_sentences(event.text):
        first = next(iter(re.findall(r"[^\W_]+", sentence.lower())), "")
        if sentence not in statements and names & {first, first.removesuffix("s")}:
            yield _quote(sentence, event)


def _quote(sentence: str, event: Event) -> Candidate:
    """Return a sentence to be kept as a quote, without a note."""
    return Candidate(
        subject_id=event.author_id,
        text="",
        quote=sentence,
        kind=Kind.FACT,
        importance=Importance.MEDIUM,
        lifetime_days=None,
        message_id=event.message_id,
    )


def _explicit(request: str, event: Event, today: date) -> Iterator[Candidate]:
    """Yield what a member asked Kith to remember about them; in a rule's words if one matches."""
    noted = [
        _candidate(fact, request, event, today)
        for statement in own_statements(_verb_second(request))
        for fact in statement_facts(statement, today)
    ]
    if not noted and is_of_author(request):
        text = clip(_in_third_person(request.strip(" .!;,")), MEMORY_LIMIT, at_word=True)
        noted = [replace(_quote(request, event), text=text, verdict=BY_MEMBER)]
    for candidate in noted:
        yield replace(candidate, source=Source.EXPLICIT, importance=Importance.HIGH)


def is_of_author(request: str) -> bool:
    """Whether what a member asked Kith to remember is about them, so that it is noted."""
    return len(request) > 2 and _OWN.search(request) is not None and not request.endswith("?")


def _verb_second(request: str) -> str:
    """Return a German subordinate clause as a main clause: "ich Tee mag" -> "ich mag Tee"."""
    first, *others = request.strip(" .!").split() or [""]
    if len(others) > 1 and first.casefold() == "ich" and others[-1] in words_of("de").own_verbs:
        return " ".join([first, others[-1], *others[:-1]])
    return request


def _in_third_person(text: str) -> str:
    for pattern, replacement in _THIRD_PERSON:
        text = pattern.sub(replacement, text)
    return text
