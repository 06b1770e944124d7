"""How many words of what a question expects are counted as being in a block."""

from benchmarks.datasets.dialogues import DialogueFact, DialogueQuestion
from benchmarks.stage.expected_words import memory_words, words_in
from tests.fakes.builders import NOON

FACTS = [
    DialogueFact("m1", 0, "Ada plays the oboe in Rome", "m1"),
    DialogueFact("m2", 0, "Ada owns a boat", "m2"),
    DialogueFact("m3", 0, "Ada has a red boat", "m3"),
]


def asked(*gold: str, text: str = "What does Ada play?", after: int = 3) -> DialogueQuestion:
    return DialogueQuestion(text, frozenset(gold), 0, (0,), NOON, after)


def test_words_of_the_question_do_not_count():
    assert words_in("Ada plays the oboe in Rome", asked("m1"), "An oboe, Ada!") == 0.5
    assert words_in("Ada plays", asked("m1"), "An oboe, Ada!") is None


def test_only_memories_known_by_then_are_expected():
    assert memory_words(asked("m3", after=2), FACTS, "a red boat") is None
