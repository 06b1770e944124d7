"""Generates sentences of memories, messages and questions, with words drawn by Zipf's law."""

import random
from itertools import accumulate

from utils.models.memory import Kind

RARE_WORDS = 2_000

NOUNS = """
dog game brother server match guitar stream exam bike coffee sister update keyboard boss camera
garden train cat map recipe raid laptop book concert band thesis pizza driver holiday clan cup
mother team kitchen monitor flat song weapon car ticket bread character puzzle neighbour roof
microphone tournament cousin mountain controller doctor garage knee phone piano ramen soup lake
headset build quest class lecture paper office shift salary contract landlord balcony tomato chess
opening endgame skin patch loot boss dungeon healer tank mouse pad chair desk lamp curtain window
ferry airport passport visa beach tent stove boots jacket scarf glasses haircut dentist vaccine
"""
VERBS = """
play fix finish buy lose find learn cook paint watch sell build break clean move write practise
carry record plan miss win borrow repair explain organise order return paint join quit test
"""
QUALITIES = """
new old broken favourite cheap loud tiny second spicy quiet weird red blue wooden cursed expensive
ranked early late heavy slow legendary rusty warm lucky frozen bright empty
"""
TIMES = "today yesterday tonight lately again soon tomorrow before twice daily weekly"
TOPICS = """
gaming food pets music work family travel health school sport films books home money cars
"""
SYLLABLES = "ka ro mi tel van dor sha lin por ge bru ost wen fa zil nor qua ti ber un alo sto"

MEMORIES = {
    Kind.FACT: (
        "has a {q} {n} named {x}",
        "works with {x} on the {n}",
        "lives near {x} with a {n}",
    ),
    Kind.PREFERENCE: ("loves the {q} {n} of {x}", "would rather {v} the {n} than the {n}"),
    Kind.CONSTRAINT: ("do not mention the {n} of {x}",),
    Kind.PATTERN: ("{v}s the {n} {t}", "talks about {x} when the {n} is {q}"),
    Kind.TASK: ("wants to {v} the {q} {n} for {x} this week",),
    Kind.EPISODE: ("tried to {v} the {n} with {x} and it was {q}", "lost the {q} {n} in {x}"),
    Kind.LORE: ("the great {n} of {x}",),
    Kind.SERVER_FACT: ("the {n} with {x} is {t}",),
}
CLAUSES = (
    "so I will {v} the {n} {t}",
    "my {q} {n} is from {x}",
    "we had to {v} a {n} because the {n} was {q}",
    "have you ever seen {x}",
    "honestly the {n} in {x} is {q}",
    "{x} said that they {v} it {t}",
    "that {n} was not {q} at all",
)
QUESTIONS = (
    "what was the {n} called?",
    "do you remember my {q} {n}",
    "when did I {v} the {n} with {x}?",
    "hey, I need to {v} something for {x}, what do you think of a {q} {n}?",
    "which {n} should I {v} {t}, the {q} one or the one that {x} told me about last week?",
    "I am back from {x} and the {n} is {q} again, can you help me to {v} it before the {n}?",
)


class Words:
    """Generates sentences; words are drawn by Zipf's law."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        syllables = SYLLABLES.split()
        made_up = ["".join(self.dice.choices(syllables, k=n)) for n in (2, 3) * RARE_WORDS]
        self._lists = {
            "n": [*NOUNS.split(), *made_up[:RARE_WORDS]],
            "v": VERBS.split(),
            "q": QUALITIES.split(),
            "t": TIMES.split(),
            "x": [word.title() for word in made_up[RARE_WORDS // 2 :]],
        }
        self._weights = {
            slot: list(accumulate(1 / (rank + 2.7) for rank in range(len(words))))
            for slot, words in self._lists.items()
        }

    def __getitem__(self, slot: str) -> str:
        """Return a word for a slot of a pattern."""
        return self.dice.choices(self._lists[slot], cum_weights=self._weights[slot])[0]

    def memory(self, kind: Kind) -> str:
        """Return the text of a memory."""
        return self._fill(self.dice.choice(MEMORIES[kind]))

    def message(self) -> str:
        """Return a message of one to three clauses."""
        return self._fill(", ".join(self.dice.sample(CLAUSES, self.dice.randint(1, 3))))

    def question(self) -> str:
        """Return a message to Kith: 5 to 25 words."""
        return self._fill(self.dice.choice(QUESTIONS))

    def _fill(self, pattern: str) -> str:
        return pattern.format_map(self)
