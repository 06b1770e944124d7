"""Is a sentence meant? Pure: jokes, roles, suppositions and questions, told by their words."""

import re
from collections.abc import Sequence

from utils.memory.verification.note_words import WORD
from utils.memory.verification.person_words import (
    ANY_THIRD_VERBS,
    FIRST_PERSON,
    MODALS,
    SECOND_PERSON,
    THIRD_PERSON,
    UNSEEN_SUBJECT,
)

_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:\.(?=\w)[^.!?。！？\n]+)*[.!?。！？]*")
_NOT_EARNEST = re.compile(
    r"(?:^|\s)/[sj]\b|(?<!\w)\*\w+s(?: \w+)*\*|冗談|もし.*(?:なら|たら|れば)|"
    r"\b(?:jk|j/k|just kidding|kidding|joking|lol no|as if|role-?play\w*|in character|ooc|sarcasm|"
    r"my character|(?:in|on|playing) (?:minecraft|skyrim|the sims|roblox|gta|dnd|d&d)\W+i\b|"
    r"when pigs fly|if i were|if i was|if i had|imagine\w*|suppose i|pretend\w*|i wish|"
    r"hypothetically|what if i|"
    r"^\W*(?:yeah|yea|sure|right|ok(?:ay)?|oh),? and (?:i['’]?m|i am) (?:an?|the)|"
    r"i['’]d .{1,60} if i|let['’]?s say|yeah,? right|oh sure|said (?:no ?one|nobody) ever|"
    r"wenn ich .{0,30}(?:wäre|hätte)|stell dir vor|(?:nur )?spaß|scherz|"
    r"si j['’](?:étais|avais)|je plaisante|je rigole|si fuera|si tuviera|imagina|es broma|"
    r"se eu fosse|brincadeira|если бы|представь|шучу|шутка|se fossi|scherzo)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"^\W*(?:(?:lol|lmao|haha\w*|no|nah|ok|sorry)\W+)*(?:jk|j/k|/s|/j|just kidding|kidding|"
    r"i['’]?m kidding|(?:i['’]?m |just )?joking|not really|psych|sike|"
    r"(?:nur |war nur )?(?:spaß|ein scherz|scherz)|je rigole|je plaisante|es broma|broma|"
    r"brincadeira|zoeira|шучу|шутка|冗談)\b|^\W*not\W*$",
    re.IGNORECASE,
)
REQUEST = re.compile(
    r"(?:\W*(?:\w+|@\w+)\W+){0,2}?(?:(?:can|could|would|will|pls|please) (?:you|u)|"
    r"(?:you|u) (?:can|could|may)|(?:kannst|könntest|würdest) du|(?:peux|pourrais)[- ]tu|tu peux|"
    r"puedes|podrías|(?:você )?pode)\b(?! (?:believe|imagine|guess|see))",
    re.IGNORECASE,
)
"""How somebody is asked to do something; it shows what the author wants, and nothing else."""

SUBJECTS = (
    FIRST_PERSON
    | SECOND_PERSON
    | THIRD_PERSON
    | UNSEEN_SUBJECT
    | ANY_THIRD_VERBS
    | MODALS
    | frozenset(["am", "are", "do", "have", "what", "why", "who", "when", "where", "how"])
)
"""A question with one of these asks somebody, or of somebody."""

_VERDICT = re.compile(
    r"^\W*(?:(?P<no>(?:absolutely |hell |god |definitely |of course )?"
    r"(?:no|not|never|nope|nah|nein|non)\b)"
    r"|(?:hell |oh )?(?:yes|yeah|always|love|definitely|of course)\b)",
    re.IGNORECASE,
)
MAX_ASKED_OF_ONESELF = 5
_BUT = re.compile(r"(?<=\S)[,;]?\s+(?:but|however|aber|mais|pero|mas|но|ma)\s+|;\s+", re.IGNORECASE)
_ASIDE = re.compile(r"[,;–—]| - |\.\.\.|…")


def sentences(text: str) -> list[str]:
    """Cut a text into its sentences."""
    return [sentence.strip() for sentence in _SENTENCE.findall(text) if sentence.strip(" \t,;:-")]


def earnest_parts(sentence: str, after: Sequence[str] = ()) -> str:
    """Return a sentence without those parts of it that are asked, supposed or not meant.

    ``after`` are the sentences that the same person wrote right after it, which may take it back.
    """
    if any(map(_TAKEN_BACK.search, after)):
        return ""
    sentence = _answered_oneself(sentence, after)
    if sentence.rstrip(" )\"'*_~").endswith(("?", "？")) and not REQUEST.match(sentence):
        asides = [match.start() for match in _ASIDE.finditer(sentence)]
        sentence = sentence[: asides[-1]] if asides else ""
    parts = [part for part in _BUT.split(sentence) if part]
    return " ; ".join(part for part in parts if not _NOT_EARNEST.search(part))


def _answered_oneself(sentence: str, after: Sequence[str]) -> str:
    """Return "no olives" for "olives? absolutely not": a scrap of a question, and its answer."""
    words = [word.casefold() for word in WORD.findall(sentence)]
    verdict = _VERDICT.match(after[0]) if after and sentence.endswith("?") else None
    is_scrap = 0 < len(words) <= MAX_ASKED_OF_ONESELF and not SUBJECTS.intersection(words)
    if verdict is None or not is_scrap:
        return sentence
    return f"{'no ' if verdict['no'] else ''}{sentence.rstrip('?')}"
