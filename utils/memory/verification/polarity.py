"""Does a memory keep the sense of what was said? Pure: the words that turn a sense around.

"I don't eat meat" must not become "eats meat", nor "I want a dog" "has a dog": a word that turns
around what comes after it must have its like in the memory.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from utils.memory.verification.note_words import NOTE_STEMS, WORD
from utils.nlp.stemming import stems


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TOKEN = re.compile(rf"{WORD.pattern}|[,;:.!?()—–…]")
_BREAKS = frozenset(",;:.!?()—–…") | _words("but however although though aber mais pero mas но а")
_AFRESH = _words("i i'm i've im ive ich je yo eu я we wir nous")
_BACKWARDS = _words("nicht nie niet pas")
"""Negations that stand after their verb."""

_ENDED = _words("longer anymore former formerly")
_SUPPOSED = _words("if whether wish maybe perhaps wenn vielleicht si quizás ojalá se talvez")
"""These hold for the next clause as well."""

_NEGATION = re.compile(
    r"\b(not|no|never|nor|cannot|without|nicht|nie|kein\w*|pas|jamais|nunca|não|не|нет)\b|n['’]t\b",
    re.IGNORECASE,
)
_UNSPACED_NEGATION = re.compile(
    "ない|ません|なかった|ませんでした|じゃな|嫌い|苦手|不|没|(?:^|\\s)(?:안|못)\\s|[가-힣](?:않|없|못)|싫|아니"
)
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_FRENCH_NOT = re.compile(
    r"\bne\b(?=(?: \w+){1,3} (?:plus|rien|personne|aucune?|guère|que)\b)", re.IGNORECASE
)
_COMPARED = re.compile(
    r"\b(?:(?:more|better|rather|sooner) than|over|than|instead of)\b|>+", re.IGNORECASE
)


class Turn(Enum):
    """How a word turns the sense of what follows."""

    NOT = "not"
    AVERSE = "averse"
    OVER = "over"
    UNREAL = "unreal"
    AHEAD = "ahead"


_TURNS = {
    Turn.NOT: r"""
        not|no|zero|never|none|nothing|neither|nor|without|hardly|barely|cannot|\w+n't|cant|dont|doesnt|
        didnt|isnt|wasnt|wont|havent|hasnt|aint|wouldnt|couldnt|nope|nah|refus\w*|forgot\w*|forget\w*|
        fail\w*|declin\w*|lack\w*|nicht|nie|niemals|kein\w*|ohne|nein|pas|jamais|sans|non|n'\w+|
        nunca|jamás|sin|não|nem|sem|не|нет|никогда|без|нету|mai|senza|niet|geen|nooit""",
    Turn.AVERSE: r"""
        hat(?:e|es|ed|ing)|dislik\w+|detest\w*|despis\w+|loath\w+|avoid\w*|allergic|intoleran\w+|
        against|hass\w*|déteste\w*|horreur|hais|odi[oae]\w*|odei\w+|aborre\w+|ненави\w+""",
    Turn.OVER: r"""
        quit\w*|stopp?ed|stop|gave|former\w*|ex|anymore|longer|früher|aufgehört|ancien\w*|arrêté\w*|
        dej[éó]|antes|deixei|parei|бросил\w*|раньше|ehemalig\w*|sold|lost""",
    Turn.UNREAL: r"""
        wants?|wanted|wanna|wish\w*|would|could|might|maybe|perhaps|afraid|scared|fear\w*|almost|
        nearly|dream\w*|consider\w*|thinking|if|whether|supposed|should|worried|will|möchte|
        vielleicht|würde|fast|voudrais|veux|peut-être|quiero|quisiera|quizás?|ojalá|quero|gostaria|
        talvez|хочу|хотел\w*|бы|может|наверное|vorrei|voglio|forse""",
    Turn.AHEAD: r"""
        gonna|going|plan\w*|aspir\w*|intend\w*|aim(?:s|ing)?|hop(?:e|es|ing)|try\w*|want\w*|hoff\w*|espère|espero|надеюсь|soon|
        tomorrow|next""",
}
_PATTERNS = {
    turn: re.compile("".join(words.split()), re.IGNORECASE) for turn, words in _TURNS.items()
}
_USED_TO = re.compile(r"(?<!am )(?<!'m )(?<!get )\bused to\b|\bdone with\b", re.IGNORECASE)
_HARMLESS = re.compile(
    r"\bnot gonna lie\b|\bngl\b|\bno (?:way|idea|problem|worries|cap|lol)\b|\bwhy not\b|"
    r"\bnot (?:only|just|really sure)\b|\b(?:i['’]d|i would|would) (?:say|rather|prefer)\b|"
    r"\b(?:can|could|would|will) (?:you|u)\b|\b(?:nah|nope|nein)\b(?=,? \w)|"
    r"\bcan(?:['’]|no)?t (?:wait|believe|complain|help|stop|get enough)\b|\b(?:don['’]?t|do not) "
    r"(?:worry|forget|mind me)\b|\bif (?:i told you|you)\b|\bwould love\b|\bno one\b|\bnobody\b|"
    r"\b(?:almost|nearly) (?=\d|every|all|always|a |one |two |three |four |five |six |ten )|"
    r"\bgoing (?!to\b)|\bthinking (?!about|of\b)",
    re.IGNORECASE,
)
# What may stand in a memory for a word of each kind.
_KEPT = {
    Turn.NOT: (Turn.NOT, Turn.AVERSE, Turn.OVER),
    Turn.AVERSE: (Turn.AVERSE, Turn.NOT),
    Turn.OVER: (Turn.OVER, Turn.NOT),
    Turn.UNREAL: (Turn.UNREAL, Turn.AHEAD),
    Turn.AHEAD: (Turn.AHEAD, Turn.UNREAL),
}
_DATED = re.compile(
    r"\d|january|february|march|april|may\b|june|july|august|september|october|november|december|"
    r"summer|winter|spring|autumn",
    re.IGNORECASE,
)
_FREED = re.compile(
    r"\b(?:only|instead|vegan|vegetarian|worst|sucks?|awful|annoy\w*|gross|ugh|terrible|boring|bad|"
    r"free|left|rarely|seldom|too much|can['’]?t stand|nur|nervt|seul\w*|solo|sólo|só|только|once|"
    r"moved|gone|cried|broke)\b",
    re.IGNORECASE,
)
SEGMENT = re.compile(r"[,;]|\b(?:and|und|et|y|e|и|but)\b")
"""What parts the statements of a memory."""


def negates(text: str) -> bool:
    """Whether a text negates something, as far as six languages' plain words tell."""
    return _NEGATION.search(text) is not None


def is_turn(word: str) -> bool:
    """Whether a casefolded word negates or ends something: what it does to a memory's sense is
    judged apart."""
    return _turn(word) is Turn.NOT or word in _ENDED


def turns(text: str) -> set[Turn]:
    """Return the ways in which a text turns the sense of something."""
    plain = _FRENCH_NOT.sub("non", _HARMLESS.sub(" ", text.replace("’", "'")))
    matches = {turn for word in _TOKEN.findall(plain) if (turn := _turn(word)) is not None}
    matches |= {turn for turn in (Turn.UNREAL, Turn.AHEAD) if _is(turn, plain)}
    if _USED_TO.search(plain):
        matches.add(Turn.OVER)
    if re.search(r"can(?:['’])?t stand", text, re.IGNORECASE):
        matches.add(Turn.AVERSE)
    return matches


def keeps_sense(memory: str, said: Sequence[str], is_same: Callable[[str, str], bool]) -> bool:
    """Whether nothing in a memory says the opposite of the sentences that it is made from.

    ``is_same`` tells whether two words are forms of one.
    """
    memory_turns = turns(memory)
    said_turns = turns(" . ".join(said))
    text = " ".join(said)
    if _UNSPACED_NEGATION.search(memory) and not _UNSPACED_NEGATION.search(text):
        return False
    if _lost_unspaced(memory, said) or any(
        _is_swapped(memory, sentence, is_same) for sentence in said
    ):
        return False
    turned = memory_turns & {Turn.NOT, Turn.AVERSE}
    if turned and not said_turns & {Turn.NOT, Turn.AVERSE, Turn.OVER} and not _FREED.search(text):
        return False
    if Turn.AVERSE in memory_turns and Turn.NOT not in memory_turns and not _may_be_averse(said):
        return False
    readings = [_Reading.of(sentence) for sentence in said]
    for segment in SEGMENT.split(memory):
        words = [word for word in _TOKEN.findall(segment.casefold()) if word.isalnum()]
        missing = set(Turn) - kept_by(memory)
        if _is_turned(words, readings, missing, is_same):
            return False
    return True


def _lost_unspaced(memory: str, said: Sequence[str]) -> bool:
    """Whether all that was said of the same, in a script whose verbs negate, negates it."""
    if not _UNSPACED.search(memory) or _UNSPACED_NEGATION.search(memory):
        return False
    memory_stems = set(stems(memory))
    same = [sentence for sentence in said if memory_stems & set(stems(sentence))]
    return bool(same) and all(map(_UNSPACED_NEGATION.search, same))


def _is_swapped(memory: str, said: str, is_same: Callable[[str, str], bool]) -> bool:
    """Whether two things that were set against each other have changed places."""
    sides, said_sides = _COMPARED.split(memory, maxsplit=1), _COMPARED.split(said, maxsplit=1)
    if len(sides) < 2 or len(said_sides) < 2:
        return False

    def shares(first: str, second: str) -> bool:
        first_words, second_words = (WORD.findall(text.casefold()) for text in (first, second))
        return any(stems(a) and is_same(a, b) for a in first_words for b in second_words)

    crossed = shares(sides[0], said_sides[1]) and shares(sides[1], said_sides[0])
    return crossed and not (shares(sides[0], said_sides[0]) and shares(sides[1], said_sides[1]))


def kept_by(memory: str) -> set[Turn]:
    """Return the turns that a memory has something for."""
    memory_turns = turns(memory)
    covered = {turn for turn, like in _KEPT.items() if memory_turns & set(like)}
    if _DATED.search(memory):
        covered.add(Turn.AHEAD)
    return covered


@dataclass(frozen=True, slots=True)
class _Reading:
    """The words of a sentence, each with the turns it stands under."""

    words: tuple[tuple[str, frozenset[Turn]], ...]

    @classmethod
    def of(cls, sentence: str) -> "_Reading":
        plain = sentence.replace("’", "'").casefold()
        plain = re.sub(r"\b((?:rather|sooner)\b.{1,60}?)\bthan\b", r"\1 not ", plain)
        plain = _FRENCH_NOT.sub("non", _HARMLESS.sub(" , ", plain))
        plain = re.sub(r"\s-+\s|\w-\s", " , ", plain)
        plain = _USED_TO.sub(" formerly ", plain)
        plain = re.sub(r"\babout to\b", " soon ", plain)
        plain = re.sub(r"\btoo \w+ (?=to\b)", " not ", plain)
        plain = re.sub(r"\bcan'?t stand\b", " hate ", plain)
        readings: list[tuple[str, frozenset[Turn]]] = []
        under: frozenset[Turn] = frozenset()
        start, is_supposed = 0, False
        for word in _TOKEN.findall(plain):
            if word in _BREAKS:
                under, is_supposed, start = frozenset(), False, len(readings)
            elif word in _AFRESH:
                under = under if is_supposed else frozenset()
            elif (turn := _turn(word)) is not None:
                is_supposed = is_supposed or word in _SUPPOSED
                if word in _BACKWARDS:
                    readings[start:] = [(token, over | {turn}) for token, over in readings[start:]]
                readings.append((word, under))
                under |= {turn}
            else:
                readings.append((word, under))
        return cls(tuple(readings))


def _is_turned(
    words: Sequence[str],
    readings: Sequence[_Reading],
    missing: set[Turn],
    is_same: Callable[[str, str], bool],
) -> bool:
    """Whether most of what a part of a memory shares with what was said stands under a turn that
    the memory lost. Verbs that all notes are made of count only where there is nothing else."""
    shared: dict[bool, list[bool]] = {True: [], False: []}
    for word in words:
        places = [
            bool(under & missing)
            for reading in readings
            for token, under in reading.words
            if len(token) > 1 and is_same(word, token)
        ]
        if places:
            word_stems = stems(word)
            is_plain = not word_stems or all(stem in NOTE_STEMS for stem in word_stems)
            shared[is_plain].append(all(places))
    counted = shared[False] or shared[True]
    return sum(counted) * 2 > len(counted)


def _may_be_averse(said: Sequence[str]) -> bool:
    text = " . ".join(said)
    return bool(turns(text) & {Turn.AVERSE, Turn.NOT}) or _FREED.search(text) is not None


def _turn(word: str) -> Turn | None:
    return next((turn for turn, pattern in _PATTERNS.items() if pattern.fullmatch(word)), None)


def _is(turn: Turn, text: str) -> bool:
    return any(_PATTERNS[turn].fullmatch(word) for word in _TOKEN.findall(text))
