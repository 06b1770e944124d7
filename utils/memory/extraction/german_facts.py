"""Rules that turn a plain German clause about its author into a German note. Pure.

See :mod:`utils.memory.extraction.english_facts`.
"""

import re
from collections.abc import Callable, Iterator

from utils.memory.extraction.clauses import has_phrase, words_of
from utils.memory.extraction.facts import (
    MONTHS,
    Fact,
    Rule,
    Topic,
    alternatives,
    apply_rules,
    is_one_of,
)
from utils.models.memory import Importance, Kind

MAX_OBJECT_WORDS = 8
MIN_SUFFIX = 5
_W = words_of("de")
_DATE = r"(?P<day>\d{1,2})\. ?(?:(?P<month>" + "|".join(MONTHS["de"]) + r")|(?P<number>\d{1,2})\.?)"
_TAIL = re.compile(
    r"[, ]+(?:seit\b|weil\b|aber\b|obwohl\b|deswegen\b|deshalb\b|denn\b|wenn\b|und (?:es|er|sie|"
    r"das|die|der|bin|habe|"
    r"war|hatte|finde|kann|will|muss|freue|bald|dann|mein\w*|zwar|immer|nie)\b|welche\w*\b|"
    r"letzte\w* (?:jahr|woche|monat|sommer|winter)\b|vor \w+ (?:jahr|monat|woche|tag)\w*\b|"
    r"gestern\b|"
    r"heute\b|mehr\b|bitte\b|danke\b|nicht\b|wie ihr\b|als kind\b|dass\b|wo\b|so sehr\b|über "
    r"alles\b|"
    r"im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|"
    r"sommer|winter)\b).*\Z",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:heute|morgen|gestern|übermorgen|nächste\w*|letzte\w*|diese\w*|bald|hier|dort|da|du|"
    r"dein\w*|"
    r"ihn|ihm|sie|ihr|euch|dich|dir|mich|mir|nicht|kein\w*|nie|nichts|wenn|falls|vielleicht|ich|"
    r"später|früher|damals|wir|uns)\b|[?!:;]",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r"\b(?:wenn|heute|gestern|morgen|diese\w*|letzte\w*|nächste\w*|nur|außer|manchmal|bis|dass|wo|"
    r"die|der|als|"
    r"welche\w*|(?:im|am) (?:winter|sommer|herbst|frühling|wochenende|januar|februar|märz|april|"
    r"mai|"
    r"juni|juli|august|september|oktober|november|dezember))\b",
    re.IGNORECASE,
)
_KIN = alternatives(_W.relatives)
_KINS = alternatives(_W.relatives_plural)
_PET = alternatives(_W.pets)
_COUNT = r"(?P<count>eine?[nm]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\d{1,2})"
_NAME = r"(?P<name>[^\W\d_][\w-]+)"
_LISTED = r"(?P<names>[^\W\d_][\w-]+(?:, [^\W\d_][\w-]+)* und [^\W\d_][\w-]+)"
_REST = r"(?:[, ].*)?"


def german_facts(clause: str) -> Iterator[Fact]:
    """Yield the facts of one clause: "Ich wohne in Rom" -> "wohnt in Rom"."""
    folded = " " + " ".join(re.findall(r"[\w'/]+", clause.lower())) + " "
    if not has_phrase(folded, _W.unsure):
        yield from apply_rules(_RULES, clause)


def follow_up(previous: str, clause: str) -> Fact | None:
    """Return the fact of a clause that names the pet or relative of the clause before it."""
    owned = re.match(
        rf"(?:ich|wir) haben? (?P<count>eine?[n]?) (?:[\w-]+ ){{0,2}}?(?P<noun>{_PET}|{_KIN})\b",
        previous,
        re.IGNORECASE,
    )
    named = re.match(rf"(?:der|die|das|er|sie|es) heißt {_NAME}\Z", clause, re.IGNORECASE)
    if owned is None or named is None or not _is_name(named["name"]):
        return None
    return _has_named(owned["count"], owned["noun"], named["name"])


def _object(text: str, limit: int = MAX_OBJECT_WORDS, *, always: bool = False) -> str | None:
    """Return the object of a clause without its tail; None if it is vague, relative or too long.

    ``always``: also None if the clause holds only at a time or under a condition.
    """
    if always and _LIMITED.search(text):
        return None
    text = _TAIL.sub("", f" {text} ").strip(" .,'-/!")
    text = re.split(r", ", text)[0].strip(" .,'")
    tokens = text.lower().split()
    if not tokens or len(tokens) > limit or tokens[0] in _W.vague or _RELATIVE.search(text):
        return None
    return None if re.search(r"\b(?:mein|unser)\w*\b", text, re.IGNORECASE) else text


def _is_name(name: str) -> bool:
    folded = name.lower()
    return len(name) > 1 and folded not in _W.not_names and folded not in _W.vague


def _named(name: str) -> str:
    return name if any(letter.isupper() for letter in name) else name.title()


def _written(word: str) -> str:
    return word if word == "und" else _named(word)


def _noun(noun: str) -> str:
    return noun[:1].upper() + noun[1:]


def _topic(noun: str) -> Topic:
    return Topic.PETS if is_one_of(noun, _W.pets) else Topic.FAMILY


def _has_named(count: str, noun: str, name: str) -> Fact:
    text = f"hat {count.lower()} {_noun(noun)} namens {_named(name)}"
    return Fact(text, f"{noun.lower()} {name}", _topic(noun))


def _plain(
    verb: str, attribute: str, topic: Topic, importance: Importance = Importance.MEDIUM,
    kind: Kind = Kind.FACT, limit: int = MAX_OBJECT_WORDS, after: str = "",
) -> Callable[[re.Match[str]], Fact | None]:  # fmt: skip
    """Return a reader that puts a verb before the object, and ``after`` behind it."""

    def read(match: re.Match[str]) -> Fact | None:
        what = _object(match["what"], limit)
        if what is None:
            return None
        return Fact(f"{verb} {what}{after}", attribute.format(what), topic, kind, importance)

    return read


def _name(match: re.Match[str]) -> Fact | None:
    if not _is_name(match["name"]):
        return None
    return Fact(f"heißt {_named(match['name'])}", "name", Topic.NAME, importance=Importance.HIGH)


def _nickname(match: re.Match[str]) -> Fact | None:
    if not _is_name(match["name"]):
        return None
    text = f"wird {_named(match['name'])} genannt"
    return Fact(text, "nickname", Topic.NAME, importance=Importance.HIGH)


def _age(match: re.Match[str]) -> Fact | None:
    age = int(match["age"])
    return Fact(f"ist {age} Jahre alt", "age", Topic.AGE) if 10 <= age < 110 else None


def _birthday(match: re.Match[str]) -> Fact | None:
    number = int(match["number"] or 0)
    month = match["month"] or (MONTHS["de"][number - 1] if 1 <= number <= 12 else "")
    if not month or not 1 <= int(match["day"]) <= 31:
        return None
    return Fact(
        f"hat am {int(match['day'])}. {month.title()} Geburtstag", "birthday", Topic.BIRTHDAY
    )


def _is_occupation(noun: str) -> bool:
    """Whether a noun is an occupation or ends with one: "Grundschullehrerin"."""
    return is_one_of(noun, _W.occupations) or any(
        noun.lower().endswith(job) for job in _W.occupations if len(job) >= MIN_SUFFIX
    )


def _job(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    core = re.split(r" (?:bei|in|im|an|am|auf|für|aus) ", what)[0].split() if what else []
    if not core or len(core) > 2 or not _is_occupation(core[-1]):
        return None
    return Fact(f"ist {what}", f"job {what}", Topic.WORK)


def _studies(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    core = re.split(r" (?:in|an|bei|im) ", what)[0] if what else ""
    known = what is not None and all(
        is_one_of(part, _W.studies) for part in re.split(r" und |, ", core)
    )
    return Fact(f"studiert {what}", f"studies {what}", Topic.STUDIES) if known else None


def _feels(match: re.Match[str]) -> Fact | None:
    verb, what = match["verb"].lower(), _object(match["what"], always=True)
    negation = match["no"].lower().strip() if match["no"] else ""
    if what is None or what.split()[0].lower() in ("zu", "wie"):
        return None
    is_dislike = verb == "hasse" or bool(negation)
    third = _W.verbs[verb].split()[0]
    return Fact(f"{third} {negation + ' ' if negation else ''}{what}", f"feels about {what}",
                Topic.DISLIKES if is_dislike else Topic.LIKES, Kind.PREFERENCE)  # fmt: skip


def _likes_not(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"], always=True)
    return None if what is None else Fact(
        f"mag {what} nicht", f"feels about {what}", Topic.DISLIKES, Kind.PREFERENCE)  # fmt: skip


def _favourite(match: re.Match[str]) -> Fact | None:
    what, value = match["what"], _object(match["value"])
    return None if value is None else Fact(
        f"Lieblings{what.lower()} ist {value}", f"favourite_{what.lower()}", Topic.FAVOURITES,
        Kind.PREFERENCE)  # fmt: skip


def _diet(match: re.Match[str]) -> Fact | None:
    what = match["what"].strip(" .,")
    parts = re.split(r" und | oder |, ", what)
    if not all(is_one_of(part, _W.eaten) for part in parts):
        return None
    verb = _W.verbs[match["verb"].lower()].split()[0]
    return Fact(f"{verb} {match['no'].lower()} {what}{' mehr' if match['more'] else ''}",
                f"eats {what}", Topic.DIET, Kind.PREFERENCE)  # fmt: skip


def _plays(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    core = re.split(r" (?:in|im|bei|mit|am) ", what)[0] if what else ""
    known = core and all(
        is_one_of(part, _W.instruments | _W.sports) for part in re.split(r" und |, ", core)
    )
    return Fact(f"spielt {what}", f"plays {what}", Topic.SKILLS) if known else None


def _speaks(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    known = what is not None and any(
        is_one_of(word.strip(","), _W.languages) for word in what.split()
    )
    return Fact(f"spricht {what}", f"speaks {what}", Topic.LANGUAGES) if known else None


def _learns(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    core = re.split(r" (?:mit|in|an|bei|im) ", what)[0] if what else ""
    is_language = bool(core) and is_one_of(core, _W.languages)
    if not is_language and not is_one_of(core, _W.instruments | _W.learnable | _W.skills):
        return None
    return Fact(f"lernt {what}", f"learns {core}", Topic.LANGUAGES if is_language else Topic.SKILLS)


def _can(match: re.Match[str]) -> Fact | None:
    what = match["what"].strip(" .,")
    if not is_one_of(what.split()[-1], _W.skills) or _RELATIVE.search(what):
        return None
    no = "nicht " if match["no"] else ""
    return Fact(f"kann {no}{what}", f"can {what}", Topic.SKILLS)


def _one_named(match: re.Match[str]) -> Fact | None:
    if not _is_name(match["name"]):
        return None
    return _has_named(match["count"], match["noun"], match["name"])


def _is_called(match: re.Match[str]) -> Fact | None:
    noun, name = _noun(match["noun"]), match["name"]
    if not _is_name(name):
        return None
    return Fact(f"{noun} heißt {_named(name)}", f"{noun.lower()} {name}", _topic(noun))


def _counted(match: re.Match[str]) -> Fact | None:
    adjective = f"{match['adj']}" if match["adj"] else ""
    if _RELATIVE.search(adjective):
        return None
    names = match["names"] if "names" in match.re.groupindex else None
    text = f"hat {match['count'].lower()} {adjective}{_noun(match['noun'])}"
    if names:
        text += f": {re.sub(r'[^ ,]+', lambda name: _written(name[0]), names)}"
    return Fact(text, f"has {match['noun'].lower()}", _topic(match["noun"]))


def _owns(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"], 6)
    if what is None or not is_one_of(what.split()[-1], _W.possessions):
        return None
    verb = _W.verbs[match["verb"].lower()].split()[0]
    return Fact(f"{verb} {what}", f"has {what.split()[-1]}", Topic.POSSESSIONS)


def _thing_is(match: re.Match[str]) -> Fact | None:
    what, thing = _object(match["what"], 5), _noun(match["thing"])
    return None if what is None else Fact(
        f"{thing} ist {what}", thing.lower(), Topic.POSSESSIONS)  # fmt: skip


def _home(match: re.Match[str]) -> Fact | None:
    what = _object(match["what"])
    if what is None:
        return None
    is_kind = re.match(r"(?:in|auf|bei) (?:eine[rmn]?|der|dem|meine\w*)\b", what, re.IGNORECASE)
    attribute = "dwelling" if is_kind and not what.split()[-1].istitle() else "home"
    return Fact(f"wohnt {what}", attribute, Topic.HOME, importance=Importance.HIGH)


_RULES = (
    Rule(rf"ich heiße {_NAME}{_REST}", _name),
    Rule(rf"mein (?:richtiger |echter )?name ist {_NAME}{_REST}", _name),
    Rule(rf"ich bin (?:der|die) {_NAME}(?:,.*)?", _name),
    Rule(rf"(?:nennt? mich|alle nennen mich) {_NAME}", _nickname),
    Rule(r"ich bin (?P<age>\d{1,3})(?: jahre?(?: alt)?)?(?:,.*| und .*)?", _age),
    Rule(r"ich bin (?:gestern|heute|letzte woche) (?P<age>\d{1,3}) geworden", _age),
    Rule(rf"(?:ich )?habe (?:ich )?(?:am )?{_DATE} geburtstag{_REST}", _birthday),
    Rule(rf"ich habe am {_DATE} geburtstag{_REST}", _birthday),
    Rule(rf"mein geburtstag ist (?:am |der )?{_DATE}{_REST}", _birthday),
    Rule(r"(?:jetzt )?(?:ich|wir) (?:wohnen?|leben?) (?:seit \w+(?: \w+)?(?: jahren?)? )?(?:aber "
       r")?(?P<what>(?:in|bei|auf|am|an|nahe|im) .+)", _home),
    Rule(r"(?:ich bin|wir sind) (?:\w+ ){0,3}?nach (?P<what>[\w .-]+?) (?:um)?gezogen",
       _plain("wohnt in", "home", Topic.HOME, Importance.HIGH, limit=3)),
    Rule(r"ich komme (?P<what>(?:aus|von) .+)", _plain("kommt", "origin", Topic.ORIGIN, limit=5)),
    Rule(r"ich bin (?P<what>(?:in|auf|bei) [\w .-]+) (?:aufgewachsen|groß geworden)",
       _plain("ist", "grew up", Topic.ORIGIN, limit=6, after=" aufgewachsen")),
    Rule(r"ich bin (?P<what>in [\w .-]+) geboren",
       _plain("ist", "birthplace", Topic.ORIGIN, limit=4, after=" geboren")),
    Rule(r"ich arbeite (?P<what>(?:als|bei|beim|für|in einer?|in einem|im|an der|an einer) .+)",
       _plain("arbeitet", "job {}", Topic.WORK)),
    Rule(r"ich habe (?:seit \w+ )?(?:einen )?neuen job (?P<what>(?:als|bei) "
       r".+)", _plain("arbeitet", "job {}", Topic.WORK)),
    Rule(r"ich studiere (?P<what>.+)", _studies),
    Rule(r"ich bin (?:eine? )?(?P<what>vegetarier(?:in)?|veganer(?:in)?|vegan|"
       r"vegetarisch)" + _REST, _plain("ist", "diet", Topic.DIET)),
    Rule(r"ich (?:ernähre|esse) (?:mich )?(?P<what>vegan|"
       r"vegetarisch)" + _REST, _plain("isst", "diet", Topic.DIET)),
    Rule(r"ich bin (?P<what>verheiratet|verlobt|geschieden|linkshänder(?:in)?|"
       r"rechtshänder(?:in)?)" + _REST, _plain("ist", "is {}", Topic.FAMILY)),
    Rule(r"ich bin allergisch (?:gegen|auf) (?P<what>.+)",
       _plain("ist allergisch gegen", "allergy {}", Topic.DIET, Importance.HIGH)),
    Rule(r"ich bin gegen (?P<what>.+) allergisch",
       _plain("ist allergisch gegen", "allergy {}", Topic.DIET, Importance.HIGH)),
    Rule(r"ich habe eine (?P<what>\w+allergie)" + _REST,
       _plain("hat eine", "allergy {}", Topic.DIET, Importance.HIGH)),
    Rule(r"ich bin (?:eine? )?(?P<what>.+)", _job),
    Rule(r"ich (?P<verb>trinke|esse) (?:seit \w+(?: \w+)? )?(?P<no>keine?n?) (?P<what>[\w "
       r"-]+?)(?P<more> mehr)?(?:,.*)?", _diet),
    Rule(r"ich (?P<verb>mag|liebe|hasse) (?P<no>keine?n? )?(?P<what>(?!.*\bnicht\b).+)", _feels),
    Rule(r"ich mag (?P<what>.+?) (?:überhaupt |gar )?nicht", _likes_not),
    Rule(r"meine? lieblings-?(?P<what>\w+) (?:ist|sind) (?P<value>.+)", _favourite),
    Rule(r"ich spiele (?:seit \w+(?: jahren?)? )?(?P<what>.+)", _plays),
    Rule(r"ich spreche (?P<what>.+)", _speaks),
    Rule(r"meine muttersprache ist (?P<what>\w+)" + _REST,
       _plain("Muttersprache ist", "native language", Topic.LANGUAGES)),
    Rule(r"ich lerne (?:seit \w+(?: \w+)? )?(?P<what>.+)", _learns),
    Rule(r"ich kann (?P<what>\w+) spielen", _plays),
    Rule(r"ich habe (?:mir )?(?P<what>eine?n? .+) gekauft",
         _plain("hat", "bought {}", Topic.POSSESSIONS, limit=5, after=" gekauft")),
    Rule(r"ich kann (?P<no>nicht )?(?P<what>[\w -]+)(?:,.*)?", _can),
    Rule(r"ich sammle (?P<what>.+)", _plain("sammelt", "collects {}", Topic.HOBBIES)),
    Rule(rf"(?:ich habe|wir haben) {_COUNT} (?:[\w-]+ ){{0,2}}?(?P<noun>{_PET}|{_KIN}),? (?:namens|"
       rf"der heißt|die heißt|das heißt) {_NAME}{_REST}", _one_named),
    Rule(rf"(?:mein|unser)e? (?:[\w-]+ )?(?P<noun>{_PET}|{_KIN}) heißt {_NAME}{_REST}", _is_called),
    Rule(rf"(?:mein|unser)e? (?P<noun>{_PET}|{_KIN})s name ist {_NAME}{_REST}", _is_called),
    Rule(rf"(?:ich habe|wir haben) {_COUNT} (?P<adj>(?:ältere |jüngere |große |kleine |alte |junge "
       rf")*)(?P<noun>{_KINS}|{_PET}),? {_LISTED}{_REST}", _counted),
    Rule(rf"(?:ich habe|wir haben) {_COUNT} (?P<adj>(?:[\w-]+e[nrs]? ){{0,2}}?)(?P<noun>{_KINS}|"
       rf"{_KIN}|{_PET})(?:,.*| und .*)?", _counted),
    Rule(r"ich fahre (?P<what>eine?n? .+)",
         _plain("fährt", "drives {}", Topic.POSSESSIONS, limit=5)),
    Rule(r"ich (?P<verb>habe|besitze) (?P<what>eine?n? .+)", _owns),
    Rule(rf"meine? (?P<thing>{alternatives(_W.possessions)}) ist (?P<what>eine? .+)", _thing_is),
)  # fmt: skip
