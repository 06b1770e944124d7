"""Rules that turn a plain English clause about its author into a note. Pure.

A rule matches the whole clause or nothing, so a word it does not know leaves only the quote. Past
places, wishes, and objects that say nothing ("I love it") make no note.
"""

import re
from collections.abc import Iterator

from utils.memory.extraction.clauses import has_phrase
from utils.memory.extraction.english_objects import (
    MAX_OBJECT_WORDS,
    NO_COMMA_LIMIT,
    RELATIVE,
    REST,
    WORDS,
    Cut,
    fixed,
    home_in,
    is_place,
    object_of,
    plain,
)
from utils.memory.extraction.english_people import NAMED, PEOPLE_RULES, introduction
from utils.memory.extraction.english_work import WORK_RULES
from utils.memory.extraction.facts import (
    MONTHS,
    Fact,
    Rule,
    Topic,
    alternatives,
    apply_rules,
    is_one_of,
    lists_only,
)
from utils.models.memory import Importance, Kind

MAX_BOUGHT_WORDS = 3
_WITH_SOMEBODY = re.compile(r",? (?:together )?with (?:my|our) .+", re.IGNORECASE)
_ALSO_OWNED = re.compile(
    rf",? and (?=(?:an?|two|three) (?:[\w -]{{2,30}}? {NAMED} "
    rf"|(?:[\w-]+ ){{0,3}}{alternatives(WORDS.pets)}\Z))",
    re.IGNORECASE,
)


def english_facts(clause: str) -> Iterator[Fact]:
    """Yield the facts of one clause with usual spellings: "I live in Rome" -> "lives in Rome"."""
    clause = re.sub(r"\bi\b", "I", clause)
    folded = " " + " ".join(re.findall(r"[\w'/]+", clause.casefold())) + " "
    if has_phrase(folded, WORDS.unsure) or folded.endswith(" not "):
        return
    facts, clauses = introduction(clause)
    yield from facts
    for part in clauses:
        yield from apply_rules(RULES, part)
    if facts or clauses:
        return
    first, *others = _ALSO_OWNED.split(clause)
    yield from apply_rules(RULES, first)
    for other in others:
        yield from apply_rules(RULES, f"I have {other}")


def _feels(match: re.Match[str]) -> Fact | None:
    verb = " ".join(match["verb"].casefold().split())
    object_ = object_of(match["what"])
    first = object_.split()[0].casefold() if object_ else ""
    if object_ is None or first in ("the", "think", "feel", "say", "know", "believe") or (
        first == "their" and object_.split()[-1] in ("job", "life", "boss", "work")
    ):  # fmt: skip
        return None
    topic = Topic.DISLIKES if verb in _DISLIKE else Topic.LIKES
    return Fact(f"{_FEELS[verb]} {object_}", f"feels about {object_}", topic, Kind.PREFERENCE)


def _favourite(match: re.Match[str]) -> Fact | None:
    subject, value = match["what"].casefold(), object_of(match["value"])
    if value is None or RELATIVE.search(subject):
        return None
    return Fact(f"favourite {subject} {match['verb'].casefold()} {value}", f"favourite_{subject}",
                Topic.FAVOURITES, Kind.PREFERENCE)  # fmt: skip


def _moved_into(match: re.Match[str]) -> Fact | None:
    phrase = object_of(_WITH_SOMEBODY.sub("", match["what"]), 3, Cut.TIMES)
    return home_in(phrase) if phrase else None


def _has_role(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"], 5)
    head = re.split(r" (?:of|to|with) ", phrase)[0] if phrase else ""
    is_role = is_one_of(head, WORDS.roles)
    return (
        Fact(f"is {match['article']} {phrase}", f"is a {head}", Topic.FAMILY) if is_role else None
    )


def _favourite_last(match: re.Match[str]) -> Fact | None:
    """Read "pizza is my favourite food"."""
    value = object_of(match["value"], 4)
    if value is None or match["value"].split()[0].casefold() in WORDS.vague:
        return None
    phrase = match["what"].casefold()
    return Fact(
        f"favourite {phrase} {match['verb'].casefold()} {value}",
        f"favourite_{phrase}",
        Topic.FAVOURITES,
        Kind.PREFERENCE,
    )


def _moved(match: re.Match[str]) -> Fact | None:
    """Read a move to a known place; "moved to Linux" is no home."""
    phrase = object_of(_WITH_SOMEBODY.sub("", match["what"]), 3, Cut.TIMES)
    return home_in(phrase) if phrase and is_place(phrase) else None


def _lives(match: re.Match[str]) -> Fact | None:
    place = _WITH_SOMEBODY.sub("", match["what"])
    phrase = object_of(place, cut=Cut.CLAUSES)
    if phrase is None or re.search(
        r"\b(?:world|house of|past|era|shadow|society|reality|fear|theory|exile|clouds|bed|hoodies|"
        r"sweatpants|pyjamas|pajamas)\b",
        phrase,
    ):
        return None
    preposition = (match.groupdict().get("where") or "in").casefold()
    if place != match["what"] and phrase.islower() and is_place(phrase):
        phrase = phrase.title()
    attribute = "dwelling" if re.match(r"(?:an?|my|their|the)\b", phrase, re.IGNORECASE) else "home"
    return Fact(f"lives {preposition} {phrase}", attribute, Topic.HOME, importance=Importance.HIGH)


def _origin(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"], 6, Cut.CLAUSES)
    bad = {"work", "school", "home", "space", "mars", "hell", "earth", "a", "an", "mobile", "phone"}
    is_other = (
        phrase is not None
        and re.match(r"the ", phrase, re.IGNORECASE)
        and not is_place(
            re.sub(r"^the (?:north |south |east |west )?(?:of )?", "", phrase, flags=re.IGNORECASE)
        )
    )
    is_kind = phrase is not None and re.match(
        r"an? (?:\w+ )?(?:town|village|city|farm|island|suburb) ", phrase, re.IGNORECASE
    )
    if phrase is None or is_other or (phrase.split()[0].casefold() in bad and not is_kind):
        return None
    if " to " in phrase:  # a way: "from Rome to Oslo"
        return None
    return Fact(f"is from {phrase}", "origin", Topic.ORIGIN)


def _learns(match: re.Match[str]) -> Fact | None:
    phrase = object_of(match["what"])
    if phrase is None:
        return None
    topic = Topic.LANGUAGES if is_one_of(phrase, WORDS.languages) else Topic.SKILLS
    core = re.sub(r"^(?:to |how to |the )+| (?:on|with|in|at) .+", "", phrase)
    is_known = any(is_one_of(core, group) for group in (
        WORDS.languages, WORDS.learnable, WORDS.instruments, WORDS.skills))  # fmt: skip
    return Fact(f"is learning {phrase}", f"learns {phrase}", topic) if is_known else None


def _is_short(phrase: str) -> bool:
    return len(phrase.split()) <= MAX_OBJECT_WORDS


def _names_languages(phrase: str) -> bool:
    words = phrase.split()
    return _is_short(phrase) and any(is_one_of(word.strip(","), WORDS.languages) for word in words)


def _is_skill(phrase: str) -> bool:
    return is_one_of(phrase.split()[0], WORDS.skills)


def _is_habit(phrase: str) -> bool:
    """Whether one can give it up: "smoking", "drinking coffee"."""
    doing, _, what = phrase.partition(" ")
    is_eaten = doing in ("drinking", "eating") and is_one_of(what, WORDS.eaten)
    return is_eaten or is_one_of(phrase, WORDS.habits)


def _is_playable(phrase: str) -> bool:
    """Whether it names instruments or sports: "the guitar and bass in a band"."""
    core = re.sub(r"\bthe ", "", re.split(r" (?:in|at|for|on|with) ", phrase)[0])
    playable = WORDS.instruments | WORDS.sports
    return all(
        is_one_of(part.split(" ", 1)[-1], playable) or is_one_of(part, playable)
        for part in re.split(r", | and ", core)
    )


def _owns(match: re.Match[str]) -> Fact | None:
    verb = match["verb"].casefold()
    cut = Cut.TIMES if verb in ("got", "bought") else Cut.CLAUSES
    phrase = object_of(match["what"], 6, cut)
    if phrase is None:
        return None
    model = re.match(r"[^,]+, (?P<name>[\w-]+(?: [\w-]+){0,2})(?:,|\Z)", match["what"])
    named = f", {model['name']}" if model and re.search(r"\d", model["name"]) else ""
    noun = re.sub(
        r"^(?:an?|the|their) ", "", re.split(r" (?:in|on|from|near|at|with|of) ", phrase)[0]
    )
    tails = [" ".join(noun.split()[-count:]) for count in (1, 2)]
    heads = [noun.split()[0], re.sub(r" \S*\d\S*\Z", "", noun)]
    is_thing = verb == "bought" and len(noun.split()) <= MAX_BOUGHT_WORDS
    if not is_thing and not any(is_one_of(part, WORDS.possessions) for part in (*tails, *heads)):
        return None
    written = {"have": "has", "have got": "has", "got": "got", "bought": "bought", "own": "owns"}
    return Fact(f"{written[verb]} {phrase}{named}", f"has {noun}", Topic.POSSESSIONS)


_FEELS = {
    "love": "loves", "adore": "loves", "like": "likes", "enjoy": "enjoys", "hate": "hates",
    "dislike": "dislikes", "detest": "hates", "can not stand": "can't stand", "prefer": "prefers",
    "despise": "hates", "do not like": "doesn't like",
    "never liked": "never liked", "have never liked": "never liked",
    "do not enjoy": "doesn't enjoy",
    "am crazy about": "is crazy about", "am keen on": "is keen on",
    "am fond of": "is fond of", "am passionate about": "is passionate about",
    "am hooked on": "is hooked on",
    "am into": "is into", "loathe": "hates", "am a fan of": "is a fan of",
    "am a big fan of": "is a fan of", "am a huge fan of": "is a fan of",
    "am obsessed with": "is obsessed with", "am addicted to": "is addicted to",
    "am afraid of": "is afraid of", "am scared of": "is scared of",
    "am terrified of": "is terrified of", "am not a fan of": "is not a fan of",
}  # fmt: skip
_DISLIKE = frozenset((
    "hate", "dislike", "detest", "can not stand", "despise", "loathe", "do not like",
    "do not enjoy", "never liked", "have never liked",
    "am afraid of", "am scared of", "am terrified of", "am not a fan of",
))  # fmt: skip
RULES = (
    *PEOPLE_RULES,
    *WORK_RULES,
    Rule(r"(?:now )?(?:I|we) (?:now )?(?:live|reside|am living|have been living|are living|have "
         r"lived) (?P<where>in|near|on|at|with|just outside) (?P<what>.+)", _lives),
    Rule(r"I am (?:now )?based (?:out of|in) (?P<what>.+)", _lives),
    Rule(r"I am living (?P<where>in|near) (?P<what>.+)", _lives),
    Rule(r"(?:I|we) (?:have )?(?:moved|relocated) (?:over |back )?(?:from [\w' ]+? )?"
         r"to (?P<what>.+)", _moved),
    Rule(r"(?:I|we) (?:have )?moved (?:in|into) (?:to )?(?:an?|our|my|the) (?:\w+ ){0,2}?"
         r"(?:flat|house|apartment|place|studio|room|condo|dorm) (?:in|near) (?P<what>.+)",
         _moved_into),
    Rule(r"I (?:am|come) from (?P<what>.+)", _origin),
    Rule(r"I was born in (?P<what>[^\d].+)",
         plain("was born in", "birthplace", Topic.ORIGIN, limit=4, cut=Cut.TIMES)),
    Rule(r"I grew up (?P<what>(?:in|on|near) .+)",
         plain("grew up", "grew up", Topic.ORIGIN, limit=6, cut=Cut.TIMES)),
    Rule(r"my (?:home ?town|birthplace) is (?P<what>.+)",
         plain("hometown is", "grew up", Topic.ORIGIN, limit=4, cut=Cut.TIMES)),
    Rule(r"I was born and raised (?P<what>(?:in|on|near) .+)",
         plain("was born and raised", "grew up", Topic.ORIGIN, limit=4, cut=Cut.TIMES)),
    Rule(r"I was raised (?P<what>in .+)",
         plain("was raised", "grew up", Topic.ORIGIN, limit=4, cut=Cut.TIMES)),
    Rule(r"I am (?:an? )?(?P<what>vegan|vegetarian|pescatarian|"
         r"pescetarian)" + REST, plain("is", "diet", Topic.DIET)),
    Rule(r"I am (?P<article>an?) (?P<what>.+)", _has_role),
    Rule(r"I am (?P<article>an?) (?P<what>.+) (?P<who>fan|fanatic|lover|enthusiast|nerd|addict)"
         + REST, plain("is {article}", "feels about {}", Topic.LIKES, kind=Kind.PREFERENCE,
                       limit=5, after=" {who}")),
    Rule(r"(?P<value>[^,]+) (?P<verb>is|are) my (?:all[- ]time )?favourite (?P<what>\w+(?: \w+)?)",
         _favourite_last),
    Rule(r"my hobby (?:is|are) (?P<what>.+)",
         plain("hobby is", "hobbies", Topic.HOBBIES, limit=NO_COMMA_LIMIT, is_known=_is_short)),
    Rule(r"my hobbies (?:is|are) (?P<what>.+)",
         plain("hobbies are", "hobbies", Topic.HOBBIES, limit=NO_COMMA_LIMIT, is_known=_is_short)),
    Rule(r"my pronouns are (?P<what>\w+/\w+(?:/\w+)?)" + REST,
         plain("pronouns are", "pronouns", Topic.NAME)),
    Rule(r"I have been (?P<what>vegan|vegetarian)" + REST, plain("is", "diet", Topic.DIET)),
    Rule(r"I (?:went|turned|became|have gone|have turned) (?P<what>vegan|vegetarian|pescatarian)"
         rf"(?: (?:last|this) \w+| \w+ (?:years?|months?|weeks?) ago"
         rf"| in (?:{'|'.join(MONTHS['en'])}|20\d\d))?" + REST, plain("is", "diet", Topic.DIET)),
    Rule(r"I am (?:very |severely |super |deathly )?allergic to (?!(?:\w*days?|bull\w*|drama|"
         r"people|stupid\w*|work|school|fun|sleep|love|money|effort|mornings?|homework|\w+ies)\Z)"
         r"(?P<what>.+)", plain("is allergic to", "allergy {}", Topic.DIET, Importance.HIGH)),
    Rule(r"I am lactose intolerant" + REST, fixed("is lactose intolerant", "lactose", Topic.DIET)),
    Rule(r"I (?:do not|can not|never) (?P<verb>eat|drink) (?P<what>.+)",
         plain("does not {verb}", "eats {}", Topic.DIET, kind=Kind.PREFERENCE, limit=4,
               is_known=lists_only(WORDS.eaten, ", | or | and "))),
    Rule(r"I (?:quit|stopped|gave up|have quit|have stopped|have given up) (?P<what>.+)",
         plain("gave up", "gave up {}", Topic.DIET, limit=3, cut=Cut.TIMES, is_known=_is_habit)),
    Rule(r"I (?:do not|never) (?P<what>drink|smoke|vape|gamble)(?: (?:at all|anymore|any more|"
         r"alcohol))?(?:,.*)?", plain("does not", "does not {}", Topic.DIET)),
    Rule(r"I (?:am|have been) (?P<what>married|engaged|divorced|widowed|single|left[- ]handed|"
         r"right[- ]handed|ambidextrous|colou?r ?blind)" + REST,
       plain("is", "is {}", Topic.FAMILY, limit=2)),
    Rule(r"I (?P<verb>love|adore|like|enjoy|hate|dislike|detest|despise|loathe|can not stand|"
         r"prefer|am (?:crazy|passionate) about|am (?:keen|hooked) on|am fond of|"
         r"do not like|(?:have )?never liked|"
       r"do not enjoy|am into|am (?:not )?an? (?:big |huge )?fan of|am obsessed with|"
       r"am addicted to|"
       r"am (?:afraid|scared|terrified) of)"
       r" (?P<what>.+)", _feels),
    Rule(r"my (?:all[- ]time )?favourite (?P<what>\w+(?: \w+){0,2}?)(?: of all time)? (?P<verb>is|"
         r"are) (?P<value>.+)", _favourite),
    Rule(r"I (?:(?:am )?speak(?:ing)?|am fluent in) (?P<what>.+)",
         plain("speaks", "speaks {}", Topic.LANGUAGES, limit=NO_COMMA_LIMIT,
               is_known=_names_languages)),
    Rule(r"my (?:native|mother|first) (?:language|tongue) is "
         r"(?P<what>\w+)" + REST, plain("native language is", "native language", Topic.LANGUAGES)),
    Rule(r"I (?:am learning|have been learning|learn|am teaching myself|started learning) "
         r"(?P<what>.+)", _learns),
    Rule(r"I (?:play|have been playing|have played) (?P<what>.+)",
         plain("plays", "plays {}", Topic.SKILLS, cut=Cut.CLAUSES, is_known=_is_playable)),
    Rule(r"I have been (?P<what>(?:playing|watching|reading|rewatching|replaying) "
         r"(?!(?:dead|dumb|along|around|with|god|games)\b).+)",
         plain("has been", "has been {}", Topic.HOBBIES, limit=6)),
    Rule(r"I am training for (?P<what>an? .+)", plain("is training "
                                                      "for", "training", Topic.HOBBIES)),
    Rule(r"I can not (?P<what>.+)",
         plain("cannot", "can {}", Topic.SKILLS, is_known=_is_skill)),
    Rule(r"I can (?P<what>.+)", plain("can", "can {}", Topic.SKILLS, is_known=_is_skill)),
    Rule(r"I collect (?P<what>.+)", plain("collects", "collects {}", Topic.HOBBIES)),
    Rule(r"I (?P<verb>build|make|write|knit|paint|sew|restore|brew) (?P<what>.+) (?:as|for) "
         r"(?:a hobby|fun)",
         plain("{verb}s", "hobby {}", Topic.HOBBIES, cut=Cut.CLAUSES, after=" as a hobby")),
    Rule(r"I drive (?P<what>an? .+)",
         plain("drives", "drives {}", Topic.POSSESSIONS, limit=7, cut=Cut.CLAUSES)),
    Rule(r"I own (?P<what>(?:an?|two|three|four|five|\d+|too many|lots of|tons of|several|many) "
         r".+)", plain("owns", "owns {}", Topic.POSSESSIONS, limit=8, cut=Cut.CLAUSES)),
    Rule(r"I (?P<verb>have|have got|got|bought)(?: myself)? (?P<what>(?:an?|two|three) .+)", _owns),
    Rule(rf"my (?P<thing>{alternatives(WORDS.possessions)}) is (?P<what>an? .+)",
         plain("{thing} is", "{thing}", Topic.POSSESSIONS, limit=8, cut=Cut.CLAUSES)),
    Rule(r"my time ?zone is (?P<what>[\w/+-]+(?: "
         r"[\w+-]+)?)" + REST, plain("time zone is", "time zone", Topic.TIME_ZONE)),
)  # fmt: skip
