"""The words that give away what must not be kept, language by language; see utils.memory.phrases.

Each table is read by a person before it is read by the program: one line for one idea. Where a word
is ordinary in hobby talk ("a thief main", "the Great Depression"), the phrase says in what company
it counts.
"""

from utils.memory.lexicons.beliefs import ETHNICITY, POLITICS, RELIGION
from utils.memory.lexicons.body import HEALTH, SEXUALITY
from utils.memory.lexicons.classes import CLASSES
from utils.memory.lexicons.conduct import CRIME, LOCATION, MINORS
from utils.memory.lexicons.orders import GLUED, ORDER
from utils.memory.lexicons.secrets import ADDRESS, CONTACT, SECRET
from utils.memory.lexicons.unspaced import UNSPACED
from utils.memory.phrases import Lexicon, UnspacedWords

__all__ = ["ALWAYS", "GLUED", "LEXICON", "UNSPACED_WORDS"]

ALWAYS = ("secret", "contact", "address", "order")
"""The reasons that no setting switches off."""

LEXICON = Lexicon(
    {
        "secret": SECRET,
        "contact": CONTACT,
        "address": ADDRESS,
        "order": ORDER,
        "health": HEALTH,
        "religion": RELIGION,
        "politics": POLITICS,
        "sexuality": SEXUALITY,
        "ethnicity": ETHNICITY,
        "crime": CRIME,
        "location": LOCATION,
        "minors": MINORS,
    },
    CLASSES,
)
UNSPACED_WORDS = {reason: UnspacedWords(table) for reason, table in UNSPACED.items()}
"""Reason -> what gives it in Japanese and Chinese."""
