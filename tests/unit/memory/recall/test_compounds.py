"""A question's word also finds its compounds, and the parts of a compound."""

from hypothesis import example, given
from hypothesis import strategies as st

from tests.fakes.builders import at, make_memory, texts
from tests.rows import each_row
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.memory.recall.ranking import rank
from utils.nlp.inverted_index import MAX_PART, MAX_PLACES, MIN_PART, Field

PARTS = st.sampled_from(["zahn", "arzt", "bad", "termin", "x" * MAX_PART])
STEMS = st.lists(PARTS, min_size=1, max_size=3).map("".join)
ROWS = st.lists(st.lists(STEMS, max_size=3), max_size=6)


def found(question, *memories):
    documents = PreparedMemories(memories, 1)
    everything = documents.readable({row.channel_id for row in memories}, at())
    ranked = rank(documents, Query.of(question), everything, at(), RecallPolicy())
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


def is_related(stem, other):
    long, short = sorted((stem, other), key=len, reverse=True)
    rest = len(long) - len(short)
    is_part = long.startswith(short) or long.endswith(short)
    return is_part and len(short) >= MIN_PART and rest >= MIN_PART


@given(ROWS, STEMS, st.booleans())
@example(rows=[["x" * MAX_PART + "zahn"]], stem="x" * MAX_PART + "zahnarzt", is_indexed=False)
def test_a_field_finds_the_texts_with_compounds_and_parts(rows, stem, is_indexed):
    texts_of = [" ".join(row) for row in rows]
    expected = [
        i
        for i, row in enumerate(rows)
        if any(
            is_related(stem, other) and not (len(other) > MAX_PART and len(other) < len(stem))
            for other in row
        )
    ]
    field = Field(texts_of)
    newer = Field(["zahnarzt"] * len(rows)).updated(range(len(rows)), texts_of)
    for prepared in (field, newer):
        if is_indexed:
            prepared.make_index()
        assert prepared.related_to_words([(stem, frozenset())]) == [expected]


def test_a_stem_repeated_on_purpose_is_looked_at_a_bounded_number_of_times():
    repeated = Field([" ".join(["xbaumx"] * MAX_PLACES), "baumhaus"])
    assert repeated.related_to_words([("baum", frozenset())]) == [[]]
    compounds = Field([" ".join(["baumhaus"] * MAX_PLACES), "baumhaus"])
    assert compounds.related_to_words([("baum", frozenset())]) == [[0, 1]]
