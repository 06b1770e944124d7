"""Find the sentences in which the author of a message says something about themselves. Pure.

The word lists are in utils/nlp/languages/*.toml. Questions, orders, quotations, songs, jokes,
role-play and what others say are left out. Without a model, each sentence found here is kept as a
quote, and its clauses are what the rules of facts read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from utils.common.text import clean, one_line
from utils.memory.verification.quotations import CODE, QUOTED_LINE
from utils.nlp.languages import Phrases, StatementWords, languages

MAX_SENTENCE = 500
MAX_CLAUSES = 8
MIN_WORDS = 3
CODES = ("en", "de", "es")

_SENTENCE = re.compile(
    r"(?:[^.!?\n]|\.(?=\w)|(?<=\b[SMD][tr])\.|(?<=\b\d)\.(?=\s)|(?<=\b\d\d)\.(?=\s))+[.!?]*"
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*|&")
_NOISE = re.compile(
    r"<a?:\w+:\d+>|<[@#][!&]?\d+>|https?://\S+|:[a-z_]+:"
    r"|(?<!\w)(?:[:;=][-']?[()DPpOo3/\\|]+|[xX][DdPp]|<3)(?!\w)"
)
_JUNK = re.compile(r"[^\w\s,;:.'’&/+()!?–—-]")
_ROLE_PLAY = re.compile(r"\*[^*\n]{2,}\*|^\W*\[?(?:rp|ic)\b[\]:]|(?<!\w)/s\b", re.IGNORECASE)
_REPEATED = re.compile(r"\b(\w+(?: \w+){2,6})\b\W+(?:\w+\W+){0,2}?\1\b", re.IGNORECASE)
_SHOUTED_LOVE = re.compile(r"\bI\s+(?:\w+\s+){0,2}LOVE\b")
_SUNG = re.compile("^[^\n]*[🎵🎶♪♫][^\n]*", re.MULTILINE)
_QUOTATION = re.compile(r"[\"“„«][^\"”“»\n]{1,400}[\"”“»]|(?<!\w)['‘][^'’\n]{1,400}['’](?!\w)")
_FAVOURITE = re.compile(r"\b(?:is|are) my (?:all[- ]time )?favourite\b", re.IGNORECASE)
_INVERTED = re.compile(
    r"(?P<what>(?!ich\b|und\b|wenn\b|das\b|es\b)[^\W\d_][\w-]*(?: [\w-]+)?)? ?\b"
    r"(?P<verb>mag|liebe|hasse|esse|trinke|spiele) ich\b ?(?P<rest>.*)\Z",
    re.IGNORECASE,
)
_GREETED = re.compile(
    r"(?:hi|hey|hello|hallo|moin|servus)\b[\s,!]*(?:all|everyone|there|guys|leute|zusammen)?[\s,!]*"
    r"(?:(?P<english>i'?m|i am)|ich bin) "
    r"(?P<name>(?-i:[A-ZÄÖÜÇŞİÉ][a-zà-ÿąćęłńóśźżğışç-]+))(?=[\s]*(?:[,.!]|\Z| and | und ))",
    re.IGNORECASE,
)
_NAMES_IT = re.compile(
    r"(?:her|his|its) name|(?:she|he|it)(?:'?s| is) (?:called|named)|(?:der|die|das|er|sie|es) "
    r"heißt\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^([^:\n]{1,40}):\s+")
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
_SPLIT = {
    "en": re.compile(
        r"\s*[;()–—]\s*|\s-+\s|:\s+|\s*\.{2,}\s*|[!?]+\s+|(?<!\d)(?<!\bSt)(?<!\b[DM]r)\.\s+"
        r"|,?\s+(?:and|but|so|because|cuz|cause|cos|since|though|although|while|which is why|"
        r"except)\s+"
        r"(?=(?:now\s+)?(?:i|my|we|our)\b)|,\s+(?=(?:now\s+)?(?:i|my|we|our|she|he|it|her|his|"
        r"its)\b)"
        r"|,?\s+and\s+(?=(?:she|he|her|his)\b)",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\s*[;()–—]\s*|\s-+\s|:\s+|\s*\.{2,}\s*|[!?]+\s+|(?<!\d)(?<!\bSt)(?<!\b[DM]r)\.\s+"
        r"|,?\s+(?:und|aber|also|denn|sondern|weil|deswegen|deshalb|darum)\s+"
        r"(?=(?:ich|mein\w*|wir|unser\w*)\b)|,\s+(?=(?:ich|mein\w*|wir|unser\w*)\s"
        r"|(?:der|die|das|er|sie) heißt\b)",
        re.IGNORECASE,
    ),
}
_NAMING = (("call", "me"), ("nenn", "mich"), ("nennt", "mich"))
_AND = {
    "en": r",?\s+and|,?\s+but|,(?=\s+(?:am|live|moved|grew|hate|can|do|have)\b)",
    "de": r",?\s+und|,?\s+aber|"
    r",(?=\s+(?:bin|wohne|lebe|arbeite|habe|studiere|liebe|hasse)\b)",
}
_FEELING = re.compile(
    r"(?:love|like|enjoy|hate|prefer|adore|do not like|can not stand|liebe|mag|hasse)\b",
    re.IGNORECASE,
)
_AFTER_I = re.compile(r".*?\b(?:I|ich)\s+", re.IGNORECASE)
_NOUN_FIRST = re.compile(
    r"(?:love|hate|liebe|hass) (?:is|and|was|can|of|in|ist|und|war|for|at)\b", re.IGNORECASE
)


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
    own = _own_part(clean(text))
    language = statement_language(own)
    for sentence in _sentences(own):
        if 0 < len(sentence) <= MAX_SENTENCE and sentence in one_line(text):
            statement = _statement(sentence, language)
            if statement is not None:
                yield statement


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text; "Got a cat! Her name is Mia" stays together."""
    waiting = ""
    for match in _SENTENCE.finditer(text):
        sentence = one_line(match[0])
        if waiting and _NAMES_IT.match(sentence):
            waiting = f"{waiting} {sentence}"
            continue
        if waiting:
            yield waiting
        waiting = sentence
    if waiting:
        yield waiting


def _own_part(text: str) -> str:
    """Return a message without quoted lines, code and songs."""
    return _SUNG.sub(" ", CODE.sub(" ", QUOTED_LINE.sub(" ", text)))


def statement_language(text: str) -> str:
    """Return the language that has rules and most of whose common words a text contains."""
    words = [word.lower() for word in _WORD.findall(text)]
    scores = {code: sum(word in _common_words(code) for word in words) for code in CODES}
    return max(CODES, key=lambda code: scores[code])


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
    )


def words_of(code: str) -> StatementWords:
    """Return the word lists of a language."""
    return languages()[code].statements


def _statement(sentence: str, language: str) -> Statement | None:
    """Return a sentence as a statement, or None if its author says nothing about themselves."""
    words = words_of(language)
    said = _without_question(_without_quotations(sentence, words))
    said = said and _without_label(said, words)
    if not said or _ROLE_PLAY.search(sentence) or _REPEATED.search(sentence):
        return None
    plain = _canonical(said, language)
    tokens = [word.lower() for word in _WORD.findall(plain)]
    first = _first_word(said, words)
    is_order = first in words.commands and not (
        _is_name(tokens) or _drops_subject(_without_leads(said, words), words)
    )
    if not tokens or _is_question(tokens, words) or is_order or _is_conditional(tokens):
        return None
    folded = f" {' '.join(tokens)} "
    if has_phrase(folded, words.unearnest) or has_phrase(folded[:20], words.sarcastic_openers):
        return None
    if _is_reported(tokens, words):
        return None
    clauses = tuple(_clauses(plain, language, words))
    named = _greeting_name(sentence.replace("’", "'"))
    clauses = (named, *clauses) if named else clauses
    heard = {word.lower() for clause in clauses for word in clause.split()}
    is_own = not words.first_person.isdisjoint({*tokens, *heard}) or _is_called(folded)
    if not is_own or not _is_telling(tokens, language):
        return None
    may_note = not (_SHOUTED_LOVE.search(sentence) or any(c in sentence for c in '"“”„«»'))
    if len(tokens) < MIN_WORDS and not clauses:
        return None
    return Statement(sentence, language, clauses if may_note else ())


def _first_word(sentence: str, words: StatementWords) -> str:
    """Return the first word of a sentence after its leads, as it is spelt."""
    for match in _WORD.finditer(sentence):
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
    tokens = [word.lower() for word in _WORD.findall(quoted)]
    firsts = {words.spellings.get(token, token).split()[0] for token in tokens}
    return "" if words.first_person & firsts else _QUOTATION.sub(" that ", sentence)


def _without_label(sentence: str, words: StatementWords) -> str:
    """Return a sentence without a heading such as "good news:"; empty if it names a speaker."""
    label = _LABEL.match(sentence)
    if label is None:
        return sentence
    tokens = {word.lower() for word in _WORD.findall(label[1])}
    if tokens <= words.labels | words.leads:
        return sentence[label.end() :]
    return sentence if tokens & words.first_person and not tokens & words.reports else ""


def _is_called(folded: str) -> bool:
    return " call me " in folded or " calls me " in folded or " nennen mich " in folded


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
    if first in words.questions:
        return True
    subjects = words.first_person | {"you", "u", "he", "she", "it", "they", "anyone", "there", "du"}
    subjects |= {"ihr", "er", "es", "sie", "the", "this", "that", "your", "jemand", "tú"}
    return first in words.inverted and second in subjects


def _is_reported(tokens: Sequence[str], words: StatementWords) -> bool:
    """Whether somebody else says it: "Tom says I live in Paris"."""
    folded = f" {' '.join(tokens)} "
    if has_phrase(folded, words.report_phrases):
        return True
    own = words.first_person | {"that", "dass", "me", "mir", "que"}
    return any(
        token in words.reports
        and (index == 0 or tokens[index - 1] not in ("i", "ich", "we", "wir", "not"))
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


def has_phrase(folded: str, phrases: Phrases) -> bool:
    """Whether a folded text with a space at both ends contains one of the phrases as words."""
    return any(f" {phrase} " in folded for phrase in phrases)


# --- clauses -------------------------------------------------------------------------------------


def _canonical(sentence: str, language: str) -> str:
    """Return a sentence in usual spelling, without emoji, mentions, links and fillers."""
    words = words_of(language)
    plain = _JUNK.sub(" ", _NOISE.sub(" ", sentence.replace("’", "'")))
    plain = _WORD.sub(lambda match: words.spellings.get(match[0].lower(), match[0]), plain)
    plain = _fillers(language).sub(" ", plain)
    plain = re.sub(r"\s+([,;:.!?])", r"\1", " ".join(plain.split()))
    plain = re.sub(r"(?:[,;]\s*){2,}", ", ", plain)
    return plain.strip(" ,;:.!?-/'")


@cache
def _fillers(language: str) -> re.Pattern[str]:
    phrases = sorted(words_of(language).fillers, key=len, reverse=True)
    body = "|".join(re.escape(phrase) for phrase in phrases) or r"(?!)"
    return re.compile(rf"(?<![\w'-])(?:{body})(?![\w'-])", re.IGNORECASE)


def _clauses(plain: str, language: str, words: StatementWords) -> Iterator[str]:
    """Yield the clauses of a sentence, each with its subject; none if it may not be noted."""
    if language not in _SPLIT:
        return
    has_subject = False
    count = 0
    for part in _SPLIT[language].split(plain):
        for index, piece in enumerate(_coordinated(part, language)):
            clause = _without_leads(piece, words)
            if not clause:
                continue
            clause = _in_order(clause) if language == "de" else clause
            first = clause.split()[0].lower()
            if index and has_subject:
                clause = f"{'I' if language == 'en' else 'ich'} {clause}"
            elif first not in words.first_person | words.openers and not _FAVOURITE.search(clause):
                clause = _with_subject(clause, words.dropped_subject) or ""
            has_subject = clause.split()[:1] in (["I"], ["i"], ["we"], ["We"], ["ich"], ["Ich"],
                                                 ["wir"], ["Wir"])  # fmt: skip
            count += bool(clause)
            if clause and count <= MAX_CLAUSES:
                yield clause


def _in_order(clause: str) -> str:
    """Return a German clause with its subject first: "Tee mag ich nicht" -> "ich mag Tee nicht"."""
    match = _INVERTED.match(clause)
    if match is None:
        return clause
    return " ".join(f"ich {match['verb']} {match['what'] or ''} {match['rest']}".split())


def _greeting_name(sentence: str) -> str:
    """Return the clause that tells the name in "Hi, I'm Fatima!"; empty if there is none."""
    match = _GREETED.match(sentence)
    if (
        match is None
        or match["name"].lower() in words_of("en").not_names | words_of("de").not_names
    ):
        return ""
    return f"my name is {match['name']}" if match["english"] else f"ich heiße {match['name']}"


def _coordinated(part: str, language: str) -> list[str]:
    """Split "I'm a nurse and work nights" at the second verb of the same subject."""
    pieces = _second_verb(language).split(part)
    merged = pieces[:1]
    for index in range(1, len(pieces), 2):
        joint, piece = pieces[index], pieces[index + 1]
        if _FEELING.match(piece) and not _FEELING.match(_AFTER_I.sub("", merged[-1])):
            merged[-1] += f"{joint} {piece}"  # "peace and love" is no second verb
        else:
            merged.append(piece)
    return merged


@cache
def _second_verb(language: str) -> re.Pattern[str]:
    verbs = words_of(language).own_verbs
    body = "|".join(sorted((re.escape(v.replace("+", " ")) for v in verbs), key=len, reverse=True))
    return re.compile(rf"({_AND[language]})\s+(?=(?:{body})\b)", re.IGNORECASE)


def _without_leads(clause: str, words: StatementWords) -> str:
    tokens = clause.split()
    while tokens and tokens[0].strip(",.!:'").lower() in words.leads:
        tokens.pop(0)
    return " ".join(tokens).strip(" ,;:.!-")


def _with_subject(clause: str, dropped: Mapping[str, str]) -> str | None:
    """Return a clause without a subject in full: "moved to Rome" -> "I moved to Rome"."""
    tokens = clause.split()
    if _NOUN_FIRST.match(clause):
        return None
    for length in (3, 2, 1):
        key = " ".join(tokens[:length]).lower()
        full = dropped.get(key)
        if full is not None:
            head = "I" + full[1:] if full.startswith("i ") else full
            return " ".join([head, *tokens[length:]])
    return None
