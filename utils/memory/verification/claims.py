"""Does what was said show what a memory claims of its words? Pure.

That a memory's words were said does not make it true: who ate sushi once need not like it, who
passed a horse has none, who left Google does not work there. The plain verbs of notes ("has",
"likes", "lives") each claim something, and that must be shown. English only: it is in English that
models write them of words which show something else.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from utils.memory.verification.note_words import PAST, WORD
from utils.memory.verification.person_words import FIRST_PERSON, LEADING, THIRD_VERBS
from utils.memory.verification.polarity import SEGMENT
from utils.nlp.stemming import stems

Same = Callable[[str, str], bool]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_HEAD = re.compile(
    r"\W*(?:(?:also|now|still|usually|often|always|currently|mostly|sometimes|really|has been|is)"
    r"\s+)*(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_STATES = _words("has is was does needs wants goes owes keeps")
"""Verbs that tell of a state, or of what is to come, rather than of a habit."""

_ONCE_AND_FOR_ALL = _words(
    """started began became joined moved switched got bought adopted took picked turned settled
    signed learned learnt grew hired traded swapped upgraded migrated converted changed ended found
    married discovered used built made stopped quit gave finished kept subscribed downloaded
    installed fell hated loved liked enjoyed preferred wanted missed"""
)
"""Past verbs after which something holds, or that tell of a feeling themselves."""

_BEFORE_VERBS = FIRST_PERSON | LEADING | frozenset(["and", "then"])
_HOLDS = re.compile(
    r"\b(?:lov|lik|enjoy|ador|prefer|hat|dislik|fav|obsess|addict|miss)\w*|\b(?:best|good|great|fun|"
    r"nice|cool|awesome|blast|wonderful|lovely|exciting|amazing|incredible|delicious|yum\w*|perfect|beautiful|heaven\w*|worst|bad|"
    r"awful|gross|boring|terrible|horrible|disgusting|annoy\w*|fan|into|glad|happy|proud)\b|"
    r"\b(?:every|each|always|usually|often|never|daily|weekly|mostly|since|again|still|been|"
    r"regularly|sometimes|whenever|years|anymore|days|times|\w+days)\b|[❤😍🥰😋🤤💕♥🔥🤢🤮]",
    re.IGNORECASE,
)
"""What makes of something that happened once something that holds: a feeling, or that it recurs."""

_HAVING = re.compile(
    r"(?:have|has|had|having|[a-z]+'ve|got|get|gets|getting|gotten|buy|bought|buying|own|owns|owned|"
    r"adopt\w*|rescu\w*|keep|keeps|kept|rais\w+|foster\w*|buil[dt]\w*|made|inherit\w*|receiv\w*|won|"
    r"order\w*|pick\w*|collect\w*|grow\w*|with|w|traded|upgraded|book\w*|name[ds]?|call\w*|found|"
    r"us\w+|wear\w*|is|are|was|am|i'm|im|our|my|mine|there's|train\w*|ha(?:tch|tched)|join\w*)"
)
_SOME = _words("a an some another this that these those")
_LEAVING = _words("left leaving leave leaves quit quitting")
_AWAY = _LEAVING | _words("from off")
_ENDED = re.compile(
    r"\b(?:lea?v|left|quit|former|ex\b|longer|stop|resign|ga?ve up|used to|until|end|drop|not?\b|"
    r"\w+n't\b|fired|sacked|dismissed|laid off|let go)"
)
_LET_GO = frozenset(["out of", "fired by", "sacked by", "dismissed by", "off by", "go by"])
"""As in "laid off by Google", "let go by Google"."""

_THERE = _words("in at to for")
_ABOUT = _words("a an the my our your his her their about in at of for with from on")


def is_shown(memory: str, own: Iterable[str], same: Same) -> bool:
    """Whether what was said, clause by clause, shows each statement of a memory.

    ``same`` tells whether two words are forms of one.
    """
    clauses = [_tokens(text) for text in own]
    for part in SEGMENT.split(memory):
        head = _HEAD.match(part)
        if head is None:
            continue
        verb = head["verb"].casefold()
        words = _tokens(part)
        about = [word for word in dict.fromkeys(words) if stems(word) and word != verb]
        if verb in ("has", "owns") and not _is_had(about, clauses, same, surely=verb == "owns"):
            return False
        if _is_habit(verb) and _happened_once(about, clauses, same):
            return False
        if _is_left(words, clauses, same) or _is_made_up_trade(words, clauses, same):
            return False
    return True


def _is_habit(verb: str) -> bool:
    return verb in THIRD_VERBS["en"] and verb not in _STATES


def _happened_once(about: Sequence[str], clauses: Iterable[Sequence[str]], same: Same) -> bool:
    """Whether all that was said of something tells of one time that it happened."""
    matches = [clause for clause in clauses if any(_at(word, clause, same) for word in about)]
    return bool(matches) and all(map(_is_episode, matches))


def _is_episode(clause: Sequence[str]) -> bool:
    if _HOLDS.search(" ".join(clause)):
        return False
    past = [
        word
        for before, word in pairwise(("and", *clause))
        if _is_past(word) and (before in _BEFORE_VERBS or before.endswith("ly"))
    ]
    return bool(past) and not _ONCE_AND_FOR_ALL.intersection(past)


def _is_had(
    about: Sequence[str], clauses: Iterable[Sequence[str]], same: Same, *, surely: bool
) -> bool:
    """Whether nothing contradicts that the subject has something: "passed a horse" does.

    ``surely``: it must be said that they have it.
    """
    contexts = [clause[:i] for clause in clauses for word in about for i in _at(word, clause, same)]
    if not contexts:
        return not surely
    return any(
        any(map(_HAVING.fullmatch, before))
        or not (surely or (_SOME.intersection(before[-3:]) and any(map(_is_past, before))))
        for before in contexts
    )


def _is_left(words: Sequence[str], clauses: Sequence[list[str]], same: Same) -> bool:
    """Whether a memory places the subject where they only came from: "left Google", "at Google"."""
    is_ended = _ENDED.search(" ".join(words)) is not None
    for index, word in enumerate(words[1:], 1):
        away = (_AWAY if words[index - 1] in _THERE else _LEAVING) | _LET_GO
        if is_ended or not stems(word):
            continue
        before = [clause[max(0, i - 2) : i] for clause in clauses for i in _at(word, clause, same)]
        if before and all(away.intersection([*pair[-1:], " ".join(pair)]) for pair in before):
            return True
    return False


def _is_made_up_trade(words: Sequence[str], clauses: Sequence[list[str]], same: Same) -> bool:
    """Whether a memory makes a trade of a thing that was only spoken of: a "banker" of "a bank"."""
    for index, word in enumerate(words[1:], 1):
        if words[index - 1] not in ("a", "an") or not word.endswith("er"):
            continue
        places = [(clause, i) for clause in clauses for i in _at(word, clause, same)]
        shorter = [(c, i) for c, i in places if len(c[i].removesuffix("'s")) < len(word)]
        is_noun = all(i > 0 and c[i - 1] in _ABOUT for c, i in shorter)
        if places and len(shorter) == len(places) and is_noun:
            return True
    return False


def _is_past(word: str) -> bool:
    return word in PAST or (len(word) > 4 and word.endswith("ed"))


def _at(word: str, clause: Sequence[str], same: Same) -> list[int]:
    return [i for i, token in enumerate(clause) if same(word, token.removesuffix("'s"))]


def _tokens(text: str) -> list[str]:
    return WORD.findall(text.replace("’", "'").casefold())
