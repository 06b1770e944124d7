"""Documents that others follow, and what documents have of each other's words."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fakes.builders import at, make_memory
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.corpus import Corpus, Links
from utils.memory.recall.documents import prepare_messages
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.memory.recall.ranking import COVERAGE, find_matches, rank, rank_linked
from utils.models.memory import Form, Kind, Status
from utils.models.recall import Said
from utils.nlp.stemming import stems

WORDS = ("tea", "oboe", "harp", "yesterday", "lake", "teas", "rowingboats", "boats")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
NOW = at(days=40)
CHANNELS = (1, 2)

messages = st.builds(
    lambda id, channel_id, minutes, text, previous, about, label: Said(
        event_id=id,
        message_id=id + 100,
        channel_id=channel_id,
        source_id=channel_id,
        text=text,
        said_at=at(minutes=minutes),
        expires_at=at(days=60),
        stems=" ".join(stems(text)),
        previous_stems=previous,
        about_stems=about,
        label=label,
    ),
    st.integers(1, 12),
    st.sampled_from(CHANNELS),
    st.integers(0, 120),
    TEXTS,
    TEXTS,
    TEXTS,
    st.sampled_from(["", "", "[file]"]),
)
MESSAGES = st.lists(messages, max_size=9, unique_by=lambda message: message.event_id)
QUESTIONS = st.sampled_from(
    ["when was tea with the oboe at the lake?", "I took the boat.", "Which rowing boat, and when?"]
)


def ranking(documents, question):
    """Return everything that a ranking says."""
    query, everything = Query.of(question, ()), np.ones(len(documents), np.bool_)
    return [
        (match.row, round(match.score, 9), match.terms)
        for match in rank(documents, query, everything, RecallPolicy())
    ]


@settings(max_examples=settings.default.max_examples // 3)
@given(MESSAGES, st.lists(st.integers(0, 9), max_size=3), QUESTIONS)
def test_messages_that_follow_others_rank_as_if_all_were_prepared_at_once(said, cuts, question):
    bounds = [0, *sorted(min(cut, len(said)) for cut in cuts), len(said)]
    documents = prepare_messages(said[: bounds[1]])
    for first, last in pairwise(bounds[1:]):
        ranking(documents, question)
        documents = documents.followed_by(prepare_messages(said[first:last]))
    at_once = prepare_messages(said)
    assert list(documents) == said
    assert ranking(documents, question) == ranking(at_once, question)
    for exclude_ids in ((), [said[0].message_id] if said else ()):
        readable, expected = (
            made.readable([2], at(), exclude_ids) for made in (documents, at_once)
        )
        assert readable.tolist() == expected.tolist()


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
MEMORIES = st.lists(memories, max_size=5, unique_by=lambda row: row.id)
BEHIND = st.dictionaries(st.integers(1, 8), st.lists(st.integers(101, 104), max_size=2))


@settings(max_examples=settings.default.max_examples // 3)
@given(MEMORIES, MEMORIES, BEHIND, BEHIND, QUESTIONS)
def test_memories_with_added_ones_are_those_that_are_prepared_anew(
    before, after, behind, behind_added, question
):
    added = [replace(row, id=row.id + 10) for row in after]
    sources = {id: tuple(ids) for id, ids in behind.items()}
    added_sources = {id + 10: tuple(ids) for id, ids in behind_added.items()}
    then = PreparedMemories(before, 1, sources).with_added(
        PreparedMemories(added, 2, added_sources)
    )
    anew = PreparedMemories([*before, *added], 2, {**(sources if before else {}), **added_sources})
    assert (then.version, list(then), list(then.newest)) == (2, list(anew), list(anew.newest))
    assert (list(then.constraints), then.messages) == (list(anew.constraints), anew.messages)
    assert then.with_ids(range(20)) == anew.with_ids(range(20))
    for name in ("is_active", "is_quote", "is_unapproved", "kinds"):
        assert getattr(then, name).tolist() == getattr(anew, name).tolist()
    assert then.confidence_at(NOW).tolist() == anew.confidence_at(NOW).tolist()
    assert then.behind.rows.tolist() == anew.behind.rows.tolist()
    assert ranking(then, question) == ranking(anew, question)


def said(id, text, **given):
    times = {"said_at": at(minutes=id), "expires_at": at(days=60)}
    return Said(id, id + 100, 1, 1, text, stems=" ".join(stems(text)), **times, **given)


def covered(question, rows, behind, messages, unused=()):
    """Return the ids of the memories and messages that have any word of a question."""
    memories, documents = PreparedMemories(rows, 1, behind), prepare_messages(messages)
    corpus = Corpus([memories, documents], Links(memories, documents))
    allowed = ~np.isin(corpus.ids, unused)
    matches = find_matches(corpus, Query.of(question), allowed, RecallPolicy())
    return tuple(corpus.ids[part][matches.is_match[part]].tolist() for part in corpus.slices)


def test_a_message_has_the_words_of_the_memories_that_rest_on_it():
    rows = [make_memory("likes oolong", id=1), make_memory("sings", id=2, stems="sing\noolong")]
    messages = [said(1, "that one"), said(2, "and that"), said(3, "no"), said(4, "mine")]
    behind = {1: (101, 102), 2: (103,), 9: (104,)}
    assert covered("oolong?", rows, behind, messages) == ([1, 2], [1, 2])


def test_what_came_with_a_message_has_no_words_of_its_memories():
    rows = [make_memory("likes oolong", id=1)]
    messages = [said(1, "this"), said(-1, "a picture", label="[image]")]
    messages[1].message_id = 101
    assert covered("oolong?", rows, {1: (101,)}, messages) == ([1], [1])


def test_a_memory_has_the_message_before_its_first_message():
    messages = [said(1, "yes", previous_stems="oolong"), said(2, "no", previous_stems="oolong")]
    rows = [make_memory("paints", id=1), make_memory("swims", id=3)]
    behind = {1: (101,), 3: (109, 102, 101)}
    assert covered("oolong?", rows, behind, messages) == ([1, 3], [1, 2])


@pytest.mark.parametrize(
    ("place", "unused", "found"),
    [
        (1, (), [11, 12, 80]),
        (1, [12], [11, 80]),  # such as a request that was carried out
        (2, [12], [80]),  # asked where others read
    ],
)
def test_a_message_has_the_words_of_what_was_answered_to_it_but_its_memories_have_not(
    place, unused, found
):
    messages = [
        replace(said(12, "a picture"), event_id=-1, label="[image]"),
        *(said(id, "no", previous_stems="oolong" * (id > 11)) for id in (1, 11, 12, 80)),
    ]
    messages[3].source_id = place
    assert covered("oolong?", [make_memory("paints", id=1)], {1: (111,)}, messages, unused) == (
        [],
        found,
    )


def test_a_word_counts_where_it_counts_most():
    """The text itself before the message before, and that before a part of a compound."""
    policy = RecallPolicy(previous_share=0.5, category_share=0.25)
    documents = prepare_messages(
        [
            said(1, "boats", previous_stems="boat"),
            said(2, "rowingboats", previous_stems="boat"),
            said(3, "rowingboats", previous_stems=""),
        ]
    )
    everything = np.ones(3, np.bool_)
    matches = find_matches(Corpus([documents]), Query.of("boats?"), everything, policy)
    coverage = matches.terms[COVERAGE]
    assert (coverage / coverage.max()).tolist() == [1.0, 0.5, 0.25]


@settings(max_examples=settings.default.max_examples // 3)
@given(MESSAGES, st.dictionaries(st.integers(1, 4), st.lists(st.integers(101, 112), max_size=3)))
def test_links_are_the_pairs_of_memories_and_messages(said, behind):
    rows = [make_memory("sings", id=id) for id in (3, 1, 2)]
    documents, memories = prepare_messages(said), PreparedMemories(rows, 1, behind)
    links = Links(memories, documents)
    pairs = [
        (rows[row].id, said[message].event_id, is_said)
        for row, message, is_said in zip(links.memories, links.messages, links.is_said, strict=True)
    ]
    assert sorted(pairs) == sorted(
        (row.id, message.event_id, not message.label)
        for row in rows
        for message_id in behind.get(row.id, ())
        for message in said
        if message.message_id == message_id
    )


def test_ranking_without_any_links_or_documents_is_no_error():
    memories, documents = PreparedMemories([], 1), prepare_messages([])
    corpus = Corpus([memories, documents], Links(memories, documents))
    matches = find_matches(corpus, Query.of("tea?"), np.ones(0, np.bool_), RecallPolicy())
    assert rank_linked(matches, RecallPolicy()) == ([], [])
