"""Does a memory follow from its subject's message? Pure; the last part of grounding.

Everything the member wrote in the burst is read sentence by sentence. What is cited, asked, joked
or said about other people is put aside, and the remaining words must support the memory.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from utils.memory.verification.claims import is_shown
from utils.memory.verification.context import ExtractionContext
from utils.memory.verification.lexical_support import Vocabulary, is_supported, leads, same_word
from utils.memory.verification.modality import earnest_parts, sentences
from utils.memory.verification.note_words import CHARGED, IRREGULAR, NOTE_STEMS, PAST, TIMES, WORD
from utils.memory.verification.person_words import (
    ARTICLES,
    BARE_VERBS,
    BEING,
    FIRST_OBJECT,
    FIRST_PERSON,
    LEADING,
    MINE,
    NOBODY_IN_PARTICULAR,
    PETS,
    SECOND_PERSON,
    THIRD_PERSON,
)
from utils.memory.verification.polarity import SEGMENT, keeps_sense, turns
from utils.memory.verification.quotations import own_words
from utils.memory.verification.subject import (
    Owner,
    Span,
    asks_about_another,
    asks_author,
    owner_of,
    spans,
)
from utils.models.memory import Candidate, Event
from utils.models.plan import MemberState
from utils.nlp.stemming import stems

_YES = re.compile(
    r"^\W*(?:yes|yeah|yea|yep|yup|ya|sure|of course|definitely|absolutely|totally|i do|i am|i'm|"
    r"correct|right|indeed|true|exactly|ja|jep|klar|genau|oui|ouais|si|sí|claro|sim|да|ага|конечно|"
    r"はい|うん|ええ)\b(?!,? right)(?!.*\bwhatever\b)",
    re.IGNORECASE,
)
_HAS = frozenset(["has", "owns", "hat", "a", "tiene", "tem", "ha", "heeft", "got", "adopted"])
_NO = re.compile(
    r"^\W*(?:no|nope|nah|never|not|nein|nee|non|não|нет|неа|いいえ|いや)\b", re.IGNORECASE
)
_CONTINUES = re.compile(
    r"^\W*(?:named|called|who|which|and|in|at|to|since|from|with|for|because|namens|und|in|aus|seit|"
    r"qui|appelé\w*|et|à|depuis|llamad[oa]|que|y|en|desde|chamad[oa]|e|em|и|в|с|по имени)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:with|to|at|by|from|saw|met|about|for) (?!I\b)[A-Z][a-z]+")
_NO_SUBJECT = re.compile("[\uac00-\ud7a3](?<![은는이가])$")
"""A Korean word without the particle of a subject."""

MAX_SUBJECT_WORDS = 3
_WISH = re.compile(
    r"(?:does(?: not|n['’]t) )?"
    r"(?:wants?|prefers?|likes?|would|asks?|asked|needs?|wishes|goes by|is called|möchte|mag|will|"
    r"bevorzugt|préfère|veut|aime|souhaite|prefiere|quiere|le gusta|prefere|quer|gosta)\b",
    re.IGNORECASE,
)
"""How a memory of what somebody asked for begins."""

_OPINION = re.compile(
    r"(?:really )?(?:finds|thinks|believes|feels|considers|values|appreciates|enjoys|likes|loves|"
    r"dislikes|hates|prefers|is (?:into|fond of|a fan of)|findet|mag|trouve|aime|le gusta|acha|"
    r"gosta)\b",
    re.IGNORECASE,
)
"""How a memory of what somebody thinks of a thing begins."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of the subject's own, as far as it is meant, cut by whom it speaks of."""

    event_id: int
    text: str
    meant: str
    spans: tuple[Span, ...]


def objection(
    candidate: Candidate, event: Event, state: MemberState, heard: ExtractionContext
) -> str | None:
    """Return why a memory does not follow from what its subject wrote, or None if it does."""
    own_events = [event for event in state.events if event.author_id == candidate.subject_id]
    statements = _read(own_events, heard)
    quoted = [
        statement
        for statement in statements
        if statement.event_id == event.id and _shares(statement, candidate.quote)
    ]
    if not any(statement.meant for statement in quoted):
        return "modality"
    memory = unicodedata.normalize("NFKC", candidate.text)
    question = _asked(event, quoted, memory, heard)
    if (
        event.id in heard.asked
        and question is None
        and _is_answer_about_another(event, heard, quoted)
    ):
        return "subject"
    usable, aside = _sort(statements, memory)
    own_texts = [*map(" ".join, usable), *(question or [])]
    told_aside = [*map(" ".join, aside)]
    strange = [*heard.others, *heard.names]
    is_carried = question or _touches(quoted, usable, memory)
    if not is_carried or not (
        is_supported(memory, own_texts, [*strange, *told_aside], event.created_at)
        or (
            leads(memory, own_texts, told_aside)
            and is_supported(memory, [*own_texts, *told_aside], strange, event.created_at)
        )
    ):
        return "subject" if _holds_word(aside, memory) else "unsupported"
    if not keeps_sense(
        memory, [statement.meant for statement in statements if statement.meant], same_word
    ):
        return "unsupported"
    return None if is_shown(memory, own_texts, same_word) else "unsupported"


def _read(own: Sequence[Event], heard: ExtractionContext) -> list[_Said]:
    """Read a member's messages, in order; a sentence without a subject keeps the last one's."""
    statements: list[_Said] = []
    texts = [(event, sentences(own_words(event.text, heard.names))) for event in own]
    flat = [(event, sentence) for event, ones in texts for sentence in ones]
    named = may_be_name = False
    carried = _carried_over(own, flat[0][1] if flat else "", heard)
    for index, (event, text) in enumerate(flat):
        meant = earnest_parts(text, [after for _, after in flat[index + 1 :]])
        cut = spans(meant, heard.names)
        if named and meant.split(" ")[0].casefold() in BARE_VERBS:
            carried = Span(Owner.OTHER)  # "Had lunch with Priya. Is moving to Oslo."
        named = named or _NAMED.search(text) is not None
        is_thing = carried.owner is Owner.THING and (may_be_name or _goes_on(meant))
        for span in cut:
            is_open = span.owner is Owner.NOBODY and (carried.owner is Owner.OTHER or is_thing)
            if is_open or (carried.anchor and _is_pronoun(span)):
                span.owner, span.anchor = carried.owner, carried.anchor
                span.is_kin = carried.is_kin
        latest = _carry(carried, cut)
        if latest is not carried:  # "Sam is new here", "Painting is fun"
            may_be_name = latest.anchor.capitalize() in WORD.findall(text)
        carried = latest
        statements.append(_Said(event.id, text, meant, tuple(cut)))
    return statements


def _carried_over(own: Sequence[Event], first: str, heard: ExtractionContext) -> Span:
    """Return whom the first sentence speaks of if it only continues what stood before it."""
    carried = Span(Owner.NOBODY)
    if not own or not _CONTINUES.search(first):
        return carried
    question = heard.asked.get(own[0].id)
    if question is not None:
        is_question = "?" in question or "？" in question
        return carried if is_question else Span(Owner.OTHER)
    for sentence in sentences(own_words(heard.previous.get(own[0].id, ""), heard.names)):
        carried = _carry(carried, spans(sentence, heard.names))
    return carried


def _carry(carried: Span, cut: Sequence[Span]) -> Span:
    """Return whom a sentence without a subject speaks of after this one: never "you"."""
    last = owner_of(cut)
    if last.owner is Owner.NOBODY:
        return carried
    latest = list(takewhile(lambda span: span.owner is last.owner, reversed(cut)))
    is_addressed = any(span.words[0] in SECOND_PERSON for span in latest)
    return Span(Owner.NOBODY) if is_addressed else last


def _is_pronoun(span: Span) -> bool:
    """Whether a span speaks of the person named before it: "she's a border collie"."""
    is_third = bool(span.words) and span.words[0] in THIRD_PERSON
    return is_third and span.owner is Owner.OTHER and not span.anchor


def _sort(said: Iterable[_Said], memory: str) -> tuple[list[list[str]], list[list[str]]]:
    """Return the words that a memory may be made of, and those said about other people."""
    usable: list[list[str]] = []
    aside: list[list[str]] = []
    for statement in said:
        for span in statement.spans:
            (usable if _may_use(span, memory) else aside).append(span.words)
    return usable, aside


def _may_use(span: Span, memory: str) -> bool:
    """Whether a memory names the subject whose span it uses, if that is not its author."""
    if span.owner is Owner.AUTHOR:
        return True
    if span.owner is Owner.NOBODY:
        return not _has_hidden_subject(span, memory)
    if span.owner is Owner.ASKED:
        return bool(_WISH.match(memory)) and not any(map(CHARGED.search, WORD.findall(memory)))
    if span.owner is Owner.THING and (FIRST_OBJECT & set(span.words) or _is_opinion(span, memory)):
        return True
    if (
        FIRST_OBJECT & set(span.words)
        and _WISH.match(memory)
        and span.words[0] in NOBODY_IN_PARTICULAR
    ):
        return True
    if not span.anchor:
        return False
    words = [word.casefold() for word in WORD.findall(memory)]
    if span.anchor in memory and not span.anchor.isascii():  # scripts without spaces
        return True
    if span.anchor in PETS and words[:1] and words[0] in _HAS:
        return True
    named = [i for i, word in enumerate(words) if same_word(_bare(word), span.anchor)]
    if not named:
        return False
    if not span.is_kin or FIRST_OBJECT & set(span.words):
        return True
    shared_before = [
        i
        for i, word in enumerate(words)
        if i < named[0]
        and any(same_word(word, span_word) for span_word in span.words)
        and stems(word)
    ]
    return not shared_before


def _goes_on(sentence: str) -> bool:
    """Whether a sentence has no subject and tells more of the last one's: "Named Rex."."""
    first = sentence.split(" ")[0].casefold()
    is_verb = first in BARE_VERBS | PAST or first.endswith("ed")
    return is_verb or _CONTINUES.search(sentence) is not None


def _is_opinion(span: Span, memory: str) -> bool:
    """Whether a memory makes an opinion of what is said of a thing: "pottery is calming"."""
    is_judged = any(word in BEING or word.endswith("'s") for word in span.words)
    is_charged = any(map(CHARGED.search, WORD.findall(memory)))
    return is_judged and not is_charged and _OPINION.match(memory) is not None


def _has_hidden_subject(span: Span, memory: str) -> bool:
    """Whether a memory begins in the middle of a clause: "Lena bought a boat" -> "bought a boat".

    What stands before, if it may be a name or a noun, is then the subject, and must not be lost.
    """
    clause = [word for word in span.words if not _is_beside(word)]
    if not clause or MINE & set(clause):
        return False
    longest = MAX_SUBJECT_WORDS
    if clause[0].endswith("ing") and len(clause) > 1:  # "watching Lena lose"
        clause, longest = clause[1:], 1
    elif span.words[0] not in ARTICLES and _is_verb(clause[0]):
        return False
    is_met = bool(FIRST_OBJECT & set(clause))  # "Sam beat me" is not "beat Sam"
    clause = [word for word in clause if stems(word)]
    words: list[str] = []
    for part in SEGMENT.split(memory.casefold()):
        start = len(words)
        words += WORD.findall(part)
        shared = (i for i in range(start, len(words)) if _index(words[i], clause) is not None)
        first = next(shared, None)
        if first is None or (first and words[first - 1] in ARTICLES):  # a noun, not what it does
            continue
        before = [w for w in clause[: _index(words[first], clause)] if not _NO_SUBJECT.search(w)]
        if not before or len(before) > longest:
            continue
        named = [i for i, word in enumerate(words) if any(same_word(word, two) for two in before)]
        if is_met:  # "inspired by nature" is what "nature inspires me" says
            hidden = any(i > first and words[i - 1] != "by" for i in named)
        else:
            hidden = not named if BEING & set(span.words) else all(i > first for i in named)
        if hidden:
            return True
    return False


def _is_verb(word: str) -> bool:
    """Whether a word that begins a clause is a verb, so that its author may be the subject."""
    word_stems = stems(word)
    return (
        word in PAST
        or word in IRREGULAR
        or word.isdigit()
        or word.endswith(("ing", "ed"))
        or bool(turns(word))
        or word in FIRST_PERSON
        or all(stem in NOTE_STEMS for stem in word_stems)  # function words too
    )


def _index(word: str, clause: Sequence[str]) -> int | None:
    return next(
        (i for i, token in enumerate(clause) if stems(word) and same_word(word, token)), None
    )


def _is_beside(word: str) -> bool:
    return word in LEADING | ARTICLES or word.endswith("ly") or TIMES.fullmatch(word) is not None


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")


def _shares(one: _Said, quote: str) -> bool:
    """Whether a sentence has a part in the quote; scripts without spaces show it as a whole."""
    quoted = {word.casefold() for word in WORD.findall(quote)}
    words = {word.casefold() for word in WORD.findall(one.text)}
    return bool(quoted & words) or not words or quote.casefold() in one.text.casefold()


def _touches(quoted: Sequence[_Said], usable: list[list[str]], memory: str) -> bool:
    """Whether the memory uses a word of the quoted sentences that is its author's to use."""
    vocabulary = Vocabulary.of(
        " ".join(span.words)
        for statement in quoted
        for span in statement.spans
        if any(w is span.words for w in usable)
    )
    return any(vocabulary.has(word.casefold()) for word in WORD.findall(memory))


def _holds_word(spans_of_others: list[list[str]], memory: str) -> bool:
    vocabulary = Vocabulary.of(" ".join(words) for words in spans_of_others)
    return any(len(word) > 2 and vocabulary.has(word.casefold()) for word in WORD.findall(memory))


def _asked(
    event: Event, quoted: Sequence[_Said], memory: str, heard: ExtractionContext
) -> list[str] | None:
    """Return the words of the question that a message answers, as far as it affirms them."""
    question = heard.asked.get(event.id)
    if question is None or not asks_author(question):
        return None
    last_question = [
        sentence for sentence in sentences(question) if sentence.endswith(("?", "？"))
    ][-1]
    answer = own_words(event.text, heard.names)
    if _YES.search(answer):
        return [last_question]
    if _NO.search(answer):
        negating = keeps_sense(memory, [f"not {' '.join(WORD.findall(last_question))}"], same_word)
        return [last_question] if negating else None
    spans_of_own = [
        s for statement in quoted for s in statement.spans if s.owner is not Owner.OTHER
    ]
    vocabulary = Vocabulary.of(" ".join(span.words) for span in spans_of_own)
    words = [word.casefold() for word in WORD.findall(memory)]
    is_new = any(vocabulary.has(word) for word in words if stems(word))
    is_dated = TIMES.search(answer.casefold()) and any(map(str.isdigit, memory))
    return [last_question] if is_new or is_dated else None


def _is_answer_about_another(
    event: Event, heard: ExtractionContext, quoted: Sequence[_Said]
) -> bool:
    lacks = all(span.owner is Owner.NOBODY for statement in quoted for span in statement.spans)
    return lacks and asks_about_another(heard.asked[event.id], heard.names)
