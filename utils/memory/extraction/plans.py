"""Turn "I'm flying to Iceland next Thursday" into a dated task: a plan of the author's. Pure.

A plan is noted only with a date of its own: what names no day, or one that can be read in two ways,
stays a quote.
"""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from utils.memory.extraction.clauses import has_phrase, words_of
from utils.memory.extraction.facts import MONTHS, Fact, Topic, week_of
from utils.models.memory import Kind

MAX_WORDS = 14
_DAYS = {
    "en": ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    "de": ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"],
}
_MONTH = {
    "en": "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in MONTHS["en"]),
    "de": "|".join(MONTHS["de"]),
}
_WEEKDAY = {code: "|".join(days) for code, days in _DAYS.items()}
_WHEN = {
    "en": re.compile(
        rf"(?:\b(?:on |by |to )?(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? "
        rf"(?P<month>{_MONTH['en']})\b\.?"
        rf"|\b(?:on |by )?(?P<month2>{_MONTH['en']})\.? (?:the )?(?P<day2>\d{{1,2}})(?:st|nd|rd|"
        rf"th)?\b)(?:,? (?P<year>(?:19|20)\d\d))?"
        rf"|\b(?:on |by |to |this |coming )?(?P<next>next )?(?P<weekday>{_WEEKDAY['en']})(?: "
        rf"(?:morning|evening|night|afternoon))?\b"
        r"|\b(?P<word>today|tonight|tomorrow(?: morning| evening| night| afternoon)?|this weekend|"
        r"next weekend|this week|next week|"
        r"this month|next month)\b"
        rf"|\b(?:in|this|next) (?P<only>{_MONTH['en']})\b(?: (?P<onlyyear>(?:19|20)\d\d))?",
        re.IGNORECASE,
    ),
    "de": re.compile(
        rf"\b(?:am |bis zum )?(?P<day>\d{{1,2}})\. ?(?:(?P<month>{_MONTH['de']})|"
        rf"(?P<number>\d{{1,2}})\.?)(?: ?(?P<year>(?:19|20)\d\d))?(?!\w)"
        rf"|(?:\b(?:am |diesen )|\A)(?P<next>nächsten |kommenden )?(?P<weekday>"
        rf"{_WEEKDAY['de']})(?: "
        rf"?(?:abend|morgen|nachmittag|früh))?\b"
        r"|\b(?P<word>heute(?: abend| nacht)?|morgen(?: früh| abend| nachmittag)?|übermorgen|"
        r"dieses wochenende|am wochenende|"
        r"nächstes wochenende|diese woche|nächste woche|kommende woche|diesen monat|nächsten "
        r"monat)\b"
        rf"|\b(?:im|nächsten) (?P<only>{_MONTH['de']})\b(?: (?P<onlyyear>(?:19|20)\d\d))?",
        re.IGNORECASE,
    ),
}
_PAST = re.compile(
    r"\b(?:was|were|went|had|did|got (?!moved)|have been|last|yesterday|ago|since|every|each|used|"
    r"passed|"
    r"birthday(?! party)|geburtstag|war|waren|hatte|gestern|letzte\w*|seit|jede\w*|ging|gewesen|"
    r"vor)\b",
    re.IGNORECASE,
)
_PERFECT = {  # it says what has been done, so its day may be a past one
    "en": re.compile(
        r"\b(?i:have|has) (?:just )?"
        r"(?:(?!need|speed)[a-z]{3,}ed|[a-z]+(?:oken|itten|aken|osen|iven))\b"
    ),
    "de": re.compile(
        r"\b(?i:habe?|haben|bin|sind)\b.* (?:\w{0,6}ge\w{2,}(?:t|en)"
        r"|(?:be|emp|ent|er(?!st)|miss|ver|zer)[a-zäöüß]{2,}(?:t|en)|[a-zäöüß]+iert)\b"
    ),
}
_OPEN = re.compile(
    r"\b(?:you|your|u|it|that|this|they|he|she|him|her|them|there|here|or|but|not|no|du|dein\w*|"
    r"dir|euch|es|"
    r"ihn|sie|ihm|oder|aber|nicht|kein\w*|dort|hier|today|tonight|tomorrow|next|heute|morgen|"
    r"nächste\w*)\b|[?!:;\"]",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"\b(?:dying|crying|losing|freaking|melting|going (?:insane|crazy|mad|nuts)|feeling|having a|"
    r"being|"
    r"hoping|thinking|wondering|trying|looking forward|planning|considering|doing)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r",? (?:so|because|wish me|send help|help|can't wait|can not wait|and (?:i|we|then|have|am|"
    r"will)\b|which|deswegen|"
    r"deshalb|weil|und ich|drückt|freu).*\Z",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"(?P<we>I|we|my \w+ and I) (?P<verb>am|are|will|have) (?P<rest>.+)\Z", re.IGNORECASE
)
_HAVE_EVENT = re.compile(
    r"\AI (?:have )?got (?=(?:my|an?) (?:[\w-]+ ){0,3}(?:exams?|tests?|interview|appointment|"
    r"flight|deadline|recital|concert|finals|presentation|trip|graduation|shift|train|checkup|match|"
    r"tournament|surgery|operation|audition|gig|race)\b(?! (?:results?|back)))",
    re.IGNORECASE,
)
_MY_BIRTHDAY = {
    "en": re.compile(
        r"(?:(?:it is|its|today is) )?my birthday(?: is)?(?: (?P<when>.+))?\Z", re.IGNORECASE
    ),
    "de": re.compile(
        r"(?:(?P<when>\w+) )?(?:ist mein|habe ich|ich habe(?: (?P<when2>\w+))?) geburtstag\Z",
        re.IGNORECASE,
    ),
}
_MY_EVENT = re.compile(
    r"(?:my|our) (?P<thing>(?:[\w'-]+ ){0,2}(?:exams?|tests?|interview|appointment|wedding|flight|"
    r"deadline|recital|concert|"
    r"finals|presentation|vacation|holiday|trip|graduation|shift|train|move|party|defen[cs]e|"
    r"checkup|game|match|tournament|thesis|paper|essay|assignment|project|homework|report|surgery|"
    r"operation|audition|gig|hearing|marathon|race))"
    r" (?P<verb>is due|are due|is|are|starts|got moved to|was moved to|got postponed to)"
    r" ?(?P<rest>.*)\Z",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"(?:(?P<first>ich|wir|meine? \w+ und ich) )?(?P<verb>\w+)(?P<inverted> ich| "
    r"wir)?(?P<rest>(?: .*)?)\Z",
    re.IGNORECASE,
)
_MY_GERMAN = re.compile(
    r"meine? (?P<thing>[\w-]*(?:prüfung|klausur|termin|hochzeit|flug|urlaub|vorstellungsgespräch|"
    r"umzug|reise|konzert|abgabe))"
    r" (?P<verb>ist|beginnt|startet) ?(?P<rest>.*)\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class When:
    """When something is planned: in words without relative days, and the last day of it."""

    text: str
    last: date


_RANGE = re.compile(
    r"\b(?:from|between|vom?|zwischen) (?:the )?\d+(?:st|nd|rd|th|\.)?(?: |\Z)", re.I
)


def plan_of(clause: str, language: str, today: date) -> Iterator[Fact]:
    """Yield the dated plan of a clause with usual spellings; nothing if it names no sure date."""
    if language not in _WHEN:
        return
    if _PAST.search(_HAVE_EVENT.sub("I have ", clause)):
        yield from _birthday_named(clause, language, today)
        return
    clause = _HAVE_EVENT.sub("I have ", _TAIL.sub("", clause))
    folded = " " + " ".join(re.findall(r"[\w'/]+", clause.casefold())) + " "
    if has_phrase(folded, words_of(language).unsure):
        return
    times = list(_WHEN[language].finditer(clause))
    when = _resolve(times[0], language, today) if len(times) == 1 else None
    if when is None or not today <= when.last <= today + timedelta(days=730):
        return
    before, after = clause[: times[0].start()], clause[times[0].end() :]
    if _PERFECT[language].search(f"{before} {after}") and not _is_ahead(times[0]):
        return  # "ich habe im Mai geheiratet"
    after = after.split(",")[0] if len(before.split()) > 1 else after
    plain = " ".join(f"{before} {after}".split()).strip(" ,.")
    if _RANGE.search(plain):
        return  # "from 3 to 6 February"
    plain = re.split(r" ?, (?=(?:\d+|two|three|four|five) (?:days|weeks|months)\b)", plain)[0]
    text = (_in_english if language == "en" else _in_german)(plain, when)
    if text is not None and len(text.split()) <= MAX_WORDS + 6:
        yield Fact(text, "", Topic.PLANS, Kind.TASK, until=when.last)


def _birthday_named(clause: str, language: str, today: date) -> Iterator[Fact]:
    """Yield the birthday of "it's my birthday tomorrow"."""
    match = _MY_BIRTHDAY[language].match(clause)
    groups = match.groupdict() if match else {}
    word = groups.get("when") or groups.get("when2") or ""
    if clause.casefold().startswith("today is"):
        word = "today"
    named = _WHEN[language].fullmatch(word)
    when = _resolve(named, language, today) if named else None
    if when is not None and named is not None and (named["word"] or named["weekday"]):
        day, month = when.last.day, MONTHS[language][when.last.month - 1]
        is_one_day = _on(when.last, language).text == when.text
        text = f"birthday is on {day} {month}" if language == "en" else (
            f"hat am {day}. {month} Geburtstag")  # fmt: skip
        if is_one_day:
            yield Fact(text, "birthday", Topic.BIRTHDAY)


def _resolve(match: re.Match[str], language: str, today: date) -> When | None:
    """Return the time that a phrase names, or None if it can be read in two ways."""
    if match["word"]:
        return _in_words(match["word"].casefold(), language, today)
    if match["weekday"]:
        ahead = (_DAYS[language].index(match["weekday"].casefold()) - today.weekday()) % 7
        day = today + timedelta(days=ahead or 7)
        is_unsure = bool(match["next"]) and week_of(day) == week_of(today)
        return None if is_unsure or not ahead else _on(day, language)
    if match["only"]:
        return _in_month(_month(match["only"], language), match["onlyyear"], language, today)
    groups = match.groupdict()
    month = match["month"] or groups.get("month2")
    number = _month(month, language) if month else int(groups.get("number") or 0)
    day_number = int(match["day"] or groups.get("day2") or 0)
    for year in [int(match["year"])] if match["year"] else [today.year, today.year + 1]:
        try:
            day = date(year, number, day_number)
        except ValueError:
            return None
        if day >= today:
            return _on(day, language)
    return None


def _is_ahead(match: re.Match[str]) -> bool:
    """Whether a time can be no past one: "next Friday", "übermorgen", "in May 2030"."""
    groups = match.groupdict()
    return any(groups.get(name) for name in ("word", "next", "year", "onlyyear"))


def _month(name: str, language: str) -> int:
    folded = name.casefold()[:3]
    return next(
        index for index, month in enumerate(MONTHS[language], 1) if month.casefold()[:3] == folded
    )


def _in_words(word: str, language: str, today: date) -> When | None:
    first = word.split()[0]
    if word in ("tonight", "heute abend", "heute nacht") or first in ("today", "heute"):
        return _on(today, language)
    if first in ("tomorrow", "morgen"):
        return _on(today + timedelta(days=1), language)
    if first == "übermorgen":
        return _on(today + timedelta(days=2), language)
    is_next = first in ("next", "nächste", "nächstes", "nächsten", "kommende")
    monday = week_of(today) + timedelta(days=7 * is_next)
    if word.endswith(("weekend", "wochenende")):
        if word == "am wochenende" and today.weekday() > 4:
            return None
        saturday = monday + timedelta(days=5)
        text = "on the weekend of" if language == "en" else "am Wochenende vom"
        return When(f"{text} {written(saturday, language)}", saturday + timedelta(days=1))
    if word.endswith(("week", "woche")):
        text = "in the week of" if language == "en" else "in der Woche vom"
        return When(f"{text} {written(monday, language)}", monday + timedelta(days=6))
    month = today.month % 12 + 1 if is_next else today.month
    return _in_month(month, None, language, today)


def _in_month(month: int, year: str | None, language: str, today: date) -> When:
    number = int(year) if year else today.year + (month < today.month)
    last = date(number, month, calendar.monthrange(number, month)[1])
    name = MONTHS[language][month - 1]
    return When(f"{'in' if language == 'en' else 'im'} {name} {number}", last)


def _on(day: date, language: str) -> When:
    return When(f"{'on' if language == 'en' else 'am'} {written(day, language)}", day)


def written(day: date, language: str) -> str:
    """Return a day in words, with its year: "5 June 2027", "5. Juni 2027"."""
    dot = "." if language == "de" else ""
    return f"{day.day}{dot} {MONTHS[language][day.month - 1]} {day.year}"


def _in_english(plain: str, when: When) -> str | None:
    plain = re.sub(r"\bi\b", "I", plain)
    event = _MY_EVENT.match(plain)
    if event is not None:
        rest = event["rest"].strip(" ,.")
        if _OPEN.search(rest) or len(rest.split()) > 4:
            return None
        verb = event["verb"].casefold()
        when_text = when.text.removeprefix("on ") if verb.endswith(" to") else when.text
        return " ".join(f"{event['thing']} {verb} {when_text} {rest}".split())
    match = _ENGLISH.match(plain)
    if match is None:
        return None
    verb, rest = match["verb"].casefold(), match["rest"].strip(" ,.")
    if not rest or _OPEN.search(rest) or _STATES.search(rest) or len(rest.split()) > MAX_WORDS:
        return None
    first = rest.split()[0].casefold()
    if verb in ("am", "are") and not (first.endswith("ing") or first in ("in", "at", "off")):
        return None
    if verb == "have" and first in ("to", "been", "had", "done", "got"):
        return None
    for pattern, word in ((r"\bmy\b", "their"), (r"\bour\b", "their"), (r"\bme\b", "them")):
        rest = re.sub(pattern, word, rest, flags=re.IGNORECASE)
    if re.search(r"\b(?:I|we)\b|\b(?:and|or|to|with|of|the|a|for)\Z", rest):
        return None
    third = {"am": "is", "are": "is", "have": "has", "will": "will"}[verb]
    return f"{third} {rest} {when.text}"


def _in_german(plain: str, when: When) -> str | None:
    event = _MY_GERMAN.match(plain)
    if event is not None:
        rest = event["rest"].strip(" ,.")
        return None if _OPEN.search(rest) or len(rest.split()) > 4 else " ".join(
            f"{event['thing']} {event['verb']} {when.text} {rest}".split())  # fmt: skip
    match = _GERMAN.match(plain)
    if match is None or bool(match["first"]) == bool(match["inverted"]):
        return None
    verb = re.sub(r"en\Z", "e", match["verb"].casefold())
    verb = {"sinde": "bin", "sind": "bin", "habe": "habe"}.get(verb, verb)
    verb = words_of("de").spellings.get(verb, verb)
    third = words_of("de").verbs.get(verb, "").split()
    rest = match["rest"].strip(" ,.")
    rest = f"{rest} Jahre alt" if verb == "werde" and rest.isdecimal() else rest
    is_passing = verb == "bin" and rest.split()[:1] and rest.split()[0] in words_of("de").fleeting
    is_own = re.search(r"\b(?:ich|wir|mein\w*|unser\w*|mich|mir|uns)\b", rest, re.IGNORECASE)
    if (
        not third
        or is_passing
        or (not rest and verb != "heirate")
        or is_own
        or _OPEN.search(rest)
        or len(rest.split()) > MAX_WORDS
    ):
        return None
    return f"{third[0]} {when.text} {rest}".strip()
