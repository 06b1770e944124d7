"""Does an attachment's text speak of the member who posted it? Pure.

A screenshot may hold anyone's words, and nothing in it shows whose. So the message that it came
with must call the thing its author's, and the quoted text must not be speech: a ticket says "Flight
to Oslo", a chat says "I am moving to Oslo".
"""

import re
from collections.abc import Iterable, Sequence

from utils.memory.verification.modality import earnest_parts, sentences
from utils.memory.verification.note_words import WORD
from utils.memory.verification.person_words import FIRST_OBJECT, FIRST_PERSON, MINE
from utils.memory.verification.quotations import own_words
from utils.memory.verification.subject import Owner, spans
from utils.models.attachment import without_placeholders
from utils.nlp.stemming import stems

MAX_BETWEEN = 3  # words after "my" in which the thing is named: "my early morning flight"
MIN_SHARED = 2  # words of the thing that "I …" must have, where nothing is called "mine"

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

    ``things`` are the texts that say what it is about. A sentence claims nothing if it also speaks
    of another person, asks, or jokes.
    """
    thing_stems = frozenset(stem for thing in things for stem in stems(thing))
    names = tuple(names)
    texts = sentences(own_words(without_placeholders(said), names))
    return any(_claims(text, texts[i + 1 :], thing_stems, names) for i, text in enumerate(texts))


def _claims(
    sentence: str, after: Sequence[str], wanted: frozenset[str], names: Sequence[str]
) -> bool:
    parts = spans(earnest_parts(sentence, after), names)
    speaks_of_others = any(span.owner in (Owner.OTHER, Owner.ASKED) for span in parts)
    if speaks_of_others or sentence.endswith(("?", "？")):
        return False
    words = [word for span in parts for word in span.words]
    for index, word in enumerate(words):
        thing = words[index + 1 : index + 1 + MAX_BETWEEN]
        if word in MINE and wanted.intersection(stems(" ".join(thing))):
            return True
    own_text = " ".join(w for span in parts if span.owner is Owner.AUTHOR for w in span.words)
    is_seen = not _SEEN.isdisjoint(words)
    return not is_seen and len(wanted.intersection(stems(own_text))) >= MIN_SHARED


def is_speech(text: str) -> bool:
    """Whether a text speaks as "I" or "we" anywhere, as a chat or a letter does."""
    words = [word for word in WORD.findall(text) if word != "US"]
    folded = {word.casefold().replace("’", "'") for word in words}
    is_contracted = any(word.startswith(_CONTRACTED) for word in folded)
    is_spoken = not folded.isdisjoint(_SPOKEN) or _IM.search(text) is not None
    return is_spoken or is_contracted or any(pronoun in text for pronoun in _UNSPACED_SPEAKERS)
