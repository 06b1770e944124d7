"""Rules that turn a plain German clause about its author into a German note. Pure.

See :mod:`utils.memory.extraction.english_facts`.
"""

import re
from collections.abc import Iterator

from utils.memory.extraction.clauses import has_phrase, is_given_name
from utils.memory.extraction.facts import (
    MONTHS,
    Fact,
    Rule,
    Topic,
    alternatives,
    apply_rules,
    is_one_of,
    lists_only,
    written_name,
)
from utils.memory.extraction.german_objects import (
    COUNT,
    DATE,
    KIN,
    KINS,
    LISTED,
    MIN_SUFFIX,
    NAME,
    PET,
    RELATIVE,
    REST,
    WORDS,
    has_named,
    is_name,
    names_language,
    noun_of,
    object_of,
    plain,
    topic_of,
)
from utils.models.memory import Importance, Kind

_WITH_SOMEBODY = re.compile(r",? (?:zusammen )?mit (?:mein|unser)\w* .+", re.IGNORECASE)


def german_facts(clause: str) -> Iterator[Fact]:
    """Yield the facts of one clause: "Ich wohne in Rom" -> "wohnt in Rom"."""
    folded = " " + " ".join(re.findall(r"[\w'/]+", clause.lower())) + " "
    if has_phrase(folded, WORDS.unsure):
        return
    introduction = _INTRODUCTION.match(clause)
    if introduction is not None and _is_introduction(introduction):
        yield from _introduced(introduction)
    else:
        yield from apply_rules(_RULES, clause)


def _is_introduction(match: re.Match[str]) -> bool:
    """Whether it tells a name: "ich bin" alone needs a common first name or an occupation."""
    if not is_name(match["name"]):
        return False
    name, job = match["name"], match["job"]
    is_told = name[:1].isupper() and job is not None and _is_occupation(job.split()[0])
    return not match["bare"] or is_given_name(name) or is_told


def _introduced(match: re.Match[str]) -> Iterator[Fact]:
    """Yield the facts of "ich bin der Jonas, 22, aus Kassel"."""
    name = written_name(match["name"])
    yield Fact(f"heißt {name}", "name", Topic.NAME, importance=Importance.HIGH)
    if match["age"] and int(match["age"]) >= MIN_AGE:
        yield Fact(f"ist {match['age']} Jahre alt", "age", Topic.AGE)
    if match["job"] and _is_occupation(match["job"].split()[0]):
        yield Fact(f"ist {match['job']}", f"job {match['job']}", Topic.WORK)
    place = object_of(match["place"], 3) if match["place"] else None
    if place is not None:
        yield Fact(f"kommt {place}", "origin", Topic.ORIGIN)


_INTRODUCTION = re.compile(
    r"ich (?:(?:bin|heiße) (?:der |die )?(?=\S+?(?:,| und)(?: ich bin| bin)? \d\d)|heiße "
    rf"|bin (?:der|die) (?=(?-i:[A-ZÄÖÜ]))|(?P<bare>bin ))"
    rf"{NAME}"
    r"(?:(?:,| und)?(?: ich bin| bin)? (?P<age>\d\d)(?: jahre(?: alt| jung)?)?)?"
    r"(?:, (?:eine? )?(?P<job>[^\W\d_]+(?: (?:in|bei|im|am) [^,]+?)?)(?=,| aus|\Z))?"
    r"(?:(?:,| und)?(?: komme| ich komme)? (?P<place>(?:aus|von) .+))?\Z",
    re.IGNORECASE,
)
MIN_AGE = 10


def follow_up(previous: str, clause: str) -> Fact | None:
    """Return the fact of a clause that names the pet or relative of the clause before it."""
    owned = re.match(
        rf"(?:ich|wir) haben? (?P<count>eine?[n]?) (?:[\w-]+ ){{0,2}}?(?P<noun>{PET}|{KIN})\b",
        previous,
        re.IGNORECASE,
    )
    named = re.match(rf"(?:der|die|das|er|sie|es) heißt {NAME}\Z", clause, re.IGNORECASE)
    if owned is None or named is None or not is_name(named["name"]):
        return None
    return has_named(owned["count"], owned["noun"], named["name"])


def _name(match: re.Match[str]) -> Fact | None:
    if not is_name(match["name"]):
        return None
    name, second = written_name(match["name"]), match["second"]
    if second and is_given_name(second):
        name = f"{name} {second}"
    return Fact(f"heißt {name}", "name", Topic.NAME, importance=Importance.HIGH)


def _nickname(match: re.Match[str]) -> Fact | None:
    if not is_name(match["name"]):
        return None
    text = f"wird {written_name(match['name'])} genannt"
    return Fact(text, "nickname", Topic.NAME, importance=Importance.HIGH)


def _age(match: re.Match[str]) -> Fact | None:
    age = int(match["age"])
    return Fact(f"ist {age} Jahre alt", "age", Topic.AGE) if 10 <= age < 110 else None


def _birthday(match: re.Match[str]) -> Fact | None:
    number = int(match["number"] or 0)
    month = match["month"] or (MONTHS["de"][number - 1] if 1 <= number <= 12 else "")
    if not month or not 1 <= int(match["day"]) <= 31:
        return None
    day = f"{int(match['day'])}. {month.title()}"
    day += f" {match['year']}" if match["year"] else ""
    # "ist am 5. Mai 2027" tells the next birthday.
    is_birth = match["year"] and re.search(r"geboren|ist der ", match[0], re.IGNORECASE)
    text = f"ist am {day} geboren" if is_birth else f"hat am {day} Geburtstag"
    return Fact(text, "birthday", Topic.BIRTHDAY)


def _is_occupation(noun: str) -> bool:
    """Whether a noun is an occupation or ends with one: "Grundschullehrerin"."""
    return is_one_of(noun, WORDS.occupations) or any(
        noun.lower().endswith(job) for job in WORDS.occupations if len(job) >= MIN_SUFFIX
    )


def _job(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"])
    core = (
        re.split(r" (?:bei|in|im|an|am|auf|für|aus|zum|zur) ", phrase)[0].split() if phrase else []
    )
    if not core or len(core) > 2 or not _is_occupation(core[-1]):
        return None
    return Fact(f"ist {phrase}", f"job {phrase}", Topic.WORK)


def _feels(match: re.Match[str]) -> Fact | None:
    verb, phrase = match["verb"].lower(), object_of(match["what"], always=True)
    negation = match["no"].lower().strip() if match["no"] else ""
    if phrase is None or phrase.split()[0].lower() in ("zu", "wie"):
        return None
    is_dislike = verb == "hasse" or bool(negation)
    third = WORDS.verbs[verb].split()[0]
    return Fact(f"{third} {negation + ' ' if negation else ''}{phrase}", f"feels about {phrase}",
                Topic.DISLIKES if is_dislike else Topic.LIKES, Kind.PREFERENCE)  # fmt: skip


def _favourite(match: re.Match[str]) -> Fact | None:
    phrase, value = match["what"], object_of(match["value"])
    return None if value is None else Fact(
        f"Lieblings{phrase.lower()} ist {value}", f"favourite_{phrase.lower()}", Topic.FAVOURITES,
        Kind.PREFERENCE)  # fmt: skip


def _diet(match: re.Match[str]) -> Fact | None:
    phrase = match["what"].strip(" .,")
    parts = re.split(r" und | oder |, ", phrase)
    if not all(is_one_of(part, WORDS.eaten) for part in parts):
        return None
    verb = WORDS.verbs[match["verb"].lower()].split()[0]
    return Fact(f"{verb} {match['no'].lower()} {phrase}{' mehr' if match['more'] else ''}",
                f"eats {phrase}", Topic.DIET, Kind.PREFERENCE)  # fmt: skip


def _learns(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"])
    core = re.split(r" (?:mit|in|an|bei|im) ", phrase)[0] if phrase else ""
    is_language = bool(core) and is_one_of(core, WORDS.languages)
    if not is_language and not is_one_of(core, WORDS.instruments | WORDS.learnable | WORDS.skills):
        return None
    return Fact(
        f"lernt {phrase}", f"learns {core}", Topic.LANGUAGES if is_language else Topic.SKILLS
    )


def _can(match: re.Match[str]) -> Fact | None:
    phrase = match["what"].strip(" .,")
    if not is_one_of(phrase.split()[-1], WORDS.skills) or RELATIVE.search(phrase):
        return None
    no = "nicht " if match["no"] else ""
    return Fact(f"kann {no}{phrase}", f"can {phrase}", Topic.SKILLS)


def _one_named(match: re.Match[str]) -> Fact | None:
    if not is_name(match["name"]):
        return None
    return has_named(match["count"], match["noun"], match["name"])


def _is_called(match: re.Match[str]) -> Fact | None:
    noun, name = noun_of(match["noun"]), match["name"]
    if not is_name(name):
        return None
    return Fact(f"{noun} heißt {written_name(name)}", f"{noun.lower()} {name}", topic_of(noun))


def _counted(match: re.Match[str]) -> Fact | None:
    adjective = f"{match['adj']}" if match["adj"] else ""
    if RELATIVE.search(adjective):
        return None
    names = match["names"] if "names" in match.re.groupindex else None
    text = f"hat {match['count'].lower()} {adjective}{noun_of(match['noun'])}"
    if names:
        listed = re.sub(r"\b(?!und\b)[^ ,]+", lambda name: written_name(name[0]), names)
        text += f": {listed}"
    return Fact(text, f"has {match['noun'].lower()}", topic_of(match["noun"]))


def _kin_does(match: re.Match[str]) -> Fact | None:
    """Read "mein Bruder spielt Bass": the author's own story."""
    phrase = object_of(match["what"], 6)
    if phrase is None or re.match(
        r"(?:den|die|das|eine?n?|mit|im|vor|mir|stress) ?", phrase, re.IGNORECASE
    ):
        return None
    kin, verb = noun_of(match["kin"]), match["verb"].lower()
    return Fact(f"{kin} {verb} {phrase}", f"{kin.lower()} {verb}", topic_of(match["kin"]))


def _kin_age(match: re.Match[str]) -> Fact:
    kin = noun_of(match["kin"])
    called = f" {written_name(match['name'])}" if match["name"] else ""
    text = f"{kin}{called} {match['verb'].lower()} {match['age']} Jahre alt"
    return Fact(text, f"{kin.lower()} age", topic_of(match["kin"]))


def _stands_on(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"], 5, always=True)
    if phrase is None or re.match(r"(?:dem|der|einem|einer) ", phrase, re.IGNORECASE):
        return None
    text = re.sub(r"\Astehe", "steht", re.sub(r"\Abin", "ist", match["text"].lower()))
    return Fact(f"{text} {phrase}", f"feels about {phrase}", Topic.LIKES, Kind.PREFERENCE)


def _owns(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"], 6)
    if phrase is None or not is_one_of(phrase.split()[-1], WORDS.possessions):
        return None
    verb = WORDS.verbs[match["verb"].lower()].split()[0]
    return Fact(f"{verb} {phrase}", f"has {phrase.split()[-1]}", Topic.POSSESSIONS)


def _thing_is(match: re.Match[str]) -> Fact | None:
    phrase, thing = object_of(match["what"], 5), noun_of(match["thing"])
    return None if phrase is None else Fact(
        f"{thing} ist {phrase}", thing.lower(), Topic.POSSESSIONS)  # fmt: skip


def _home(match: re.Match[str]) -> Fact | None:
    phrase = object_of(_WITH_SOMEBODY.sub("", match["what"]))
    if phrase is None or re.search(r"\b(?:wolken|vergangenheit|traum\w*)\b", phrase, re.IGNORECASE):
        return None
    is_kind = re.match(r"(?:in|auf|bei) (?:eine[rmn]?|der|dem|meine\w*)\b", phrase, re.IGNORECASE)
    attribute = "dwelling" if is_kind and not phrase.split()[-1].istitle() else "home"
    return Fact(f"wohnt {phrase}", attribute, Topic.HOME, importance=Importance.HIGH)


_plays = plain(
    "spielt",
    "plays {}",
    Topic.SKILLS,
    is_known=lists_only(WORDS.instruments | WORDS.sports, " und |, ", " (?:in|im|bei|mit|am) "),
)
_SECOND = r"(?: (?P<second>(?-i:[A-ZÄÖÜ])[^\W\d_]+))?"
_RULES = (
    Rule(rf"ich heiße {NAME}{_SECOND}{REST}", _name),
    Rule(rf"mein (?:richtiger |echter )?name ist {NAME}{_SECOND}{REST}", _name),
    Rule(rf"ich bin'?s?,? (?:der|die) (?=(?-i:[A-ZÄÖÜ])){NAME}{_SECOND}(?:,.*| und .*)?", _name),
    Rule(rf"(?:nennt? mich|alle nennen mich) {NAME}", _nickname),
    Rule(r"ich bin (?:seit (?:gestern|heute) )?(?P<age>\d{1,3})(?: jahre?(?: alt)?)?"
         r"(?:,.*| und .*)?", _age),
    Rule(r"ich bin (?:gestern|heute|letzte woche) (?P<age>\d{1,3}) geworden", _age),
    Rule(rf"(?:ich )?habe (?:ich )?(?:am )?{DATE} geburtstag{REST}", _birthday),
    Rule(rf"ich habe am {DATE} geburtstag{REST}", _birthday),
    Rule(rf"mein geburtstag ist (?:am |der )?{DATE}{REST}", _birthday),
    Rule(rf"ich (?:bin|wurde) am {DATE} geboren{REST}", _birthday),
    Rule(r"(?:jetzt )?(?:ich|wir) (?:wohnen?|leben?) (?:seit \w+(?: \w+)?(?: jahren?)? )?"
         r"(?:mit [\w ]{2,40}? )?(?:aber )?(?P<what>(?:in|bei|auf|am|an|nahe|im) .+)", _home),
    Rule(r"(?:ich bin|wir sind) (?:\w+ ){0,3}?nach (?P<what>[\w .-]+?) (?:um)?gezogen",
       plain("wohnt in", "home", Topic.HOME, Importance.HIGH, limit=3)),
    Rule(r"ich komme (?P<what>(?:aus|von) .+)", plain("kommt", "origin", Topic.ORIGIN, limit=5)),
    Rule(r"ich bin (?P<what>(?:in|auf|bei) [\w .-]+) (?:aufgewachsen|groß geworden)",
       plain("ist", "grew up", Topic.ORIGIN, limit=6, after=" aufgewachsen")),
    Rule(r"ich bin (?P<what>in [\w .-]+) geboren",
       plain("ist", "birthplace", Topic.ORIGIN, limit=4, after=" geboren")),
    Rule(r"ich arbeite (?P<what>(?:als|bei|beim|für|in einer?|in einem|im|an der|an einer) .+)",
       plain("arbeitet", "job {}", Topic.WORK)),
    Rule(r"ich habe (?:seit \w+ )?(?:einen )?neuen job (?P<what>(?:als|bei) "
       r".+)", plain("arbeitet", "job {}", Topic.WORK)),
    Rule(r"ich arbeite (?P<what>(?:nachts|tagsüber|abends|nur nachts) als .+)",
         plain("arbeitet", "job {}", Topic.WORK)),
    Rule(r"ich studiere (?:im \w+ semester |seit \w+(?: \w+)? )?(?P<what>.+)",
         plain("studiert", "studies {}", Topic.STUDIES,
               is_known=lists_only(WORDS.studies, " und |, ", " (?:in|an|bei|im) "))),
    Rule(rf"(?:mein|unser)e? (?P<kin>{KIN}|{PET})(?: (?P<name>[^\W\d_][\w-]+))? (?P<verb>ist|wird) "
         r"(?P<age>\d{1,3})(?: jahre?(?: alt)?)?(?:,.*| und .*)?", _kin_age),
    Rule(rf"(?:mein|unser)e? (?:kleiner? |großer? |älterer? |jüngerer? )?(?P<kin>{KIN}|{PET}) "
         r"(?P<verb>arbeitet|wohnt|lebt|studiert|liebt|hasst|mag|spielt|spricht|lernt|sammelt|"
         r"kommt|isst|trinkt|fährt|macht|kocht|backt|singt|malt|tanzt|reitet|verkauft|schreibt) "
         r"(?P<what>.+)", _kin_does),
    Rule(r"ich bin (?:eine? )?(?P<what>vegetarier(?:in)?|veganer(?:in)?|vegan|"
       r"vegetarisch)" + REST, plain("ist", "diet", Topic.DIET)),
    Rule(r"ich (?:ernähre|esse) (?:mich )?(?P<what>vegan|"
       r"vegetarisch)" + REST, plain("isst", "diet", Topic.DIET)),
    Rule(r"ich bin (?P<what>verheiratet|verlobt|geschieden|linkshänder(?:in)?|"
       r"rechtshänder(?:in)?)" + REST, plain("ist", "is {}", Topic.FAMILY)),
    Rule(r"ich bin allergisch (?:gegen|auf) (?P<what>.+)",
       plain("ist allergisch gegen", "allergy {}", Topic.DIET, Importance.HIGH)),
    Rule(r"ich bin gegen (?P<what>.+) allergisch",
       plain("ist allergisch gegen", "allergy {}", Topic.DIET, Importance.HIGH)),
    Rule(r"ich habe eine (?P<what>\w+allergie)" + REST,
       plain("hat eine", "allergy {}", Topic.DIET, Importance.HIGH)),
    Rule(r"ich bin (?:eine? )?(?P<what>.+)", _job),
    Rule(r"ich (?P<verb>trinke|esse) (?:seit \w+(?: \w+)? )?(?P<no>keine?n?) (?P<what>[\w "
       r"-]+?)(?P<more> mehr)?(?:,.*)?", _diet),
    Rule(r"ich (?P<verb>mag|liebe|hasse) (?P<no>keine?n? )?(?P<what>(?!.*\bnicht\b).+)", _feels),
    Rule(r"ich mag (?P<what>.+?) (?:überhaupt |gar )?nicht",
         plain("mag", "feels about {}", Topic.DISLIKES, kind=Kind.PREFERENCE, always=True,
               after=" nicht")),
    Rule(r"ich kann (?P<what>.+?) (?:überhaupt |gar )?nicht (?P<verb>ausstehen|leiden)",
         plain("kann", "feels about {}", Topic.DISLIKES, kind=Kind.PREFERENCE, always=True,
               after=" nicht {verb}")),
    Rule(r"ich (?P<text>stehe auf|bin (?:großer |riesen ?|riesiger |ein großer )?fan von) "
         r"(?P<what>.+)", _stands_on),
    Rule(r"ich zocke (?P<what>.+)", plain("zockt", "plays {}", Topic.SKILLS, limit=4)),
    Rule(r"ich spiele (?P<what>.+ (?:auf der|am|auf dem) (?:pc|switch|ps\d|playstation|xbox))",
         plain("spielt", "plays {}", Topic.SKILLS, limit=6)),
    Rule(r"meine? lieblings-?(?P<what>\w+) (?:ist|sind) (?P<value>.+)", _favourite),
    Rule(r"ich spiele (?:seit \w+(?: jahren?)? )?(?P<what>.+)", _plays),
    Rule(r"ich spreche (?P<what>.+)",
         plain("spricht", "speaks {}", Topic.LANGUAGES, is_known=names_language)),
    Rule(r"meine muttersprache ist (?P<what>\w+)" + REST,
       plain("Muttersprache ist", "native language", Topic.LANGUAGES)),
    Rule(r"ich lerne (?:seit \w+(?: \w+)? )?(?P<what>.+)", _learns),
    Rule(r"ich kann (?P<what>\w+) spielen", _plays),
    Rule(r"ich habe (?:mir )?(?P<what>eine?n? .+) gekauft",
         plain("hat", "bought {}", Topic.POSSESSIONS, limit=5, after=" gekauft")),
    Rule(r"ich kann (?P<no>nicht )?(?P<what>[\w -]+)(?:,.*)?", _can),
    Rule(r"ich sammle (?P<what>.+)", plain("sammelt", "collects {}", Topic.HOBBIES)),
    Rule(rf"(?:ich habe|wir haben) {COUNT} (?:[\w-]+ ){{0,2}}?(?P<noun>{PET}|{KIN}),? (?:namens|"
       rf"der heißt|die heißt|das heißt) {NAME}{REST}", _one_named),
    Rule(rf"(?:mein|unser)e? (?:[\w-]+ )?(?P<noun>{PET}|{KIN}) heißt {NAME}{REST}", _is_called),
    Rule(rf"(?:mein|unser)e? (?P<noun>{PET}|{KIN})s name ist {NAME}{REST}", _is_called),
    Rule(rf"(?:ich habe|wir haben) {COUNT} (?P<adj>(?:ältere |jüngere |große |kleine |alte |junge "
       rf")*)(?P<noun>{KINS}|{PET}),? {LISTED}{REST}", _counted),
    Rule(rf"(?:ich habe|wir haben) {COUNT} (?P<adj>(?:[\w-]+e[nrs]? ){{0,2}}?)(?P<noun>{KINS}|"
       rf"{KIN}|{PET})(?:,.*| und .*)?", _counted),
    Rule(r"ich fahre (?P<what>eine?n? .+)",
         plain("fährt", "drives {}", Topic.POSSESSIONS, limit=5)),
    Rule(r"ich (?P<verb>habe|besitze) (?P<what>eine?n? .+)", _owns),
    Rule(rf"meine? (?P<thing>{alternatives(WORDS.possessions)}) ist (?P<what>eine? .+)", _thing_is),
)  # fmt: skip
