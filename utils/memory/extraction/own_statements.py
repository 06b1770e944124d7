"""Find the sentences in which the author of a message says something about themselves. Pure.

The word lists are in utils/nlp/languages/*.toml. Questions, orders, quotations, songs, jokes,
role-play and what others say are left out. Without a model, each sentence found here is kept as a
quote, and its clauses are what the rules of facts read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from utils.common.text import clean, one_line
from utils.memory.extraction.clauses import (
    WORD,
    canonical,
    clauses_of,
    greeting_name,
    has_phrase,
    tokens_of,
    without_leads,
    words_of,
)
from utils.memory.extraction.doubts import denies, is_doubtful
from utils.memory.verification.sentences import CODE, QUOTED_LINE
from utils.nlp.languages import StatementWords, languages

MAX_SENTENCE = 500
MIN_WORDS = 3
MAX_REMAINDER = 4  # words
CODES = ("en", "de", "es")

_SENTENCE = re.compile(
    r"(?:[^.!?\n]|\.(?=\w)|(?<=\b[SMD][tr])\.|(?<=\b\d)\.(?=\s)|(?<=\b\d\d)\.(?=\s))+[.!?]*"
)
_ROLE_PLAY = re.compile(r"\*[^*\n]{2,}\*|^\W*\[?(?:rp|ic)\b[\]:]|(?<!\w)/s\b", re.IGNORECASE)
_REPEATED = re.compile(r"\b(\w+(?: \w+){2,6})\b\W+(?:\w+\W+){0,2}?\1\b", re.IGNORECASE)
_SHOUTED_LOVE = re.compile(r"\bI\s+(?:\w+\s+){0,2}LOVE\b")
_SUNG = re.compile("^[^\n]*[🎵🎶♪♫][^\n]*", re.MULTILINE)
_QUOTATION = re.compile(r"[\"“„«][^\"”“»\n]{1,400}[\"”“»]|(?<!\w)['‘][^'’\n]{1,400}['’](?!\w)")
_NAMES_IT = re.compile(
    r"(?:her|his|its) name|(?:she|he|it)(?:'?s| is) (?:called|named)|(?:der|die|das|er|sie|es) "
    r"heißt\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^([^:\n]{1,40}):\s+")
_NOT_TO_KEEP = re.compile(
    r"\W*(?:(?:please|pls|bitte|kith)\W+)*(?:(?:don['’]?t|do not|never) (?:remember|save|store|"
    r"note)|merke? dir (?:bitte )?nich|speichere? (?:bitte )?nich)",
    re.IGNORECASE,
)
_SPEAKERS = frozenset(("i", "we", "ich", "wir"))
_YOU = frozenset(("you", "u", "your", "ur", "yours"))
_TAIL_QUESTION = re.compile(
    r"[\s,;–-]*\b(?:(?:so |and |but |und )?(?:what|how) about (?:you|u|y'?all|everyone)|wbu|hbu|"
    r"and (?:you|u|yours?)|(?:und )?(?:du|ihr|dir|bei dir|euch)|und selbst|y tú|you|u)\s*\?+\s*$",
    re.IGNORECASE,
)
_ASKED_AFTER = re.compile(
    r",\s*(?=(?:so |and |but |und |aber )?(?:do|does|did|can|could|would|any|anyone|what|where|"
    r"who|how"
    r"|why|when|which|is there|are there|kennt|kannst|habt|hast|wer|was|wo|wie|gibt)\b)",
    re.IGNORECASE,
)
_WHICH = re.compile(r"which|welche[mnrs]?")
_NAMING = (("call", "me"), ("nenn", "mich"), ("nennt", "mich"))


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence in which somebody says something about themselves.

    Attributes:
        sentence: the sentence as it was written.
        language: ISO code.
        clauses: its clauses, with usual spellings and a subject, for the rules of facts; empty if
            it may not become a note.
    """

    sentence: str
    language: str
    clauses: tuple[str, ...] = ()


def own_statements(text: str) -> Iterator[Statement]:
    """Yield what the author of a message says about themselves, sentence by sentence."""
    own, line = _own_part(clean(text)), one_line(text)
    language = statement_language(own)
    sentences = [*_sentences(own), ""]
    for sentence, following in pairwise(sentences):
        if 0 < len(sentence) <= MAX_SENTENCE and sentence in line:
            statement = _statement(sentence, language)
            if statement is not None:
                yield _with_remainder(statement, following, line)


def told_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a message that tell something, whoever they are about.

    Questions, orders, role-play, and what is quoted or not to be kept are left out.
    """
    own, line = _own_part(clean(text)), one_line(text)
    language = statement_language(own)
    words = words_of(language)
    for sentence in _sentences(own):
        tokens = tokens_of(sentence, language)
        is_told = len(tokens) >= MIN_WORDS and not (
            "?" in sentence
            or _is_question(tokens, words)
            or _first_word(sentence, words) in words.commands
            or _ROLE_PLAY.search(sentence)
            or _NOT_TO_KEEP.match(sentence)
            or _QUOTATION.search(sentence)
        )
        if is_told and len(sentence) <= MAX_SENTENCE and sentence in line:
            yield sentence


def _with_remainder(statement: Statement, following: str, line: str) -> Statement:
    """Return a statement with the words after it, if they are no sentence and may take it back.

    "My favourite colour is blue. Actually no, green": no rule reads what that says.
    """
    tokens = tokens_of(following, statement.language)
    is_sentence = len(tokens) > MAX_REMAINDER or "?" in following or is_remark(following)
    if not denies(following) and (
        is_sentence or _light_words(statement.language).issuperset(tokens)
    ):
        return statement
    if _statement(following, statement.language) is not None:
        return statement
    whole = f"{statement.sentence} {following}"
    is_whole = len(whole) <= MAX_SENTENCE and whole in line
    return Statement(whole if is_whole else statement.sentence, statement.language)


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text; "Got a cat! Her name is Mia" stays together.

    So does "I have a cat... wait no, a dog".
    """
    waiting = ""
    for match in _SENTENCE.finditer(text):
        sentence = one_line(match[0])
        is_same = _NAMES_IT.match(sentence) or (
            waiting.endswith(("..", "…")) and corrects(sentence)
        )
        if waiting and is_same:
            waiting = f"{waiting} {sentence}"
            continue
        if waiting:
            yield waiting
        waiting = sentence
    if waiting:
        yield waiting


def corrects(text: str) -> bool:
    """Whether a text begins as a correction of what was said before: "no wait", "oh I meant"."""
    words = [word.lower() for word in WORD.findall(text)]
    idle = frozenset[str]().union(
        *(words.leads | frozenset(words.fillers) for words in map(words_of, CODES))
    )
    begin = next((place for place, word in enumerate(words) if word not in idle), 0)
    beginnings = (f"{' '.join(words)} ", f"{' '.join(words[begin:])} ")
    return any(
        folded.startswith(f"{phrase} ")
        for folded in beginnings
        for code in CODES
        for phrase in words_of(code).corrections
    )


def _own_part(text: str) -> str:
    """Return a message without quoted lines, code and songs."""
    return _SUNG.sub(" ", CODE.sub(" ", QUOTED_LINE.sub(" ", text)))


def statement_language(text: str) -> str:
    """Return the language that has rules and most of whose common words a text contains."""
    scores = _scores(text)
    return max(CODES, key=lambda code: scores[code])


def certain_language(text: str) -> str | None:
    """Return the language as :func:`statement_language` does; None if two fit equally well."""
    scores = _scores(text)
    first, second = sorted(CODES, key=lambda code: scores[code], reverse=True)[:2]
    return first if scores[first] > scores[second] else None


def is_remark(text: str) -> bool:
    """Whether a text is a short message to Kith, such as "good night" or "I have a question"."""
    phrase = " ".join(word.lower() for word in WORD.findall(text))
    return any(phrase in _remarks(code) for code in CODES)


def _scores(text: str) -> dict[str, int]:
    """Return how many words of a text are common in each language."""
    words = [word.lower() for word in WORD.findall(text)]
    phrase = " ".join(word for word in words if word != "kith")
    return {
        code: sum(word in _common_words(code) for word in words) + (phrase in _remarks(code))
        for code in CODES
    }


@cache
def _remarks(code: str) -> frozenset[str]:
    """Return the short messages to Kith, such as "good night", of a language."""
    talk = languages()[code].answers
    return frozenset(
        (*talk.greetings, *talk.thanks, *talk.apologies, *talk.wellbeing, *talk.farewells)
    ).union(talk.addressed, talk.help)


@cache
def _common_words(code: str) -> frozenset[str]:
    language = languages()[code]
    spoken = language.statements
    firsts = {key.split()[0] for key in (*spoken.dropped_subject, *spoken.spellings)}
    return (
        language.words.stop_words
        | spoken.first_person
        | spoken.own_verbs
        | spoken.commands
        | firsts
        | {forms.split()[0] for forms in spoken.verbs.values()}
    )


def _statement(sentence: str, language: str) -> Statement | None:
    """Return a sentence as a statement, or None if its author says nothing about themselves."""
    words = words_of(language)
    said = _without_question(_without_quotations(sentence, words))
    said = said and _without_label(said, words)
    if not said or _ROLE_PLAY.search(sentence) or _REPEATED.search(sentence):
        return None
    if _NOT_TO_KEEP.match(said):
        return None
    plain = canonical(said, language)
    tokens = [word.lower() for word in WORD.findall(plain)]
    first = _first_word(said, words)
    is_order = first in words.commands and not (
        _is_name(tokens) or _drops_subject(without_leads(said, words), words)
    )
    if not tokens or _is_question(tokens, words) or is_order or _is_conditional(tokens):
        return None
    folded = f" {' '.join(tokens)} "
    introduction = greeting_name(sentence.replace("’", "'"))
    if introduction and corrects(sentence):
        return Statement(sentence, language, (introduction,))
    if has_phrase(folded, words.unearnest) or has_phrase(folded[:20], words.sarcastic_openers):
        return None
    if _is_reported(tokens, words):
        return None
    clauses = tuple(clauses_of(plain, language, words))
    clauses = (introduction, *clauses) if introduction else clauses
    heard = {word.lower() for clause in clauses for word in clause.split()}
    is_own = not words.first_person.isdisjoint({*tokens, *heard}) or (
        "me" in tokens and language == "en" and _YOU.isdisjoint(tokens)
    )
    is_own = is_own or " call me " in folded
    if not is_own or not _is_telling(tokens, language):
        return None
    may_note = not (
        _SHOUTED_LOVE.search(sentence)
        or any(c in sentence for c in '"“”„«»')
        or any(corrects(part) for part in re.split(r"\.\.+|…", sentence)[1:])
        or _begins_again(clauses)
        or is_doubtful(sentence, language)
    )
    if len(tokens) < MIN_WORDS and not clauses:
        return None
    return Statement(sentence, language, clauses if may_note else ())


def _begins_again(clauses: Sequence[str]) -> bool:
    """Whether a clause has the opening of a clause inside it: "I live in Rome, no, I live in Oslo".

    The later half may take the first one back, and no rule reads it.
    """
    words = [clause.lower().split() for clause in clauses]
    openings = {tuple(clause[:MIN_WORDS]) for clause in words if len(clause) >= MIN_WORDS}
    return any(
        tuple(clause[start : start + MIN_WORDS]) in openings
        for clause in words
        for start in range(1, len(clause))
    )


def _first_word(sentence: str, words: StatementWords) -> str:
    """Return the first word of a sentence after its leads, as it is spelt."""
    for match in WORD.finditer(sentence):
        if match[0].lower() not in words.leads:
            return match[0].lower()
    return ""


def _is_name(tokens: Sequence[str]) -> bool:
    """Whether an order tells a name: "call me Al", "nenn mich Al"."""
    return any(pair in _NAMING for pair in pairwise(tokens[:3]))


def _drops_subject(sentence: str, words: StatementWords) -> bool:
    """Whether what looks like an order only lacks its subject: "komm aus Tirol"."""
    folded = f"{sentence.lower()} "
    return any(" " in key and folded.startswith(f"{key} ") for key in words.dropped_subject)


def _is_conditional(tokens: Sequence[str]) -> bool:
    """Whether a sentence says what would be: "if I had a dog, I would call it Rex"."""
    return tokens[0] in ("if", "wenn", "falls") and "would" in tokens


def _without_quotations(sentence: str, words: StatementWords) -> str:
    """Return a sentence without its quotations; empty if one says "I"."""
    quoted = " ".join(_QUOTATION.findall(sentence))
    tokens = [word.lower() for word in WORD.findall(quoted)]
    firsts = {words.spellings.get(token, token).split()[0] for token in tokens}
    return "" if words.first_person & firsts else _QUOTATION.sub(" that ", sentence)


def _without_label(sentence: str, words: StatementWords) -> str:
    """Return a sentence without a heading such as "good news:"; empty if it names a speaker."""
    label = _LABEL.match(sentence)
    if label is None:
        return sentence
    tokens = {word.lower() for word in WORD.findall(label[1])}
    ends_as_label = label[1].lower().split()[-1] in words.labels and not tokens & words.reports
    if tokens <= words.labels | words.leads or (len(tokens) > 1 and ends_as_label):
        return sentence[label.end() :]
    return sentence if tokens & words.first_person and not tokens & words.reports else ""


def _without_question(sentence: str) -> str | None:
    """Return a sentence without the question at its end; None if all of it is a question."""
    if "?" not in sentence:
        return sentence
    without = _TAIL_QUESTION.sub("", sentence)
    if without != sentence:
        return without or None
    parts = _ASKED_AFTER.split(sentence, maxsplit=1)
    return parts[0] if len(parts) > 1 and parts[0].strip() else None


def _is_question(tokens: Sequence[str], words: StatementWords) -> bool:
    """Whether a sentence asks, with or without a question mark."""
    first, second = tokens[0], tokens[1] if len(tokens) > 1 else ""
    if first in words.questions or asks_which(tokens):
        return True
    subjects = words.first_person | {"you", "u", "he", "she", "it", "they", "anyone", "there", "du"}
    subjects |= {"ihr", "er", "es", "sie", "the", "this", "that", "your", "jemand", "tú"}
    return first in words.inverted and second in subjects


def asks_which(tokens: Sequence[str]) -> bool:
    """Whether words begin as a question after a preposition: "in which city", "für welchen"."""
    return len(tokens) > 1 and _WHICH.fullmatch(tokens[1]) is not None


def _is_reported(tokens: Sequence[str], words: StatementWords) -> bool:
    """Whether somebody else says it: "Tom says I live in Paris"."""
    folded = f" {' '.join(tokens)} "
    if has_phrase(folded, words.report_phrases):
        return True
    own = words.first_person | {"that", "dass", "me", "mir", "que"}
    return any(
        token in words.reports
        and (index == 0 or tokens[index - 1] not in {*_SPEAKERS, "not"})
        and not own.isdisjoint(tokens[index + 1 : index + 4])
        for index, token in enumerate(tokens)
    )


def _is_telling(tokens: Sequence[str], language: str) -> bool:
    """Whether a sentence says more than "I agree", "I'm tired" or "my bad"."""
    words = words_of(language)
    verbs = [token for token in tokens if token not in ("do", "not", "can", "nicht", "will")]
    if verbs[:1] in (["i"], ["ich"]) and len(verbs) > 1 and verbs[1] in words.talk:
        later = verbs[2:]
        if words.first_person.isdisjoint(later):
            return False
    return not _light_words(language).issuperset(tokens)


@cache
def _light_words(language: str) -> frozenset[str]:
    """Return words that carry no content of their own."""
    words = words_of(language)
    stop_words = languages()[language].words.stop_words
    return stop_words | words.leads | words.talk | words.light | words.first_person | words.fleeting
