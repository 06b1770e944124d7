"""Is what stands in an attachment its poster's own? Pure.

A screenshot may hold anybody's words, and nothing in it shows whose. So the message that it came
with must call the thing its author's, and what is quoted must be nobody's speech: a ticket says
"Flight to Oslo", somebody says "I am moving to Oslo".
"""

import re
from collections.abc import Iterable, Sequence

from utils.memory.about_self import Owner, spans
from utils.memory.cited import own_words
from utils.memory.earnest import earnest_parts, sentences
from utils.memory.note_words import WORD
from utils.memory.persons import FIRST_OBJECT, FIRST_PERSON, MINE
from utils.memory.stems import stems
from utils.model.artifact import without_marks

MOST_BETWEEN = 3  # words after "my" in which the thing is named: "my early morning flight"
FEWEST_SHARED = 2  # words of the thing that "I …" must have, where nothing is called "mine"

_CONTRACTED = ("i'", "we'", "j'")
# German's "im" is "in the", and Mon a Monday.
_SPOKEN = (FIRST_PERSON | FIRST_OBJECT | MINE) - {"im", "mon"}
_IM = re.compile(r"\bim (?:not |so )?\w+ing\b", re.IGNORECASE)
_UNSPACED_SPEAKERS = ("私", "僕", "俺", "わたし", "ぼく", "我", "나는", "저는", "내가", "제가")
# Who sees a thing, or points at it, does not call it theirs by that: "I found this flight".
_SEEN = frozenset(
    word
    for words in (
        "this that these those found find saw see seen read heard hear got like love hate think",
        "know dies diese dieser dieses diesen das fand gefunden sah gesehen gelesen mag liebe",
        "ce cet cette ces ça trouvé vu lu aime este esta esto ese esa eso encontré vi leí",
        "esse essa isso encontrei li questo questa quello trovato visto letto",
        "это этот эта эти нашёл нашел нашла видел видела читал читала",
    )
    for word in words.split()
)


def is_claimed(said: str, things: Iterable[str], names: Iterable[str] = ()) -> bool:
    """Whether a message calls one of these things its author's: "my flight", "I fly to Oslo".

    ``things`` are the texts that say what it is about. A sentence that speaks of somebody else
    too, or asks, or jokes, claims nothing.
    """
    wanted = frozenset(stem for thing in things for stem in stems(thing))
    names = tuple(names)
    texts = sentences(own_words(without_marks(said), names))
    return any(_claims(one, texts[i + 1 :], wanted, names) for i, one in enumerate(texts))


def _claims(
    sentence: str, after: Sequence[str], wanted: frozenset[str], names: Sequence[str]
) -> bool:
    found = spans(earnest_parts(sentence, after), names)
    speaks_of_others = any(one.owner in (Owner.OTHER, Owner.ASKED) for one in found)
    if speaks_of_others or sentence.endswith(("?", "？")):
        return False
    words = [word for one in found for word in one.words]
    for index, word in enumerate(words):
        thing = words[index + 1 : index + 1 + MOST_BETWEEN]
        if word in MINE and wanted.intersection(stems(" ".join(thing))):
            return True
    own = " ".join(w for one in found if one.owner is Owner.AUTHOR for w in one.words)
    is_seen = not _SEEN.isdisjoint(words)
    return not is_seen and len(wanted.intersection(stems(own))) >= FEWEST_SHARED


def is_speech(text: str) -> bool:
    """Whether a text speaks as "I" or "we" anywhere, as a chat or a letter does."""
    words = [word for word in WORD.findall(text) if word != "US"]
    folded = {word.casefold().replace("’", "'") for word in words}
    is_contracted = any(word.startswith(_CONTRACTED) for word in folded)
    is_spoken = not folded.isdisjoint(_SPOKEN) or _IM.search(text) is not None
    return is_spoken or is_contracted or any(one in text for one in _UNSPACED_SPEAKERS)
