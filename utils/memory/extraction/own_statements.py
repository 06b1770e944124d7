"""Find the sentences in which the author of a message says something about themselves. Pure.

Questions, orders, quotations, songs, jokes, role-play and what others say are left out.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import dropwhile

from utils.common.text import NOT_AFTER_TITLE, clean, one_line
from utils.common.visible_text import own_words_of
from utils.memory.extraction.stated_names import stated_name
from utils.memory.verification.sentences import CODE
from utils.nlp.answer_types import NEGATIONS
from utils.nlp.languages import StatementWords, languages
from utils.nlp.phrase_matcher import any_of, has_phrase
from utils.nlp.quoted_lines import without_quoted_lines

MAX_SENTENCE = 500
MIN_WORDS = 3
MAX_PLAN_WORDS = 6
WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*|&")

_NOISE = re.compile(
    r"<a?:\w+:\d+>|<[@#][!&]?\d+>|https?://\S+|:[a-z_]+:"
    r"|(?<!\w)(?:[:;=][-']?[()DPpOo3/\\|]+|[xX][DdPp]|<3)(?!\w)"
)
_ITEM = r"\n[ \t]*(?:[-*•–]|\d+[.)]) "  # of a list
_QUOTED = r"(?<!\w)[\"“„«»][^\"”“«»\n]{1,400}[\"”“«»]"  # ends a sentence: he said "Hi." Then …
_SENTENCE = re.compile(
    rf"(?:{_QUOTED}(?!(?<=[.!?].)(?=\s+[A-ZÄÖÜ]|\s*$))|(?!{_QUOTED})(?:(?<=:)[^\S\n]*(?:{_ITEM}.*)+|[^.!?\n]|[.!?]{{1,3}}(?=\))|\.(?=\w)|\.(?!{NOT_AFTER_TITLE})|(?<=\b\d)\.(?=\s)|(?<=\b\d\d)\.(?=\s)))+(?:{_QUOTED})?[.!?]*|{_QUOTED}"
)
_ROLE_PLAY = re.compile(r"\*[^*\n]{2,}\*|(?<!\w)/s\b|[🎵🎶♪♫]", re.IGNORECASE)
_SPEAKER = re.compile(r"\W*(\w+):\s")
_ANNOUNCED = re.compile(rf"^.*:[ \t]*(?!{_ITEM})(?:\n.+)+|^[^\w\n]*(?i:rp|ic)\b[\]):].*", re.M)
_QUOTATION = re.compile(rf"{_QUOTED}|(?<!\w)['‘][^'’\n]{{1,400}}['’](?!\w)")
_CORRECTED_WORD = re.compile(r"\*\w|\w+\*(?!\w)")


def words_of(code: str) -> StatementWords:
    """Return the word lists of a language."""
    return languages()[code].statements


CODES = tuple(code for code in languages() if words_of(code).first_person)
"""The languages whose files say how people speak of themselves."""
_SPOKEN = [*map(words_of, CODES)]
_OPENERS = frozenset(word for words in _SPOKEN for word in (*words.leads, *words.fillers))
_CORRECTIONS = tuple(f"{phrase} " for words in _SPOKEN for phrase in words.corrections)
_SPELLINGS = {
    code: dict(pair.split(": ", 1) for pair in words_of(code).spellings) for code in languages()
}
_FILLERS = {
    code: re.compile(rf"(?<![\w'-])(?:{any_of(words_of(code).fillers)})(?![\w'-])", re.IGNORECASE)
    for code in languages()
}


def own_statements(text: str) -> Iterator[str]:
    """Yield the sentences in which the author of a message says something about themselves."""
    own_text, line = own_part(text), one_line(text)
    language = statement_language(own_text)
    for sentence in sentences_in(own_text):
        if len(sentence) <= MAX_SENTENCE and sentence in line and is_own(sentence, language):
            yield sentence


def is_told(sentence: str) -> bool:
    """Whether a sentence tells something, whoever it is about: it neither asks nor orders."""
    code = statement_language(sentence)
    is_order = _first_word(sentence, words_of(code)) in words_of(code).commands
    return not (is_question(sentence) or (is_order and not _drops_subject(sentence, code)))


def words_in(text: str) -> list[str]:
    """Return the words of a text in lower case, with straight apostrophes."""
    return [word.lower() for word in WORD.findall(text.replace("’", "'"))]


def own_part(text: str) -> str:
    """Return a message without quoted lines, code, announced lines, and lines in character."""
    return CODE.sub(r"\1", _ANNOUNCED.sub("", without_quoted_lines(own_words_of(clean(text)))))


def sentences_in(text: str) -> Iterator[str]:
    """Yield a text's sentences; "Got a cat! Her name is Mia" is one, as "Tom is vegan. I'm not"."""
    waiting = ""
    for match in _SENTENCE.finditer(text):
        sentence = one_line(match[0])
        said, code = words_in(sentence), statement_language(sentence)
        is_back = "".join(said[:1]).split("'")[0] in words_of(code).refers_back
        is_no = len(said) < MIN_WORDS and not NEGATIONS.isdisjoint(said)
        if said and said[0] in NEGATIONS - words_of(code).inverted:  # "Not really, Hull"
            is_no = is_no or not is_own(sentence, code)
        goes_on = ((is_back or is_no) and "?" not in sentence) or corrects(sentence)
        if waiting and not goes_on:
            yield waiting
            waiting = ""
        waiting = f"{waiting} {sentence}".strip()
    if waiting:
        yield waiting


def corrects(text: str) -> bool:
    """Whether a text corrects what was said before: "no wait", "oh I meant", "York*"."""
    words = words_in(text)
    parts = (words, dropwhile(_OPENERS.__contains__, words))
    is_word = _CORRECTED_WORD.match(text) is not None
    return is_word or any(f"{' '.join(part)} ".startswith(_CORRECTIONS) for part in parts)


def statement_language(text: str) -> str:
    """Return the language with most of a text's words, of those with statement words."""
    asking = (code for code in CODES if _asks(words_in(text), words_of(code)))  # "was", "hat"
    return certain_language(text) or next(asking, CODES[0])


def certain_language(text: str) -> str | None:
    """Return the language as :func:`statement_language` does; None if two fit equally well."""
    words = words_in(_QUOTATION.sub(" ", text)) or words_in(text)
    scores = {code: sum(word in _common_words(code) for word in words) for code in CODES}
    first, second = sorted(CODES, key=lambda code: scores[code], reverse=True)[:2]
    return first if scores[first] > scores[second] else None


@cache
def _common_words(code: str) -> frozenset[str]:
    language, spoken = languages()[code], words_of(code)
    remarks = (phrase for row in language.answers.remarks.values() for phrase in row)
    said = (*spoken.dropped_subject, *spoken.corrections, *language.answers.asks_coming, *remarks)
    own_words = spoken.first_person | spoken.own_verbs | spoken.commands | spoken.questions
    own_words |= language.dates.time_words | language.dates.next | language.words.stop_words
    return own_words.union(words_in(" ".join((*said, *_SPELLINGS[code]))))


def tokens_of(text: str, code: str, *, with_fillers: bool = False) -> list[str]:
    """Return the words of a text in lower case and usual spelling, without emoji and fillers."""
    spellings = _SPELLINGS[code]
    plain = _NOISE.sub(" ", text.replace("’", "'"))
    plain = WORD.sub(lambda match: spellings.get(match[0].lower(), match[0]), plain)
    return words_in(plain if with_fillers else _FILLERS[code].sub(" ", plain))


def is_own(sentence: str, code: str) -> bool:
    """Whether the author of a sentence says something about themselves, in earnest."""
    words = words_of(code)
    quoted = tokens_of(" ".join(_QUOTATION.findall(sentence)), code)
    spoken_part = _QUOTATION.sub(" that ", sentence)
    if "?" in spoken_part:
        spoken_part = spoken_part.rpartition(",")[0]  # "I moved to Rome, and you?"
    tokens, speaker = tokens_of(spoken_part, code), _SPEAKER.match(spoken_part)
    is_quoting = speaker is not None and speaker[1].lower() not in words.leads
    if is_quoting or _ROLE_PLAY.search(sentence) or not words.first_person.isdisjoint(quoted):
        return False
    has_name = stated_name(spoken_part) is not None
    first, drops_subject = _first_word(spoken_part, words), _drops_subject(spoken_part, code)
    is_order = first in words.commands and not (drops_subject or has_name)
    count = len(tokens) + (drops_subject and any(map(str.isdigit, tokens)))  # "bin 21"
    spoken_tokens = tokens_of(spoken_part, code, with_fillers=True)  # "leider hab ich" tells
    begin = (*dropwhile(words.leads.__contains__, spoken_tokens), "", "")
    may_ask = begin[0] in languages()[code].answers.auxiliaries and begin[1] in words.speakers
    if is_order or may_ask or (count < MIN_WORDS and not has_name) or _asks(tokens, words):
        return False
    folded = f" {' '.join(tokens)} "
    said = f"{folded} {' '.join(words_in(spoken_part))} "
    if (
        has_phrase(said, words.report_phrases)
        or has_phrase(said, words.unearnest, not_after=NEGATIONS.difference(words.corrections))
        or has_phrase(folded[:20], words.sarcastic_openers)
        or _is_reported(tokens, words)
        or (words.conditional and words.conditional.issubset(tokens))
    ):
        return False
    is_first_person = has_name or drops_subject or not words.first_person.isdisjoint(tokens)
    idle = languages()[code].words.stop_words | words.talk | words.fleeting
    return is_first_person and (has_name or not idle.issuperset(tokens))


def _first_word(sentence: str, words: StatementWords) -> str:
    return next((word for word in words_in(sentence) if word not in words.leads), "")


def _drops_subject(sentence: str, code: str) -> bool:
    """Whether a sentence only lacks its "I": "moved to Rome", "dentist on Friday"."""
    words = words_of(code)
    tokens = list(dropwhile(words.leads.__contains__, tokens_of(sentence, code)))
    folded = f"{' '.join(tokens)} "
    if any(folded.startswith(f"{phrase} ") for phrase in words.dropped_subject):
        is_order = tokens[:1] == ["do"] and not words.reports.isdisjoint(tokens[2:3])
        return not is_order and tokens[1:2] != ["is"]  # "don't tell anyone", "love is blind"
    language = languages()[code]
    days = language.dates.next.union(*language.dates.days_ahead[1:2], *language.dates.weekdays)
    is_plan = len(tokens) <= MAX_PLAN_WORDS and not days.isdisjoint(tokens[1:])
    if is_plan and tokens[0] in words.commands:  # "call mum tomorrow", but "remind me tomorrow"
        is_plan = (language.answers.objects | language.answers.reminders).isdisjoint(tokens[1:])
    return is_plan and tokens[0] not in language.words.stop_words


def is_question(text: str) -> bool:
    """Whether a text asks something, with or without a question mark."""
    code = statement_language(text)
    return "?" in text or _asks(tokens_of(text, code), words_of(code))


def _asks(tokens: Sequence[str], words: StatementWords) -> bool:
    """Whether words begin as a question: "what", "in which", "um wie", "do you", "und du"."""
    begin = list(dropwhile(words.leads.__contains__, tokens)) or tokens[-1:]
    first, second = (*begin, "", "")[:2]
    is_which = not words.which.isdisjoint((second, f"{first}+{second}"))
    is_mine = second in words.first_person and first not in words.own_verbs | words.past
    is_inverted = first in words.inverted and (
        (second in words.subjects or is_mine) and not len(begin) == 2 < len(tokens)  # "so do I"
    )
    return first in words.questions or is_inverted or (is_which and first not in words.first_person)


def _is_reported(tokens: Sequence[str], words: StatementWords) -> bool:
    """Whether somebody else says it: "Tom says I live in Paris"."""
    return any(
        token in words.reports
        and (index == 0 or tokens[index - 1] not in words.speakers)
        and not words.first_person.isdisjoint(tokens[index + 1 : index + 4])
        for index, token in enumerate(tokens)
    )
