"""Read English introductions, and clauses about who somebody is, their family and pets. Pure."""

import re

from utils.memory.extraction.clauses import is_given_name
from utils.memory.extraction.english_objects import (
    AGE,
    RELATIVE,
    REST,
    WORDS,
    Cut,
    home_in,
    is_place,
    number_in,
    object_of,
    proper_name,
)
from utils.memory.extraction.facts import (
    MONTHS,
    Fact,
    Rule,
    Topic,
    alternatives,
    is_one_of,
    written_name,
)
from utils.models.memory import Importance

_MONTH = "(?P<month>" + "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in MONTHS["en"]) + r")\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DATE = (
    rf"(?:the )?(?:{_DAY}(?: of)? {_MONTH}|{_MONTH.replace('month', 'month2')} (?:the )?"
    rf"{_DAY.replace('day', 'day2')})(?:,? (?P<year>(?:19|20)\d\d))?"
)
_KIN = alternatives(WORDS.relatives)
_PET = alternatives(WORDS.pets)
_PETS = alternatives(word for word in WORDS.pets if word.endswith("s") or word in ("mice", "fish"))
_NAME = r"(?P<name>[^\W\d_][\w'-]*)"
_FULL_NAME = r"(?P<name>[^\W\d_][\w'-]*(?: (?-i:[A-Z])[\w'-]*){0,2})"
_COUNT = r"(?P<count>an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
_ADJ = r"(?:[a-z-]+ ){0,2}?"
_HAVE = (
    r"(?:I|we) (?:(?:have|have got|got|own|adopted|rescued|bought|have adopted|have rescued|"
    r"share a home with) )"
)
_RELATIVE_PRONOUN = r"(?:who|whom|whose|which|that)\b"
MIN_AGE, MAX_AGE = 10, 110
NAMED = r"(?:named|called|whose name is|by the name of)"


def follow_up(previous: str, clause: str) -> Fact | None:
    """Return the fact of a clause about the pet or person of the clause before it.

    "I have a dog" and "she is a beagle called Biscuit" make "has a dog named Biscuit".
    """
    corrected = re.match(rf"it is {_NAME}\Z", clause, re.IGNORECASE)
    if corrected is not None and re.match(r"my name is not ", previous, re.IGNORECASE):
        return _name(corrected)
    if re.match(r"(?:I|we) (?:have )?moved\Z|I am from ", previous, re.IGNORECASE):
        return _home_now(clause)
    owned = re.match(
        rf"(?:I|we) (?:have|have got|got|adopted|rescued|own)(?: {_COUNT})? {_ADJ}(?P<noun>{_PET}|"
        rf"{_KIN})\b(?! food)",
        re.sub(r"\bi\b", "I", previous), re.IGNORECASE,
    )  # fmt: skip
    named = re.match(
        rf"(?:she|he|it) is (?:an? [\w -]{{2,30}}? )?{NAMED} {_NAME}|(?:her|his|its) name is "
        rf"{_NAME.replace('name', 'name2')}",
        clause, re.IGNORECASE,
    )  # fmt: skip
    if owned is None or named is None:
        return None
    name = proper_name(named["name"] or named["name2"])
    return None if name is None else _named(owned["noun"], name)


def _home_now(clause: str) -> Fact | None:
    """Read "I'm in Bath now" after "I moved", or after where somebody is from."""
    match = re.match(r"I am in (?P<what>.+)", clause, re.IGNORECASE)
    phrase = object_of(re.sub(r" now\b.*", "", match["what"]), 3) if match else None
    if phrase is None or not (is_place(phrase) or phrase[:1].isupper()):
        return None
    return home_in(phrase)


def _name(match: re.Match[str]) -> Fact | None:
    first = match["name"].split()[0]
    if proper_name(first) is None or re.search(r"\A[a-z]+(?:ing|ed)\Z", first):
        return None
    text = f"name is {written_name(match['name'])}"
    return Fact(text, "name", Topic.NAME, importance=Importance.HIGH)


def _nickname(match: re.Match[str]) -> Fact | None:
    name = proper_name(match["name"])
    if name is None:
        return None
    return Fact(f"goes by {name}", "nickname", Topic.NAME, importance=Importance.HIGH)


def _age(match: re.Match[str]) -> Fact | None:
    age = number_in(match["age"])
    return Fact(f"is {age} years old", "age", Topic.AGE) if MIN_AGE <= age <= MAX_AGE else None


def _birthday(match: re.Match[str]) -> Fact | None:
    day = int(match["day"] or match["day2"])
    month = (match["month"] or match["month2"]).casefold()[:3]
    name = next(name for name in MONTHS["en"] if name.casefold().startswith(month))
    if not 1 <= day <= 31:
        return None
    year = f" {match['year']}" if match["year"] else ""
    return Fact(f"birthday is on {day} {name}{year}", "birthday", Topic.BIRTHDAY)


def _article(noun: str) -> str:
    return f"{'an' if noun[:1].casefold() in 'aeiou' else 'a'} {noun}"


def _named(noun: str, name: str) -> Fact:
    noun = noun.casefold()
    return Fact(f"has {_article(noun)} named {name}", f"{noun} {name}", _kin_topic(noun))


def _one_named(match: re.Match[str]) -> Fact | None:
    """Return a pet's or relative's name; "my cats called Mochi" lacks an apostrophe."""
    name, noun = proper_name(match["name"]), match["noun"]
    noun = noun[:-1] if noun.endswith("s") and is_one_of(noun[:-1], WORDS.pets) else noun
    return None if name is None else _named(noun, name)


def _capital_named(match: re.Match[str]) -> Fact | None:
    """Read "my brother Tom just moved in": only a capital tells the name from a verb."""
    name = match["name"]
    return _one_named(match) if name[:1].isupper() and name[1:].islower() else None


def _given_named(match: re.Match[str]) -> Fact | None:
    """Read "my girlfriend is Priya": only a common first name tells who she is from what."""
    return _one_named(match) if is_given_name(match["name"]) else None


def _several_named(match: re.Match[str]) -> Fact | None:
    names = [
        proper_name(name)
        for name in re.split(r",\s*(?:and\s+)?|\s+and\s+", match["names"].strip(" .,"))
    ]
    if None in names or len(names) < 2:
        return None
    noun = match["noun"].casefold()
    written = f"{', '.join(map(str, names[:-1]))} and {names[-1]}"
    return Fact(
        f"has {match['count']} {noun} named {written}", f"{noun} {written}", _kin_topic(noun)
    )


def _several_called(match: re.Match[str]) -> Fact | None:
    """Read "my cats are called Salt and Pepper"."""
    noun, names = match["noun"].casefold(), match["names"]
    return Fact(f"has {noun} named {names}", f"{noun} {names}", _kin_topic(noun))


def _some_pets(match: re.Match[str]) -> Fact:
    noun = match["noun"].casefold()
    return Fact(f"has {noun}", f"has {noun}", Topic.PETS)


def _counted(match: re.Match[str]) -> Fact | None:
    noun, adjective = match["noun"].casefold(), match["adj"] or ""
    phrase = f"{match['count']} {adjective}{noun}".casefold()
    if RELATIVE.search(phrase) or adjective.split()[:1] in (["more"], ["other"], ["of"]):
        return None
    return Fact(f"has {phrase}", f"has {noun}", _kin_topic(noun))


def _kin_is(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"], 6, Cut.CLAUSES)
    if phrase is None or _TRANSIENT.match(phrase):
        return None
    name = f" {match['name']}" if match["name"] and match["name"][:1].isupper() else ""
    if match["name"] and not name:
        return None
    verb = match["verb"].casefold().replace("'s", "is") or "is"  # "my dads a nurse"
    kin = match["kin"].casefold()
    return Fact(f"{kin}{name} {verb} {phrase}", f"{kin} {verb}", Topic.FAMILY)


_TRANSIENT = re.compile(
    r"(?:an? (?:idiot|moron|pain|joke|genius|legend|saint|angel|monster|nightmare|mess|jerk|ass|"
    r"\w+hole|clown|menace|demon|devil|goat|god|queen|king))\b",
    re.IGNORECASE,
)


def _kin_does(match: re.Match[str]) -> Fact | None:
    """Read "my brother plays bass": the speaker's own story."""
    phrase = object_of(match["what"], 6, Cut.CLAUSES)
    if phrase is None or _TRANSIENT.match(phrase):
        return None
    name = f" {match['name']}" if match["name"] else ""
    kin, verb = match["kin"].casefold(), match["verb"].casefold()
    if kin == "boss" and verb not in ("lives", "works"):
        return None
    if is_one_of(kin, WORDS.pets) and not (verb.startswith("is ") or verb in _PETS_DO):
        return None
    return Fact(f"{kin}{name} {verb} {phrase}", f"{kin} {verb}", _kin_topic(kin))


_NO_DEED = (
    r"(?:is|has|was|does|says|thinks|tells|asks|wants|needs|keeps|looks|seems|gets|calls|knows|"
    r"believes|claims|swears|insists|hopes|always|sometimes|besides|yes|less|plus|vs|us|its|this|"
    r"makes me|drives me|gives|sucks|feels|acts|treats)"
)
_PETS_DO = frozenset(("loves", "likes", "hates", "does not like"))


def _kin_age(match: re.Match[str]) -> Fact | None:
    if int(match["age"]) > MAX_AGE:
        return None
    kin, name = match["kin"].casefold(), match["name"]
    called = f" {written_name(name)}" if name else ""
    verb = match["verb"].casefold()
    age = f"{match['age']} years old" if verb == "is" else match["age"]
    return Fact(f"{kin}{called} {verb} {age}", f"{kin} age", _kin_topic(kin))


def _kin_topic(kin: str) -> Topic:
    return Topic.PETS if is_one_of(kin, WORDS.pets) else Topic.FAMILY


def _married(match: re.Match[str]) -> Fact | None:
    name = proper_name(match["what"]) if match["what"][:1].isupper() else None
    return None if name is None else Fact(f"is married to {name}", "spouse", Topic.FAMILY)


PEOPLE_RULES = (
    Rule(rf"my (?P<kin>{_KIN})s (?P<verb>)(?P<name>)(?P<what>an? .+)", _kin_is),
    Rule(rf"(?:my|our) (?P<noun>{_PETS}|{alternatives(WORDS.relatives_plural)}) are (?:called |"
         rf"named )?"
         r"(?P<names>(?-i:[A-Z])[\w'-]+(?:, (?-i:[A-Z])[\w'-]+)* and (?-i:[A-Z])[\w'-]+)" + REST,
         _several_called),
    Rule(rf"my (?:real |full |first |actual )?name is not [\w'-]+,? (?:it is|but) "
         rf"{_FULL_NAME}", _name),
    Rule(rf"my (?:real |full |first |actual )?name is {_FULL_NAME}(?:,? (?:not|and|but) .*|"
         rf",.*| (?:with an?|like|as in|spelled) .*)?", _name),
    Rule(rf"(?:please |you can |just )*(?:calls? me|(?:people|everyone|everybody|friends|my "
         rf"friends)(?: usually| mostly| always)? calls? me|I am called|"
       rf"I go by) {_FULL_NAME}(?:,.*)?", _nickname),
    Rule(rf"I am {AGE}(?: years old| yrs? old| y/o)?(?:,? (?:and|but|so|now|already|"
         r"today|since (?:yesterday|today)|btw)\b.*|,.*)?", _age),
    Rule(rf"I (?:turned|have turned|am turning) {AGE}(?: (?:yesterday|today|last "
         r"(?:week|month|year)|"
       r"this (?:week|month|year)|on \w+|in \w+|a \w+ ago))?(?:,.*)?", _age),
    Rule(rf"my birthday is (?:on )?{_DATE}{REST}", _birthday),
    Rule(rf"I was born (?:on )?{_DATE}{REST}", _birthday),
    Rule(r"(?:I|we) (?:am|are|have been) (?:happily )?married to "
         r"(?P<what>[^\W\d_][\w'-]*)" + REST, _married),
    Rule(rf"(?:{_HAVE}){_COUNT} {_ADJ}(?P<noun>{_PETS}),? (?:(?:{NAMED}) "
         rf")?(?P<names>(?:[\w'-]+(?:, (?:and )?| and ))+[\w'-]+)", _several_named),
    Rule(rf"(?:{_HAVE})(?:{_COUNT}|my) (?:[\w-]+ ){{0,2}}?(?P<noun>{_PET}),? (?:and (?:her|his|"
         rf"its) name is|{NAMED}|"
       rf"(?:her|his|its) name is) {_NAME}(?: (?:that|who|and|because|which)\b.*|"
       rf",.*)?", _one_named),
    Rule(rf"(?:{_HAVE})(?:an?|my) (?:[\w-]+ )?(?P<noun>{_PET}), {_NAME}", _capital_named),
    Rule(rf"(?:my|our) (?:[\w-]+ )?(?P<noun>{_PET}|{_KIN})(?: is| was)? (?:named|called) "
         rf"{_NAME}{REST}", _one_named),
    Rule(rf"(?:my|our) (?:[\w-]+ )?(?P<noun>{_PET}|{_KIN}) is {_NAME}", _given_named),
    Rule(rf"(?:my|our) (?P<noun>{_PET}|{_KIN})'s name is {_NAME}{REST}", _one_named),
    Rule(rf"(?:I|we) have (?:an? )(?P<noun>{_KIN})(?:,)? (?:{NAMED}) {_NAME}{REST}", _one_named),
    Rule(rf"my (?P<kin>{_KIN})(?: (?P<name>(?-i:[A-Z])[\w-]+))? (?P<verb>is|works|lives|'s) "
         rf"(?P<what>(?:an?|from|called|polish|"
       rf"german|french|italian|spanish|irish|scottish|welsh|dutch|swedish|japanese|chinese|"
       rf"korean|russian|ukrainian|"
       rf"turkish|greek|brazilian|american|canadian|mexican|indian|portuguese|as|at|in|"
       rf"for)\b.*)", _kin_is),
    Rule(rf"(?:my|our) (?:[\w-]+ )?(?P<kin>{_KIN}|{_PET})(?: (?P<name>[^\W\d_][\w-]+))? "
         rf"(?P<verb>is turning|is|turns|turned) (?P<age>\d{{1,3}})(?: years old| yrs old)?(?:,.*| "
         rf"(?:and|but|so|today|yesterday|now|this|last|next|soon)\b.*)?", _kin_age),
    Rule(rf"(?:my|our) (?:little |big |older |younger |baby |twin |best )?(?P<kin>{_KIN}|{_PET})"
         rf"(?: (?P<name>(?-i:[A-Z])[\w-]+))? (?P<verb>is (?:into|obsessed with|allergic to|"
         rf"afraid of|scared of|studying|learning)|does not like|"
         rf"(?!{_NO_DEED}\b)[a-z]{{2,}}s) (?P<what>.+)", _kin_does),
    Rule(rf"(?:my|our) (?:little |big |older |younger |baby |twin |best )?"
         rf"(?P<noun>{_KIN}|{_PET}),? {_NAME}(?:,(?! {_RELATIVE_PRONOUN}).*| and .*|"
         r" (?!(?:was|has|is (?:dead|gone))\b)[a-z]+s\b(?! (?:me|us)\b).*)?",
         _capital_named),  # who "died", "has left me", "leaves me" or "is gone" is there no more
    Rule(rf"(?:I|we) (?:have|have got|got|am a (?:mum|mom|dad|mother|father) of) {_COUNT} "
         rf"(?P<adj>(?:older |younger |little |big |twin |small )*)"
       rf"(?P<noun>{alternatives(WORDS.relatives_plural)}|{_KIN}){REST}", _counted),
    Rule(rf"(?:I|we) (?:have|have got|own|keep|raise) (?P<noun>{_PETS})(?: now)?(?:,.*)?",
         _some_pets),
    Rule(rf"(?:I|we) (?:have|have got|own) {_COUNT} (?P<adj>(?:[a-z]+ "
         rf"){{0,2}}?)(?P<noun>{_PET})(?:,.*| (?:and|who|that|at "
         rf"home)\b.*)?", _counted),
)  # fmt: skip


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
_WHOLE_JOB = re.compile(
    rf"(?:an? )?(?P<job>(?:[a-z]+ )?{alternatives(WORDS.occupations)}"
    r"(?: (?:at|for|in) .+)?)\Z",
    re.IGNORECASE,
)
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
        return written_name(text)
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
    if job and name[:1].isupper() and not is_told:
        return True
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
    return None if job is None else f"I am {_article(job['job'])}"
