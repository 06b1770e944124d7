"""Read English introductions: "I'm Anna, 24, nurse from Leeds". Pure."""

import re

from utils.memory.extraction.clauses import is_given_name
from utils.memory.extraction.english_objects import WORDS, is_place, proper_name
from utils.memory.extraction.english_people import MIN_AGE
from utils.memory.extraction.facts import Fact, Topic, alternatives, is_one_of
from utils.models.memory import Importance

_INTRODUCTION = re.compile(
    r"(?P<head>I am|my name is) (?:(?P<name>[^\W\d_]{2,20}(?: (?-i:[A-Z])[\w'-]+)?)(?: here)?"
    r"(?=,| from | \d\d\b|\Z)(?:,? )?)?"
    r"(?:(?:I am )?(?P<age>\d\d)(?: years old| yrs?)?(?: ?[mf]\b)?)?(?P<rest>,? .+)?\Z",
    re.IGNORECASE,
)
_JOB = rf"(?:an? )?{alternatives(WORDS.occupations)}(?=,| from | and |\Z)"
_INTRODUCES = re.compile(
    r"(?:from|living|based|been living|and|m|f|she|he|they|studying|working|male|female|an?|"
    rf"student)\b|{_JOB}",
    re.IGNORECASE,
)
_PART = re.compile(r",\s*|\s+and\s+|\s+(?=from )", re.IGNORECASE)
_ACTIVITY = re.compile(r"(?:living|based|studying|working) ", re.IGNORECASE)
_WORKER = re.compile(
    rf"(?P<job>I am an? {alternatives(WORDS.occupations)}) from (?P<place>.+)", re.IGNORECASE
)
_WHOLE_JOB = re.compile(rf"(?:an? )?(?P<job>{alternatives(WORDS.occupations)})\Z", re.IGNORECASE)
_COURTESY = re.compile(r"(?:nice|pleased|glad|good) to (?:meet|be|see)\b|new here\Z", re.IGNORECASE)
_NO_NAME = re.compile(r"(?:ing|ish|ese|ed|ful|less|ous)\Z", re.IGNORECASE)


def introduction(clause: str) -> tuple[list[Fact], list[str]]:
    """Return the facts of "I am Maya, 24, from Leeds", and what it says besides as clauses.

    Both are empty if a clause is no introduction.
    """
    worker = _WORKER.match(clause)
    if worker is not None and _is_known(worker["place"]):
        return [], [worker["job"], f"I am from {worker['place']}"]
    match = _INTRODUCTION.match(clause)
    if match is None:
        return [], []
    rest = (match["rest"] or "").strip(" ,")
    name = _name_of(match["name"]) if match["name"] else None
    if (match["name"] and name is None) or not _is_introduction(match, rest):
        return [], []
    facts = []
    if name:
        facts.append(Fact(f"name is {name}", "name", Topic.NAME, importance=Importance.HIGH))
    if match["age"] and int(match["age"]) >= MIN_AGE:
        facts.append(Fact(f"is {match['age']} years old", "age", Topic.AGE))
    parts = [re.sub(r"^been ", "", part) for part in _PART.split(rest)]
    return facts, [said for part in parts if (said := _clause_of(part))]


def _name_of(text: str) -> str | None:
    """Return a name with its capital; None if the words may be something else."""
    first = text.split()[0]
    if is_given_name(first):
        return text if any(letter.isupper() for letter in text) else text.title()
    others = (WORDS.fleeting, WORDS.light, WORDS.occupations, WORDS.relatives, WORDS.roles)
    is_other = any(is_one_of(first, words) for words in others)
    return None if is_other or _NO_NAME.search(first) else proper_name(text)


def _is_introduction(match: re.Match[str], rest: str) -> bool:
    """Whether what follows a name or an age is what people say of themselves with it."""
    name, first = match["name"], rest.split(",")[0]
    is_told = match["head"].casefold() == "my name is"
    is_sure = is_told or (bool(name) and is_given_name(name.split()[0]))
    if match["age"]:
        if name and not is_sure and re.match(r" \d", match.string[match.end("name") :]):
            return False  # "level 24"
        return not rest or bool(_INTRODUCES.match(rest)) or is_place(first)
    if not name:
        return False
    if not rest:
        return is_sure and not is_told and " " not in name  # "my name is" has its own rule
    if first.casefold().startswith("from "):
        return _is_known(first[5:]) and (is_sure or name[:1].isupper())
    job = _WHOLE_JOB.match(_PART.split(rest)[0])
    return is_sure and bool(job or _ACTIVITY.match(rest) or _COURTESY.match(rest))


def _is_known(place: str) -> bool:
    words = place.split()
    beginnings = (" ".join(words[:count]) for count in range(1, 4))
    return any(is_place(beginning) for beginning in beginnings)


def _clause_of(part: str) -> str | None:
    """Return a part of an introduction as a clause: "nurse" -> "I am a nurse"."""
    if part.casefold().startswith("from ") or _ACTIVITY.match(part):
        return f"I am {part}"
    job = _WHOLE_JOB.match(part)
    if job is None:
        return None
    article = "an" if job["job"][:1].casefold() in "aeiou" else "a"
    return f"I am {article} {job['job']}"
