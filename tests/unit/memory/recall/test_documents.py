"""Documents that are updated are the same as documents that are prepared anew."""

import tracemalloc
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import at, make_memory
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.documents import StemsBefore, add_messages, prepare_messages
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.memory.recall.ranking import rank
from utils.models.memory import Form, Kind, Status
from utils.models.policy import WriteMode, WritePolicy
from utils.models.recall import Said
from utils.nlp.inverted_index import MAX_NEWER, Field
from utils.nlp.stemming import stems

WORDS = ("tea", "oboe", "harp", "yesterday", "lake", "teas")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
NOW = at(days=40)
CHANNELS = (1, 2)


def same_field(field, texts):
    fresh = Field(texts)
    assert field.texts() == texts
    assert field.lengths.tolist() == fresh.lengths.tolist()
    assert field.mean_length == fresh.mean_length
    for stem in WORDS:
        for actual, expected in zip(field.postings(stem), fresh.postings(stem), strict=True):
            assert actual.tolist() == expected.tolist()


@given(
    st.lists(TEXTS, max_size=5),
    st.lists(st.tuples(st.integers(0, 50), TEXTS, st.booleans()), max_size=12),
)
def test_a_field_with_other_texts_is_the_field_of_these_texts(texts, changes):
    field = Field(texts)
    for place, text, is_indexed in changes:
        if is_indexed:
            field.make_index()
        before, index = list(texts), min(place, len(texts))
        texts[index : index + 1] = [text]
        updated = field.updated([index], [text])
        same_field(updated, texts)
        same_field(field, before)
        field = updated


def test_a_field_keeps_its_index_until_many_texts_are_different():
    field = Field(["tea"])
    field.make_index()
    for number in range(1, MAX_NEWER + 1):
        field = field.updated([number], ["oboe"])
    assert field.is_indexed
    field = field.updated([MAX_NEWER + 1], ["harp"])
    assert not field.is_indexed
    same_field(field, ["tea", *["oboe"] * MAX_NEWER, "harp"])


def test_blank_texts_have_an_empty_index():
    field = Field([" ", ""])
    field.make_index()
    assert field.is_indexed
    assert not len(field.postings("tea").indexes)


messages = st.builds(
    lambda id, channel_id, minutes, text, previous, facts: Said(
        event_id=id,
        message_id=id + 100,
        channel_id=channel_id,
        source_id=channel_id,
        text=text,
        said_at=at(minutes=minutes),
        expires_at=at(days=60),
        stems=" ".join(stems(text)),
        previous_stems=previous,
        fact_stems=facts,
    ),
    st.integers(1, 8),
    st.sampled_from(CHANNELS),
    st.integers(0, 120),
    TEXTS,
    TEXTS,
    TEXTS,
)
MESSAGES = st.lists(messages, max_size=8, unique_by=lambda message: message.event_id)
memories = st.builds(
    lambda id, channel_id, minutes, text, status, form, kind: make_memory(
        text,
        id=id,
        channel_id=channel_id,
        created_at=at(minutes=minutes),
        last_confirmed_at=at(minutes=minutes),
        status=status,
        form=form,
        kind=kind,
    ),
    st.integers(1, 8),
    st.sampled_from(CHANNELS),
    st.integers(0, 120),
    TEXTS,
    st.sampled_from([Status.ACTIVE, Status.PROPOSED]),
    st.sampled_from(Form),
    st.sampled_from([Kind.FACT, Kind.CONSTRAINT, Kind.PATTERN]),
)
MEMORIES = st.lists(memories, max_size=8, unique_by=lambda row: row.id)


def ranking(documents, allowed=None):
    """Return everything that a ranking says, whatever order the documents are in."""
    query = Query.of("when was tea with the oboe at the lake?", ())
    allowed = documents.where(lambda item: True) if allowed is None else allowed
    return [
        (match.row, round(match.score, 9), match.terms)
        for match in rank(documents, query, allowed, NOW, RecallPolicy())
    ]


@given(st.lists(MESSAGES, min_size=2, max_size=4), st.booleans())
def test_messages_with_some_new_or_changed_rank_as_messages_prepared_anew(versions, is_indexed):
    documents, expected = prepare_messages([]), {}
    for version in versions:
        if is_indexed:
            documents.make_index()
        ranking(documents)
        documents = add_messages(documents, version)
        expected |= {message.event_id: message for message in version}
        assert ranking(documents) == ranking(prepare_messages([*expected.values()]))


@given(
    st.lists(
        st.tuples(
            MEMORIES,
            st.dictionaries(
                st.integers(1, 8), st.lists(st.integers(101, 108), max_size=2).map(tuple)
            ),
            st.sets(st.integers(101, 108)),
        ),
        min_size=2,
        max_size=4,
    ),
    MESSAGES,
)
def test_memories_with_some_new_or_changed_rank_as_memories_prepared_anew(versions, said):
    everything = {message.message_id: message.previous_stems for message in said}
    documents, expected, behind = PreparedMemories([], 0), {}, {}
    for version, (rows, sources, ids) in enumerate(versions, 1):
        stored = {id: before for id, before in everything.items() if id in ids}
        documents = documents.with_changes(rows, version, sources, stored)
        expected |= {row.id: row for row in rows}
        behind |= {row.id: sources.get(row.id, ()) for row in rows}
        fresh = PreparedMemories(expected.values(), version, behind, stored)
        assert documents.version == version
        assert tuple(documents.newest) == tuple(fresh.newest)
        assert documents.constraints == fresh.constraints
        assert [documents.get(id) for id in range(10)] == [fresh.get(id) for id in range(10)]
        assert documents.unapproved_messages == fresh.unapproved_messages
        messages = prepare_messages(said)
        scores = np.arange(1.0, len(said) + 1)
        links, fresh_links = (
            made.best_of_messages(scores, messages.message_ids) for made in (documents, fresh)
        )
        assert links.tolist() == fresh_links.tolist()
        for mode in WriteMode:
            quotable, fresh_quotable = (
                made.quotable(messages, mode) for made in (documents, fresh)
            )
            assert (quotable is None) == (fresh_quotable is None)
            assert quotable is None or quotable.tolist() == fresh_quotable.tolist()
        allowed, fresh_allowed = (
            made.recallable(CHANNELS, NOW, WritePolicy()) for made in (documents, fresh)
        )
        assert ranking(documents, allowed) == ranking(fresh, fresh_allowed)


def test_a_message_that_is_edited_ranks_by_its_new_words():
    times = {"said_at": at(minutes=1), "expires_at": at(days=60)}
    message = Said(1, 101, channel_id=1, source_id=1, text="tea", stems="tea", **times)
    edited = replace(message, text="oboe", stems="obo")
    assert add_messages(prepare_messages([message]), [edited]).text.texts() == ["obo"]


def test_texts_that_came_with_a_message_have_no_message_before_them():
    times = {"said_at": at(minutes=1), "expires_at": at(days=60)}
    message = Said(1, 101, channel_id=1, source_id=1, text="tea", stems="tea", **times)
    message.previous_stems = "oboe"
    attached = replace(message, event_id=-2, previous_stems="", label="[file]")
    documents = prepare_messages([message, attached])
    assert dict(StemsBefore(documents)) == {101: "oboe"}


def test_members_of_whom_nothing_is_known_share_what_is_empty():
    members = [(PreparedMemories([], 1), prepare_messages([]))]  # not counted: made before
    tracemalloc.start()
    members += [(PreparedMemories([], 1), prepare_messages([])) for _ in range(100)]
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken / 100 < 2_000, "bytes a member"


def test_a_field_to_which_texts_were_added_one_by_one_takes_little_memory():
    texts = [" ".join(f"stem{line}x{place}" for place in range(12)) for line in range(10)]
    fields = []
    tracemalloc.start()
    for _ in range(50):
        field = Field(texts[:1])
        for index, text in enumerate(texts[1:], 1):
            field = field.updated([index], [text])
        field.related_to_words([("x", frozenset(["stem1x1", "stem0x0"]))])
        fields.append(field)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken / len(fields) < 4_000, "bytes a field"
