"""Rules that turn a plain English clause about its author into a note. Pure.

A rule matches the whole clause or nothing, so a word it does not know leaves only the quote. Past
places, wishes, and objects that say nothing ("I love it") make no note.
"""

import re
from collections.abc import Callable, Iterator

from utils.memory.extraction.facts import Fact, Rule, Topic, alternatives, apply_rules, is_one_of
from utils.memory.extraction.own_statements import has_phrase, words_of
from utils.models.memory import Importance, Kind

MAX_OBJECT_WORDS = 9
_W = words_of("en")
_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_MONTH = "(?P<month>" + "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + r")\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DATE = rf"(?:the )?(?:{_DAY}(?: of)? {_MONTH}|{_MONTH.replace('month', 'month2')} (?:the )?{_DAY.replace('day', 'day2')})"
_SINCE = re.compile(
    r"[, ]+(?:since\b|for (?:about |over |almost )?(?:\w+ ){1,2}(?:now|years?|months?|weeks?|days?|hours?|"
    r"decades?)\b|for (?:my|his|her|a while|ages|fun|christmas|xmas)\b|(?:\w+ ){1,3}ago\b|last (?:year|week|month|"
    r"night|summer|winter|spring|autumn|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|"
    r"yesterday\b|today\b|(?:in|this) (?:19|20)\d\d\b|in (?:" + "|".join(_MONTHS) + r")\b|"
    r"this (?:year|month|week|spring|summer|autumn|fall|winter|morning|weekend)\b|the other day\b|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|when\b|because\b|but\b|though\b|although\b|"
    r"which\b|who\b|where\b|that\b|if\b|so (?:much|i|sorry|that)\b|a lot\b|very much\b|these days\b|"
    r"again\b|anymore\b|any more\b|not\b|instead\b|with (?:my|no|three|two|a)\b|and (?:it|he|she|they|we|then|"
    r"you|that|am|honestly|its|his|have|has|had|been|was|were|will|never|always|now|there|more|everything|"
    r"stuff|such|so)\b|please\b|thanks\b|thx\b|like you\b|than\b|at least\b|apart\b|except\b|"
    r"idk\b|no (?:matter|regrets|contest|joke|cap)\b|ever\b|back (?:in|when)\b|tbf\b|imo\b|badly\b|everyone\b|"
    r"everyday\b|every (?:day|week|year|month|morning|night|summer|winter)\b|all (?:day|the time|my life)\b|rn\b|wish me\b|send help\b|sorry\b|"
    r"fight me\b|yes\b|lol\b|help\b|best\b).*\Z",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|ago|now|soon|later|next|last|this|these|those|currently|"
    r"here|there|you|your|it|him|her|them|me|i|im|not|never|no|nothing|if|maybe|would|could|might)\b|[?!:;]",
    re.IGNORECASE,
)
_THIRD = ((r"\bmyself\b", "themselves"), (r"\bmine\b", "theirs"), (r"\bmy\b", "their"),
          (r"\bour\b", "their"))  # fmt: skip
_KIN = alternatives(_W.relatives)
_PET = alternatives(_W.pets)
_PETS = alternatives(word for word in _W.pets if word.endswith("s") or word in ("mice", "fish"))
_JOB = alternatives(_W.occupations)
_NAME = r"(?P<name>[^\W\d_][\w'-]*)"
_FULL_NAME = r"(?P<name>[^\W\d_][\w'-]*(?: (?-i:[A-Z])[\w'-]*){0,2})"
_COUNT = r"(?P<count>an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
_ADJ = r"(?:[a-z-]+ ){0,2}?"
_HAVE = r"(?:I|we) (?:(?:have|have got|got|own|adopted|rescued|bought|have adopted|have rescued|share a home with) )"
_NAMED = r"(?:named|called|whose name is|by the name of)"


def english_facts(clause: str) -> Iterator[Fact]:
    """Yield the facts of one clause with usual spellings: "I live in Rome" -> "lives in Rome"."""
    clause = re.sub(r"\bi\b", "I", clause)
    folded = " " + " ".join(re.findall(r"[\w'/]+", clause.casefold())) + " "
    if has_phrase(folded, _W.unsure):
        return
    intro = _introduced(clause)
    if intro:
        yield from intro
    else:
        yield from apply_rules(_RULES, clause)


def follow_up(previous: str, clause: str) -> Fact | None:
    """Return the fact of a clause about the pet or person of the clause before it.

    "I have a dog" and "she is a beagle called Biscuit" make "has a dog named Biscuit".
    """
    corrected = re.match(rf"it is {_NAME}\Z", clause, re.IGNORECASE)
    if corrected is not None and re.match(r"my name is not ", previous, re.IGNORECASE):
        return _name(corrected)
    owned = re.match(
        rf"(?:I|we) (?:have|have got|got|adopted|rescued|own)(?: {_COUNT})? {_ADJ}(?P<noun>{_PET}|{_KIN})\b(?! food)",
        re.sub(r"\bi\b", "I", previous), re.IGNORECASE,
    )  # fmt: skip
    named = re.match(
        rf"(?:she|he|it) is (?:an? [\w -]{{2,30}}? )?{_NAMED} {_NAME}|(?:her|his|its) name is {_NAME.replace('name', 'name2')}",
        clause, re.IGNORECASE,
    )  # fmt: skip
    if owned is None or named is None:
        return None
    name = _proper(named["name"] or named["name2"])
    return None if name is None else _named(owned["noun"], name)


# --- reading matches -----------------------------------------------------------------------------


def _object(text: str, limit: int = MAX_OBJECT_WORDS) -> str | None:
    """Return the object of a clause without its tail; None if it is vague, relative or too long."""
    text = _SINCE.sub("", f" {text} ").strip(" .,'-/!")
    text = re.sub(r",? (?:too|as well|btw|right now|now)\Z", "", text, flags=re.IGNORECASE)
    text = re.split(r", (?!and\b)", text)[0].strip(" .,'") if limit < 99 else text
    for pattern, word in _THIRD:
        text = re.sub(pattern, word, text, flags=re.IGNORECASE)
    tokens = text.casefold().split()
    if not tokens or len(tokens) > limit or tokens[0] in _W.vague or _RELATIVE.search(text):
        return None
    return text


def _proper(name: str) -> str | None:
    """Return a name with its capital; None if it is no name."""
    name = name.strip(" .,!'")
    if len(name) < 2 or name.casefold() in _W.not_names or name.casefold() in _W.vague:
        return None
    return name if any(letter.isupper() for letter in name) else name.title()


def _plain(
    verb: str, attribute: str, topic: Topic, importance: Importance = Importance.MEDIUM,
    kind: Kind = Kind.FACT, limit: int = MAX_OBJECT_WORDS,
) -> Callable[[re.Match[str]], Fact | None]:  # fmt: skip
    """Return a reader that puts a verb before the object; "{}" in the attribute is the object."""

    def read(match: re.Match[str]) -> Fact | None:
        object_ = _object(match["what"], limit)
        if object_ is None:
            return None
        return Fact(f"{verb} {object_}", attribute.format(object_), topic, kind, importance)

    return read


def _fixed(text: str, attribute: str, topic: Topic) -> Callable[[re.Match[str]], Fact | None]:
    return lambda match: Fact(text, attribute, topic)


def _name(match: re.Match[str]) -> Fact | None:
    first = match["name"].split()[0]
    if _proper(first) is None:
        return None
    name = match["name"] if any(c.isupper() for c in match["name"]) else match["name"].title()
    return Fact(f"name is {name}", "name", Topic.NAME, importance=Importance.HIGH)


def _introduced(clause: str) -> list[Fact]:
    """Return the facts of "I am Maya, 24, from Leeds"."""
    match = re.match(
        rf"(?:I am|my name is) (?:(?P<name>[^\W\d_]{{2,20}})(?: here)?, )?(?:(?:I am )?(?P<age>\d\d)(?: years old| yrs?)?)?(?P<rest>,? .+)?\Z",
        clause, re.IGNORECASE,
    )  # fmt: skip
    if match is None or (match["name"] is None and match["age"] is None):
        return []
    rest = (match["rest"] or "").strip(" ,")
    facts = []
    if match["age"] is None:
        if not re.match(r"(?:from|living in|based in) ", rest, re.IGNORECASE):
            return []
    elif rest and not re.match(
        r"(?:from|living|based|been living|and|m|f|she|he|they|studying|working|male|female|an?|student)\b", rest, re.IGNORECASE
    ):
        return []
    if match["name"] is not None:
        name = _proper(match["name"])
        if name is None or re.search(r"(?:ing|ish|ese|ed)\Z", name):
            return []
        facts.append(Fact(f"name is {name}", "name", Topic.NAME, importance=Importance.HIGH))
    if match["age"] is not None and 10 <= int(match["age"]) < 100:
        facts.append(Fact(f"is {match['age']} years old", "age", Topic.AGE))
    for part in re.split(r",\s*|\s+and\s+", rest):
        part = re.sub(r"^(?:been )?(?=living|based)", "", part)
        lead = {"from": "I am ", "living": "I am ", "based": "I am ", "studying": "I am ", "working": "I am "}
        first = part.split()[0].casefold() if part else ""
        if first in lead:
            facts += apply_rules(_RULES, lead[first] + part)
    return facts


def _age(match: re.Match[str]) -> Fact | None:
    age = int(match["age"])
    return Fact(f"is {age} years old", "age", Topic.AGE) if 10 <= age < 110 else None


def _birthday(match: re.Match[str]) -> Fact | None:
    day = int(match["day"] or match["day2"])
    month = (match["month"] or match["month2"]).casefold()[:3]
    name = next(name for name in _MONTHS if name.startswith(month))
    if not 1 <= day <= 31:
        return None
    return Fact(f"birthday is on {day} {name.title()}", "birthday", Topic.BIRTHDAY)


def _article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _named(noun: str, name: str) -> Fact:
    noun = noun.casefold()
    topic = Topic.PETS if is_one_of(noun, _W.pets) else Topic.FAMILY
    return Fact(f"has {_article(noun)} named {name}", f"{noun} {name}", topic)


def _one_named(match: re.Match[str]) -> Fact | None:
    name = _proper(match["name"])
    return None if name is None else _named(match["noun"], name)


def _capital_named(match: re.Match[str]) -> Fact | None:
    """Read "my brother Tom just moved in": only a capital tells the name from a verb."""
    name = match["name"]
    return _one_named(match) if name[:1].isupper() and name[1:].islower() else None


def _several_named(match: re.Match[str]) -> Fact | None:
    names = [_proper(name) for name in re.split(r",\s*(?:and\s+)?|\s+and\s+", match["names"].strip(" .,"))]
    if None in names or len(names) < 2:
        return None
    noun = match["noun"].casefold()
    topic = Topic.PETS if is_one_of(noun, _W.pets) else Topic.FAMILY
    written = f"{', '.join(map(str, names[:-1]))} and {names[-1]}"
    return Fact(f"has {match['count']} {noun} named {written}", f"{noun} {written}", topic)


def _counted(topic: Topic) -> Callable[[re.Match[str]], Fact | None]:
    def read(match: re.Match[str]) -> Fact | None:
        what = f"{match['count']} {(match['adj'] or '')}{match['noun']}".casefold()
        if _RELATIVE.search(what) or match["adj"] and match["adj"].split()[0] in ("more", "other", "of"):
            return None
        return Fact(f"has {what}", f"has {match['noun'].casefold()}", topic)

    return read


def _feels(match: re.Match[str]) -> Fact | None:
    verb = " ".join(match["verb"].casefold().split())
    object_ = _object(match["what"])
    first = object_.split()[0].casefold() if object_ else ""
    if object_ is None or first in ("the", "think", "feel", "say", "know", "believe") or (
        first == "their" and object_.split()[-1] in ("job", "life", "boss", "work")
    ):  # fmt: skip
        return None
    topic = Topic.DISLIKES if verb in _DISLIKE else Topic.LIKES
    return Fact(f"{_FEELS[verb]} {object_}", f"feels about {object_}", topic, Kind.PREFERENCE)


def _favourite(match: re.Match[str]) -> Fact | None:
    subject, value = match["what"].casefold(), _object(match["value"])
    if value is None or _RELATIVE.search(subject):
        return None
    return Fact(f"favourite {subject} {match['verb'].casefold()} {value}", f"favourite_{subject}",
                Topic.FAVOURITES, Kind.PREFERENCE)  # fmt: skip


def _works_as(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    if what is None:
        return None
    core = re.split(r" (?:at|for|in|with|from|on|by|near) ", what)[0].split()
    heads = [" ".join(core[-2:]), core[-1]] if core else []
    return Fact(f"is {match['article']} {what}", "job", Topic.WORK) if any(
        is_one_of(head, _W.occupations) for head in heads) else None  # fmt: skip


def _works_in(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    is_field = what is not None and (
        is_one_of(what, _W.workplaces) or re.match(r"an? \w", what) is not None
    )
    return Fact(f"works in {what}", "workplace", Topic.WORK) if is_field else None


def _moved(match: re.Match[str]) -> Fact | None:
    """Read a move to a known place; "moved to Linux" is no home."""
    what = _object(match["what"], 3)
    if what is None or not is_one_of(what.removeprefix("the "), places()):
        return None
    place = what if any(c.isupper() for c in what) else what.title()
    return Fact(f"lives in {place}", "home", Topic.HOME, importance=Importance.HIGH)


def _lives(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    if what is None or re.search(r"\b(?:world|house of|past|era|shadow|bed|hoodies|sweatpants|pyjamas|pajamas)\b", what):
        return None
    preposition = match["where"].casefold()
    return Fact(f"lives {preposition} {what}", "home", Topic.HOME, importance=Importance.HIGH)


def _origin(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"], 4)
    bad = {"work", "school", "home", "space", "mars", "hell", "earth", "a", "an", "mobile", "phone"}
    if what is None or what.split()[0].casefold() in bad:
        return None
    return Fact(f"is from {what}", "origin", Topic.ORIGIN)


def _speaks(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    known = what is not None and any(is_one_of(word.strip(","), _W.languages) for word in what.split())
    return Fact(f"speaks {what}", f"speaks {what}", Topic.LANGUAGES) if known else None


def _learns(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    if what is None:
        return None
    topic = Topic.LANGUAGES if is_one_of(what, _W.languages) else Topic.SKILLS
    known = any(is_one_of(re.sub(r"^(?:to |how to |the )+", "", what), group) for group in (
        _W.languages, _W.learnable, _W.instruments, _W.skills))  # fmt: skip
    return Fact(f"is learning {what}", f"learns {what}", topic) if known else None


def _plays(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    core = re.split(r" (?:in|at|for|on|with) ", what)[0] if what else ""
    parts = re.split(r", | and ", re.sub(r"\bthe ", "", core))
    known = all(is_one_of(part.split(" ", 1)[-1], group) or is_one_of(part, group) for part in parts
                for group in [_W.instruments | _W.sports])  # fmt: skip
    return Fact(f"plays {what}", f"plays {what}", Topic.SKILLS) if what and known else None


def _can(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    if what is None or not is_one_of(what.split()[0], _W.skills):
        return None
    return Fact(f"{match['can'].casefold().replace('can not', 'cannot')} {what}", f"can {what}", Topic.SKILLS)


def _eats_no(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"], 4)
    if what is None or not all(is_one_of(part, _W.eaten) for part in re.split(r", | or | and ", what)):
        return None
    return Fact(f"does not {match['verb'].casefold()} {what}", f"eats {what}", Topic.DIET, Kind.PREFERENCE)


def _gave_up(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"], 3)
    known = what is not None and (
        is_one_of(what, _W.habits)
        or re.match(r"(?:drinking|eating) ", what) is not None and is_one_of(what.split(" ", 1)[1], _W.eaten)
    )
    return Fact(f"gave up {what}", f"gave up {what}", Topic.DIET) if known else None


def _owns(match: re.Match[str]) -> Fact | None:
    verb, what = match["verb"].casefold(), _object(match["what"], 6)
    if what is None:
        return None
    noun = re.sub(r"^(?:an?|the|their) ", "", re.split(r" (?:in|on|from|near|at|with|of) ", what)[0])
    tails = [" ".join(noun.split()[-count:]) for count in (1, 2)]
    heads = [noun.split()[0], re.sub(r" \S*\d\S*\Z", "", noun)]
    if not any(is_one_of(part, _W.possessions) for part in (*tails, *heads)):
        return None
    written = {"have": "has", "have got": "has", "got": "got", "bought": "bought", "own": "owns"}
    return Fact(f"{written[verb]} {what}", f"has {noun}", Topic.POSSESSIONS)


def _thing_is(match: re.Match[str]) -> Fact | None:
    what, thing = _object(match["what"], 6), match["thing"].casefold()
    return None if what is None else Fact(f"{thing} is {what}", thing, Topic.POSSESSIONS)


def _kin_is(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"], 6)
    if what is None:
        return None
    name = f" {match['name']}" if match["name"] and match["name"][:1].isupper() else ""
    if match["name"] and not name:
        return None
    verb = match["verb"].casefold().replace("'s", "is")
    kin = match["kin"].casefold()
    return Fact(f"{kin}{name} {verb} {what}", f"{kin} {verb}", Topic.FAMILY)


_places: list[frozenset[str]] = []


def places() -> frozenset[str]:
    """Return cities, countries and regions that people move to, casefolded, "+" for spaces."""
    if not _places:
        from utils.nlp.languages import shared_tables

        _places.append(frozenset(shared_tables().places.known))
    return _places[0]


_FEELS = {
    "love": "loves", "adore": "loves", "like": "likes", "enjoy": "enjoys", "hate": "hates", "dislike":
    "dislikes", "detest": "hates", "can not stand": "can't stand", "prefer": "prefers", "despise": "hates",
    "do not like": "doesn't like", "do not enjoy": "doesn't enjoy", "am into": "is into", "loathe": "hates",
    "am a fan of": "is a fan of", "am a big fan of": "is a fan of", "am a huge fan of": "is a fan of",
    "am obsessed with": "is obsessed with", "am addicted to": "is addicted to", "am afraid of": "is afraid of",
    "am scared of": "is scared of", "am terrified of": "is terrified of", "am not a fan of": "is not a fan of",
}  # fmt: skip
_DISLIKE = frozenset((
    "hate", "dislike", "detest", "can not stand", "despise", "loathe", "do not like", "do not enjoy",
    "am afraid of", "am scared of", "am terrified of", "am not a fan of",
))  # fmt: skip


def _r(body: str, read: Callable[[re.Match[str]], Fact | None]) -> Rule:
    return Rule(re.compile(rf"{body}\Z", re.IGNORECASE), read)


_REST = r"(?:[, ].*)?"
_RULES = (
    _r(rf"my (?:real |full |first |actual )?name is not [\w'-]+,? (?:it is|but) {_FULL_NAME}", _name),
    _r(rf"my (?:real |full |first |actual )?name is {_FULL_NAME}(?:,? not .*|,? and .*|,.*)?", _name),
    _r(rf"(?:please |you can |just )*(?:call me|(?:people|everyone|everybody|friends|my friends) calls? me|I am called|"
       rf"I go by) {_FULL_NAME}(?:,.*)?", _name),
    _r(r"I am (?P<age>\d{1,3})(?: years old| yrs? old| y/o)?(?:,? (?:and|but|so|now|already|today|btw)\b.*|,.*)?", _age),
    _r(r"I (?:turned|have turned|am turning) (?P<age>\d{1,3})(?: (?:yesterday|today|last (?:week|month|year)|"
       r"this (?:week|month|year)|on \w+|in \w+|a \w+ ago))?(?:,.*)?", _age),
    _r(rf"my birthday is (?:on )?{_DATE}{_REST}", _birthday),
    _r(rf"I was born (?:on )?{_DATE}{_REST}", _birthday),
    _r(r"(?:now )?(?:I|we) (?:now )?(?:live|reside|am living|have been living|are living|have lived) (?P<where>in|near|on|at|just outside) (?P<what>.+)", _lives),
    _r(r"I am (?:now )?based (?P<where>in) (?P<what>.+)", _lives),
    _r(r"I am living (?P<where>in|near) (?P<what>.+)", _lives),
    _r(r"now (?:I|we) (?:am|are) (?P<where>in) (?P<what>.+)", lambda match: None),
    _r(r"(?:I|we) (?:have )?moved (?:over |back )?(?:from [\w' ]+? )?to (?P<what>.+)", _moved),
    _r(r"I (?:am|come) from (?P<what>.+)", _origin),
    _r(r"I was born in (?P<what>[^\d].+)", _plain("was born in", "birthplace", Topic.ORIGIN, limit=4)),
    _r(r"I grew up (?P<what>(?:in|on|near) .+)", _plain("grew up", "grew up", Topic.ORIGIN, limit=6)),
    _r(r"I was raised (?P<what>in .+)", _plain("was raised", "grew up", Topic.ORIGIN, limit=4)),
    _r(r"I (?:work|am working) as (?P<what>(?:an?|the|head|chief)\s.+)", _plain("works as", "job", Topic.WORK)),
    _r(r"I (?:work|am working) nights?(?: at (?P<what>.+))?", lambda match: (
        Fact("works nights" + (f" at {_object(match['what'])}" if match["what"] and _object(match["what"]) else ""),
             "working hours", Topic.WORK))),
    _r(r"I (?:work|am working) (?:at|for) (?P<what>.+)", _plain("works at", "workplace", Topic.WORK)),
    _r(r"I (?:work|am working) in (?P<what>.+)", _works_in),
    _r(r"I work from home" + _REST, _fixed("works from home", "workplace", Topic.WORK)),
    _r(r"I got (?:the|a|my) (?:new )?job (?P<what>(?:at|as) .+)", _plain("got a job", "got job", Topic.WORK)),
    _r(r"I started (?:a new job|working|work) (?P<what>(?:at|as) .+)", _plain("started working", "job", Topic.WORK)),
    _r(r"I (?:study|am studying|studied) (?P<what>.+)", lambda match: _studies(match)),
    _r(r"I am (?P<article>an?) (?P<what>.+)", _works_as),
    _r(r"I am (?P<what>vegan|vegetarian|pescatarian|pescetarian)" + _REST, _plain("is", "diet", Topic.DIET)),
    _r(r"I have been (?P<what>vegan|vegetarian)" + _REST, _plain("is", "diet", Topic.DIET)),
    _r(r"I am (?:very |severely |super |deathly )?allergic to (?P<what>.+)", _plain("is allergic to", "allergy {}", Topic.DIET, Importance.HIGH)),
    _r(r"I am lactose intolerant" + _REST, _fixed("is lactose intolerant", "lactose", Topic.DIET)),
    _r(r"I (?:do not|can not|never) (?P<verb>eat|drink) (?P<what>.+)", _eats_no),
    _r(r"I (?:quit|stopped|gave up|have quit|have stopped|have given up) (?P<what>.+)", _gave_up),
    _r(r"(?:I|we) (?:am|are|have been) (?:happily )?married to (?P<what>[^\W\d_][\w'-]*)" + _REST, lambda match: _married(match)),
    _r(r"I am (?P<what>married|engaged|divorced|widowed|left[- ]handed|right[- ]handed|ambidextrous|colou?r ?blind)" + _REST,
       _plain("is", "is {}", Topic.FAMILY, limit=2)),
    _r(rf"(?:{_HAVE}){_COUNT} {_ADJ}(?P<noun>{_PETS}),? (?:(?:{_NAMED}) )?(?P<names>(?:[\w'-]+(?:, (?:and )?| and ))+[\w'-]+)", _several_named),
    _r(rf"(?:{_HAVE})(?:{_COUNT}|my) (?:[\w-]+ ){{0,2}}?(?P<noun>{_PET}),? (?:and (?:her|his|its) name is|{_NAMED}|"
       rf"(?:her|his|its) name is) {_NAME}(?: (?:that|who|and|because|which)\b.*|,.*)?", _one_named),
    _r(rf"(?:{_HAVE})(?:an?|my) (?:[\w-]+ )?(?P<noun>{_PET}), {_NAME}", _capital_named),
    _r(rf"(?:my|our) (?:[\w-]+ )?(?P<noun>{_PET}|{_KIN})(?: is| was)? (?:named|called) {_NAME}{_REST}", _one_named),
    _r(rf"(?:my|our) (?P<noun>{_PET}|{_KIN})'s name is {_NAME}{_REST}", _one_named),
    _r(rf"(?:I|we) have (?:an? )(?P<noun>{_KIN})(?:,)? (?:{_NAMED}) {_NAME}{_REST}", _one_named),
    _r(rf"my (?P<kin>{_KIN})(?: (?P<name>(?-i:[A-Z])[\w-]+))? (?P<verb>is|works|lives|'s) (?P<what>(?:an?|from|called|polish|"
       rf"german|french|italian|spanish|irish|scottish|welsh|dutch|swedish|japanese|chinese|korean|russian|ukrainian|"
       rf"turkish|greek|brazilian|american|canadian|mexican|indian|portuguese|as|at|in|for)\b.*)", _kin_is),
    _r(rf"(?:my|our) (?P<noun>{_KIN}|{_PET}),? {_NAME}(?:,? \w.*)?", _capital_named),
    _r(rf"(?:I|we) (?:have|have got|am a (?:mum|mom|dad|mother|father) of) {_COUNT} (?P<adj>(?:older |younger |little |big |twin |small )*)"
       rf"(?P<noun>{alternatives(_W.relatives_plural)}|{_KIN}){_REST}", _counted(Topic.FAMILY)),
    _r(rf"(?:I|we) (?:have|have got|own) {_COUNT} (?P<adj>(?:[a-z]+ ){{0,2}}?)(?P<noun>{_PET})(?:,.*| (?:and|who|that|at home)\b.*)?", _counted(Topic.PETS)),
    _r(r"I (?P<verb>love|adore|like|enjoy|hate|dislike|detest|despise|loathe|can not stand|prefer|do not like|"
       r"do not enjoy|am into|am (?:not )?a (?:big |huge )?fan of|am obsessed with|am addicted to|am (?:afraid|scared|terrified) of)"
       r" (?P<what>.+)", _feels),
    _r(r"my (?:all[- ]time )?favourite (?P<what>\w+(?: \w+){0,2}?)(?: of all time)? (?P<verb>is|are) (?P<value>.+)", _favourite),
    _r(r"(?P<value>.+) is my (?:all[- ]time )?favourite (?P<what>\w+(?: \w+)?)(?P<verb>)", lambda match: None),
    _r(r"I (?:am )?speak(?:ing)? (?P<what>.+)", _speaks),
    _r(r"I am fluent in (?P<what>.+)", _speaks),
    _r(r"my (?:native|mother|first) (?:language|tongue) is (?P<what>\w+)" + _REST, _plain("native language is", "native language", Topic.LANGUAGES)),
    _r(r"I (?:am learning|have been learning|learn) (?P<what>.+)", _learns),
    _r(r"I (?:play|have been playing|have played) (?P<what>.+)", _plays),
    _r(r"I am training for (?P<what>an? .+)", _plain("is training for", "training", Topic.HOBBIES)),
    _r(r"I (?P<can>can not|can) (?P<what>.+)", _can),
    _r(r"I collect (?P<what>.+)", _plain("collects", "collects {}", Topic.HOBBIES)),
    _r(r"I (?:build|make|write|knit|paint|sew|restore|brew) (?P<what>.+) (?:as|for) (?:a hobby|fun)", lambda match: _hobby(match)),
    _r(r"I drive (?P<what>an? .+)", _plain("drives", "car", Topic.POSSESSIONS, limit=7)),
    _r(r"I own (?P<what>(?:an?|two|three|four|five|\d+) .+)", _plain("owns", "owns {}", Topic.POSSESSIONS, limit=8)),
    _r(r"I (?P<verb>have|have got|got|bought) (?P<what>(?:an?|two|three) .+)", _owns),
    _r(rf"my (?P<thing>{alternatives(_W.possessions)}) is (?P<what>an? .+)", _thing_is),
    _r(r"my time ?zone is (?P<what>[\w/+-]+(?: [\w+-]+)?)" + _REST, _plain("time zone is", "time zone", Topic.TIME_ZONE)),
)  # fmt: skip


def _studies(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    core = re.split(r" (?:at|in|with) ", what)[0] if what else ""
    known = what is not None and all(is_one_of(part, _W.studies) for part in re.split(r" and |, ", core))
    verb = "studied" if "studied" in match[0][:12].casefold() else "studies"
    return Fact(f"{verb} {what}", "studies", Topic.STUDIES) if known else None


def _married(match: re.Match[str]) -> Fact | None:
    name = _proper(match["what"]) if match["what"][:1].isupper() else None
    return None if name is None else Fact(f"is married to {name}", "spouse", Topic.FAMILY)


def _hobby(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    verb = match[0].split()[1].casefold()
    return None if what is None else Fact(f"{verb}s {what} as a hobby", f"hobby {what}", Topic.HOBBIES)
