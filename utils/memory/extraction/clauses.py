"""Split sentences into clauses with usual spellings and a subject, for the rules of facts. Pure."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from utils.nlp.languages import Phrases, StatementWords, languages, shared_tables

WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*|&")
_NOISE = re.compile(
    r"<a?:\w+:\d+>|<[@#][!&]?\d+>|https?://\S+|:[a-z_]+:"
    r"|(?<!\w)(?:[:;=][-']?[()DPpOo3/\\|]+|[xX][DdPp]|<3)(?!\w)"
)
_JUNK = re.compile(r"[^\w\s,;:.'’&/+()!?–—-]")
_SIGN_AS_STOP = re.compile(
    rf"\s*(?:(?:{_NOISE.pattern}|{_JUNK.pattern})\s*){{1,8}}(?=(?:I|I'm|my|we|ich|mein\w*|wir)\b)",
    re.IGNORECASE,
)  # "I'm Sam :) I live in Rome"
_FAVOURITE = re.compile(r"\b(?:is|are) my (?:all[- ]time )?favourite\b", re.IGNORECASE)
_INVERTED = re.compile(
    r"(?P<what>(?!ich\b|und\b|wenn\b|das\b|es\b)[^\W\d_][\w-]*(?: [\w-]+)?)? ?\b"
    r"(?P<verb>mag|liebe|hasse|esse|trinke|spiele|wohne?|lebe?"
    r"|kann(?= ich (?:gar |überhaupt )?nicht (?:ausstehen|leiden)\b)) ich\b ?(?P<rest>.*)\Z",
    re.IGNORECASE,
)
_GREETED = re.compile(
    r"(?:hi|hey|heyo|heya|hiya|yo|howdy|hello|hallo|moin|servus)\b[\s,!]*"
    r"(?:all|everyone|there|guys|kith|leute|zusammen)?[\s,!]*"
    r"(?:(?P<english>i'?m|i am)|ich bin) "
    r"(?P<name>(?-i:[A-ZÄÖÜÇŞİÉ][a-zà-ÿąćęłńóśźżğışç-]+))(?=[\s]*(?:[,.!]|\Z| and | und ))",
    re.IGNORECASE,
)
_GREETED_ALONE = re.compile(
    r"\W*(?:hi+|hey+|hello|hallo|moin|servus|sorry|just kidding|jk|no|nein|nee)\b[\s,!]*"
    r"(?:kith[\s,!]*)?"
    r"(?:(?P<english>i'?m|i am)|ich bin) (?P<name>[^\W\d_]+)\W*\Z",
    re.IGNORECASE,
)  # "hi im bob", "just kidding, im rob"
_SPLIT = {
    "en": re.compile(
        r"\s*[;()–—]\s*|\s-+\s|:\s+|\s*\.{2,}\s*|[!?]+\s+|(?<!\d)(?<!\bSt)(?<!\b[DM]r)\.\s+"
        r"|,?\s+(?:and|but|so|because|cuz|cause|cos|since|though|although|while|which is why|"
        r"except)\s+"
        r"(?=(?:now\s+)?(?:i|my|we|our)\b)|,\s+(?=(?:now\s+)?(?:i|my|we|our|she|he|it|her|his|"
        r"its)\b)"
        r"|,?\s+and\s+(?=(?:she|he|her|his)\b)"
        r"|,\s+(?:and\s+|but\s+)?(?=(?:living|working|studying|based|married|allergic|born|raised|"
        r"from)\b)",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\s*[;()–—]\s*|\s-+\s|:\s+|\s*\.{2,}\s*|[!?]+\s+|(?<!\d)(?<!\bSt)(?<!\b[DM]r)\.\s+"
        r"|,?\s+(?:und|aber|also|denn|sondern|weil|deswegen|deshalb|darum)\s+"
        r"(?=(?:ich|mein\w*|wir|unser\w*)\b)|,\s+(?=(?:ich|mein\w*|wir|unser\w*)\s"
        r"|(?:der|die|das|er|sie|es) heißt\b)",
        re.IGNORECASE,
    ),
}
_HERE = {
    "en": re.compile(
        r"\A\W*(?:(?:hi|hey|heyo|heya|hiya|howdy|hello|yo|sup)\W+"
        r"(?:(?:all|everyone|guys|there|folks)\W+)?)?"
        r"(?P<name>[^\W\d_]{2,20}) here(?P<age>,? \d\d\b)?(?=[,.!]| from |\Z)",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\A\W*(?:(?:hi|hey|hallo|moin|servus|na)\W+(?:(?:zusammen|leute|moin)\W+)?)?"
        r"(?P<name>[^\W\d_]{2,20}) hier(?P<age>,? \d\d\b)?(?=[,.!]| aus |\Z)",
        re.IGNORECASE,
    ),
}
_NAME_IS = {"en": "my name is", "de": "ich heiße"}
_AGE_IN_BRACKETS = re.compile(
    r"\A(?P<name>.{0,30}\b(?:i am|name is|ich bin|ich heiße) [^\W\d_]+) ?\((?P<age>\d\d)\)",
    re.IGNORECASE,
)
_PRONOUNS = re.compile(r" ?\((?:she|he|they)/\w+(?:/\w+)?\)", re.IGNORECASE)
_IT_IS = re.compile(
    r"\A\W*(?:hi|hey|heyo|heya|hiya|howdy|hello|yo|sup)\W+it(?:'?s| is) (?P<name>[^\W\d_]{2,20})"
    r"(?=,? \d\d\b| from |,? here\b)",
    re.IGNORECASE,
)
_MY_NAMES = re.compile(r"\bmy names (?!are\b)", re.IGNORECASE)
_NAME_AND_AGE = re.compile(
    r"\A\s*(?P<name>[^\W\d_]{3,15}), \d\d(?:\s*\Z|,\s*(?P<next>[^\W\d_]+))", re.IGNORECASE
)
_INTRODUCES = frozenset(
    ("from", "based", "living", "male", "female", "student", "she", "he", "they")
)
_REPEATED_WORD = re.compile(r"\b(\w{3,})(?: \1\b)+", re.IGNORECASE)
_INTENSIFIED = re.compile(
    r"\b(?P<be>am|is|are) (?:super|so|pretty|quite|very|extremely|seriously|completely|mega|big) "
    r"(?=into\b|allergic\b|afraid\b|scared\b|obsessed\b|addicted\b|proud\b)",
    re.IGNORECASE,
)
_TIME_NEXT = re.compile(
    r"(?:on|at|in|by|tomorrow|today|tonight|this|next|coming|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"\b|\Z",
    re.IGNORECASE,
)
_PAST = re.compile(r"(?!(?:need|bas|breed|speed|indeed|unit)ed\Z)[a-z]{3,}ed\Z", re.IGNORECASE)
_CONTINUED = re.compile(
    r"(?:living|working|studying|based|married|allergic|born|raised|from)\b", re.IGNORECASE
)
_AND = {
    "en": r",?\s+and(?! drive\b)|,?\s+but|,(?=\s+(?:am|live|moved|grew|hate|can|do|have)\b)",
    "de": r",?\s+und|,?\s+aber|"
    r",(?=\s+(?:bin|wohne|lebe|arbeite|habe|studiere|liebe|hasse)\b)",
}
_FEELING = re.compile(
    r"(?:love|like|enjoy|hate|prefer|adore|do not like|can not stand|liebe|mag|hasse)\b",
    re.IGNORECASE,
)
_SETTLED = re.compile(r"(?:live|work|wohne?|lebe?|arbeite?)\b", re.IGNORECASE)
_AFTER_I = re.compile(r".*?\b(?:I|ich)\s+", re.IGNORECASE)
_NOUN_FIRST = re.compile(
    r"(?:love|hate|liebe|hass) (?:is|and|was|can|of|in|ist|und|war|for|at)\b", re.IGNORECASE
)
_PEOPLE = {code: languages()[code].statements for code in ("en", "de")}
_KIN_IS = re.compile(
    rf"(?:{'|'.join(_PEOPLE['en'].relatives - {'baby', 'kid', 'child', 'twin', 'boss'})}) is ",
    re.IGNORECASE,
)
_COUNTED = {
    code: re.compile(
        rf"(?:\d|{numbers}) (?:{'|'.join(words.relatives_plural | words.pets)})(?=, \S+ \S+)",
        re.IGNORECASE,
    )
    for (code, words), numbers in zip(
        _PEOPLE.items(), ("two|three|four|five|six", "zwei|drei|vier|fünf|sechs"), strict=True
    )
}
_MINE = re.compile(r"my|our|mein\w*|unser\w*")
MAX_CLAUSES = 8


def words_of(code: str) -> StatementWords:
    """Return the word lists of a language."""
    return languages()[code].statements


def has_phrase(folded: str, phrases: Phrases) -> bool:
    """Whether a folded text with a space at both ends contains one of the phrases as words."""
    return any(f" {phrase} " in folded for phrase in phrases)


def canonical(sentence: str, language: str) -> str:
    """Return a sentence in usual spelling, without emoji, mentions, links and fillers."""
    words = words_of(language)
    plain = _SIGN_AS_STOP.sub("; ", sentence.replace("’", "'"))
    plain = _JUNK.sub(" ", _NOISE.sub(" ", plain))
    plain = WORD.sub(lambda match: words.spellings.get(match[0].lower(), match[0]), plain)
    plain = _REPEATED_WORD.sub(r"\1", _fillers(language).sub(" ", plain))
    greeted = _IT_IS.match(plain) if language == "en" else None
    if greeted is not None and is_given_name(greeted["name"]):
        plain = f"my name is {plain[greeted.start('name') :]}"
    if language in _HERE:
        plain = _HERE[language].sub(lambda match: _named(match, language), plain)
    plain = _PRONOUNS.sub("", plain)
    plain = _AGE_IN_BRACKETS.sub(r"\g<name>, \g<age>,", plain)
    plain = _MY_NAMES.sub("my name is ", plain)
    if language == "en" and _is_introduction(plain):
        plain = f"my name is {plain.lstrip()}"
    plain = _INTENSIFIED.sub(r"\g<be> ", plain) if language == "en" else plain
    plain = re.sub(r"\s+([,;:.!?])", r"\1", " ".join(plain.split()))
    plain = re.sub(r"(?:[,;]\s*){2,}", ", ", plain)
    return plain.strip(" ,;:.!?-/'")


def tokens_of(text: str, language: str) -> list[str]:
    """Return the words of a text in lower case and usual spelling, without fillers."""
    return [word.lower() for word in WORD.findall(canonical(text, language))]


def is_given_name(name: str) -> bool:
    """Whether a word is a common first name; one that is a word too needs a capital."""
    names, folded = shared_tables().names, name.casefold()
    return folded in names.given or (folded in names.capital and _has_capital(name))


def _has_capital(name: str) -> bool:
    return name[:1].isupper() and name[1:].islower()


def _may_be_name(word: str) -> bool:
    """Whether a word after "hi im" is a common first name; an adjective needs a capital."""
    names, folded = shared_tables().names, word.casefold()
    is_name = folded in names.given | names.capital
    return is_name and (folded not in names.adjectives or _has_capital(word))


def _named(match: re.Match[str], language: str) -> str:
    """Return "Sam here" as "my name is Sam", and as it is if "Sam" may be no name."""
    name, words = match["name"], words_of(language)
    other = words.leads | words.fleeting | words.not_names | words.vague | words.own_verbs
    may_be = language == "en" and (_has_capital(name) or match["age"])
    if not is_given_name(name) and (not may_be or name.lower() in other):
        return match[0]
    return f"{_NAME_IS[language]} {name}{match['age'] or ''}"


def _is_introduction(plain: str) -> bool:
    """Whether a sentence begins as "Nina, 31, from Hamburg" does."""
    match = _NAME_AND_AGE.match(plain)
    if match is None or match["name"].lower() in words_of("en").leads:
        return False
    following = (match["next"] or "").lower()
    is_named = match["name"][0].isupper() and match["name"][1:].islower()
    return is_named or following in _INTRODUCES or following in shared_tables().places.known


@cache
def _fillers(language: str) -> re.Pattern[str]:
    phrases = sorted(words_of(language).fillers, key=len, reverse=True)
    body = "|".join(re.escape(phrase) for phrase in phrases) or r"(?!)"
    return re.compile(rf"(?<![\w'-])(?:{body})(?![\w'-])", re.IGNORECASE)


def is_of_relative(sentence: str, code: str) -> bool:
    """Whether a sentence begins with "my sister" or the like, and has no "I"."""
    spoken = words_of(code)
    words = [word.removesuffix("'s") for word in without_leads(sentence.lower(), spoken).split()]
    is_mine = bool(words) and _MINE.fullmatch(words[0]) is not None
    if not is_mine or not {"i", "i'm", "im", "we", "ich", "wir"}.isdisjoint(words):
        return False
    relatives = spoken.relatives | spoken.relatives_plural | spoken.pets
    return not relatives.isdisjoint(word.strip(",.!") for word in words[1:4])


def clauses_of(plain: str, language: str, words: StatementWords) -> Iterator[str]:
    """Yield the clauses of a sentence, each with its subject; none if it may not be noted."""
    if language not in _SPLIT:
        return
    has_subject = is_about_author = False
    count = 0
    for place, part in enumerate(_SPLIT[language].split(plain)):
        if place and not is_about_author and _CONTINUED.match(part):
            continue  # "my sister, living in Rome"
        for index, piece in enumerate(_coordinated(part, language)):
            clause = without_leads(piece, words)
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
            is_about_author = has_subject or clause.lower().startswith("my name is ")
            count += bool(clause)
            if clause and count <= MAX_CLAUSES:
                yield clause


def _in_order(clause: str) -> str:
    """Return a German clause with its subject first: "Tee mag ich nicht" -> "ich mag Tee nicht"."""
    match = _INVERTED.match(clause)
    if match is None:
        return clause
    return " ".join(f"ich {match['verb']} {match['what'] or ''} {match['rest']}".split())


def greeting_name(sentence: str) -> str:
    """Return the clause that tells the name in "Hi, I'm Fatima!"; empty if there is none."""
    match = _GREETED.match(sentence)
    alone = _GREETED_ALONE.match(sentence)
    if alone is not None and _may_be_name(alone["name"]):
        name = alone["name"].title()
        return f"my name is {name}" if alone["english"] else f"ich heiße {name}"
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
        before = _AFTER_I.sub("", merged[-1])
        if _FEELING.match(piece) and not (_FEELING.match(before) or _SETTLED.match(before)):
            merged[-1] += f"{joint} {piece}"  # "peace and love" is no second verb
        else:
            merged.append(piece)
    return merged


@cache
def _second_verb(language: str) -> re.Pattern[str]:
    verbs = words_of(language).own_verbs
    body = "|".join(sorted((re.escape(v.replace("+", " ")) for v in verbs), key=len, reverse=True))
    return re.compile(rf"({_AND[language]})\s+(?=(?:{body})\b)", re.IGNORECASE)


def without_leads(clause: str, words: StatementWords) -> str:
    """Return a clause without words such as "well" and "hi" at its beginning."""
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
        comma = "," if key.endswith(",") else ""
        full = dropped.get(key.removesuffix(","))
        is_event = full is not None and full.startswith(("i have a ", "i have an "))
        if full is None or (is_event and not _TIME_NEXT.match(" ".join(tokens[length:]))):
            continue
        head = "I" + full[1:] if full.startswith("i ") else full
        return " ".join([f"{head}{comma}", *tokens[length:]])
    if _KIN_IS.match(clause) and "moved" in dropped:
        return f"my {clause}"  # "wife is called Meera"
    for code, have in (("en", "I have"), ("de", "ich habe")):
        if _COUNTED[code].match(clause):
            return f"{have} {clause}"  # "2 kids"
    is_past = "moved" in dropped and _PAST.match(tokens[0])
    return f"I {clause}" if is_past else None
