"""A question's word also finds its compounds, and the parts of a compound."""

from tests.fakes.builders import at, make_memory, texts
from tests.rows import each_row
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.memory.recall.ranking import rank


def found(question, *memories):
    documents = PreparedMemories(memories, 1)
    everything = documents.readable({row.channel_id for row in memories}, at())
    ranked = rank(documents, Query.of(question), everything, RecallPolicy())
    return texts(match.row for match in ranked)


@each_row(
    ("question", "memory"),
    [
        ("Wann muss ich zum Zahnarzt?", "Mein Zahnarzttermin ist am Dienstag."),
        ("Zu welchem Arzt muss der Kater?", "Der Kater war beim Tierarzt."),
        ("Was ist unser Gartenprojekt?", "Wir bauen im Garten ein Gewächshaus."),
        ("Welchen Film mag ich?", "Mein Lieblingsfilm ist Das Boot."),
        ("Which shelf did she paint?", "Ada has a blue bookshelf."),
    ],
)
def test_a_question_finds_compounds_of_its_words_and_parts_of_its_compounds(question, memory):
    others = [make_memory("Ich trinke nur Tee.", id=2), make_memory("Wir waren am Meer.", id=3)]
    assert found(question, make_memory(memory, id=1), *others) == [memory]


def test_the_word_itself_is_found_before_its_compounds():
    rows = [make_memory("hat einen Zahnarzttermin", id=1), make_memory("hat einen Zahnarzt", id=2)]
    assert found("Wer ist dein Zahnarzt?", *rows) == [
        "hat einen Zahnarzt",
        "hat einen Zahnarzttermin",
    ]


@each_row(
    ("text", "memory"),
    [
        ("Isst du Brot?", "Das Brett ist rot."),
        ("Magst du Rot?", "Er isst Brot."),
        ("Wo ist das Bad?", "Er war im Freibad."),
        ("Ich muss zum Zahnarzt.", "Mein Zahnarzttermin ist am Dienstag."),
    ],
)
def test_short_parts_and_statements_find_no_compounds(text, memory):
    assert found(text, make_memory(memory, id=1)) == []
