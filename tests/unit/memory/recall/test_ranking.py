"""Lexical match, conversation and channel -> order."""

from datetime import UTC

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import at, make_memory, texts
from tests.rows import each_row
from utils.memory.consolidation.wording import search_stems
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.corpus import Corpus, Links
from utils.memory.recall.documents import prepare_messages
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.memory.recall.ranking import find_matches, rank, rank_linked
from utils.models.memory import Importance, Kind
from utils.models.recall import Said
from utils.nlp.stemming import stems

NOW = at(days=1)
ANY = np.True_


def found(question, *rows, names=(), channel=(), may=lambda row: True, policy=None):
    query = Query.of(question, names, channel)
    documents = PreparedMemories(rows, 1)
    ranked = rank(documents, query, documents.where(may), policy or RecallPolicy())
    return texts(one.row for one in ranked)


DOG = make_memory("has a dog named Rex", id=1)
TEA = make_memory("likes green tea", id=2)
OBOE = make_memory("plays the oboe", id=3)


def test_the_row_that_the_question_is_about_is_found_and_no_other():
    assert found("what do I drink? green tea?", DOG, TEA, OBOE) == ["likes green tea"]
    assert found("how is the weather", DOG, TEA, OBOE) == []


def test_terms_are_shares_of_the_best_and_a_sentence_counts_by_itself():
    documents = PreparedMemories([OBOE, make_memory("plays the oboe for a dog", id=4)], 1)
    query = Query.of("My dog is ill. Who plays oboe music?")
    ranked = rank(documents, query, documents.where(lambda row: True), RecallPolicy())
    (both, sentence_of_both), (one, sentence_of_one) = (
        (match.terms["text"], match.terms["sentence"]) for match in ranked
    )
    assert both == 1.0 > one
    assert sentence_of_both / both < sentence_of_one / one


def test_what_was_said_around_it_finds_a_row_too():
    row = make_memory("is named Rex", stems=search_stems("is named Rex", "my terrier"))
    assert found("terrier", row) == ["is named Rex"]


def test_topics_are_found_behind_stems_of_any_number_of_lines():
    for lines in ("dog", "dog\nmessag", "dog\nmessag\nbefor"):
        row = make_memory("has a dog", stems=lines, topics=("boats", "sailing"))
        assert found("sailing", row) == ["has a dog"], lines


def test_names_of_the_people_concerned_are_not_searched_for():
    assert found("Ada, tea?", make_memory("Ada is great", id=9), TEA, names=["Ada"]) == [TEA.text]


def test_the_channels_topic_brings_rows_that_the_words_do_not():
    support = make_memory("mains a support", topics=("dota", "games"))
    assert found("anybody?", DOG, support, channel=["dota"]) == ["mains a support"]
    assert found("anybody?", DOG, support, channel=["general"]) == []


def test_what_may_not_be_recalled_is_not_and_does_not_raise_the_bar():
    strong = make_memory("green green tea tea", id=4)
    assert found("green tea", strong, TEA, may=lambda row: row.id != 4) == [TEA.text]


def test_scripts_without_spaces_are_searched_too():
    row = make_memory("犬の名前はレックスです", id=7)
    assert found("犬の名前は？", row, TEA) == [row.text]


def test_no_rows_and_no_question_are_no_error():
    assert found("") == []
    assert found("tea") == []
    assert found("", DOG) == []
    assert found("🙂 \ud800 \x00", DOG) == []


WORDS = ["tea", "dog", "rex", "oboe", "berlin", "named", "likes", "plays", "green"]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
ROWS = st.lists(
    st.builds(
        dict,
        text=SENTENCES,
        importance=st.sampled_from(Importance),
        kind=st.sampled_from(Kind),
        created_at=st.integers(0, 100).map(lambda n: at(days=-n)),
        topics=st.lists(st.sampled_from(WORDS), max_size=2).map(tuple),
    ),
    max_size=12,
)


def made(drawn):
    return [make_memory(id=number, **row) for number, row in enumerate(drawn, 1)]


@given(ROWS, SENTENCES, st.randoms(use_true_random=False))
def test_the_order_rows_are_stored_in_does_not_matter(drawn, question, random):
    rows = made(drawn)
    assert found(question, *rows) == found(question, *random.sample(rows, len(rows)))


@given(ROWS, SENTENCES, st.sets(st.integers(1, 12)))
def test_only_what_may_be_recalled_is_ever_returned_and_nothing_twice(drawn, question, allowed):
    rows = made(drawn)
    query = Query.of(question, (), ["dog"])
    documents = PreparedMemories(rows, 1)
    may = documents.where(lambda row: row.id in allowed)
    ranked = rank(documents, query, may, RecallPolicy())
    ids = [one.row.id for one in ranked]
    assert set(ids) <= allowed
    assert len(ids) == len(set(ids))


@given(ROWS, SENTENCES, SENTENCES)
def test_an_irrelevant_row_never_puts_a_fitting_one_under_the_floor(drawn, question, unrelated):
    rows = made(drawn)
    everything = make_memory(question, id=900)
    other = make_memory(" ".join(f"zz{word}" for word in unrelated.split()), id=901)
    assert everything.text in found(question, *rows, everything, other)


@each_row(
    ("row", "question"),
    [
        ("hat einen Hund namens Rex", "Wie heißt dein Hund?"),
        ("aime les échecs", "On joue aux échecs ?"),
        ("toca la guitarra", "¿Quién toca guitarra?"),
        ("mora em Lisboa", "Lisboa é bonita?"),
        ("любит зелёный чай", "Кто пьёт чай?"),
        ("犬の名前はレックスです", "犬の名前は？"),
        ("他喜欢喝绿茶", "谁喝绿茶？"),
        ("يحب القهوة", "من يحب القهوة؟"),
        ("mag ramen ラーメン", "ラーメン or pizza?"),
    ],
)
def test_every_language_is_found_by_its_own_words(row, question):
    assert found(question, make_memory(row, id=4), OBOE) == [row]


@each_row("question", ["", "Ada", "the of and", "🙂🎉", "x" * 4000, "tea? " * 800])
def test_any_question_is_answered_without_an_error(question):
    assert set(found(question, DOG, TEA, names=["Ada"])) <= {DOG.text, TEA.text}


def test_a_day_that_is_named_finds_what_was_said_on_it():
    old = make_memory("went to the lake", id=4, created_at=at(days=-40))
    query = Query.of(f"what happened on {at(days=-40):%d %B %Y}?", (), (), NOW, UTC)
    ranked = rank(PreparedMemories([old, TEA], 1), query, ANY, RecallPolicy(), zone=UTC)
    assert texts(one.row for one in ranked) == ["went to the lake"]


def test_a_question_about_a_category_finds_what_belongs_to_it_after_the_word_itself():
    cobbler = make_memory("makes a great peach cobbler", id=4)
    dessert = make_memory("makes a great lemon dessert", id=5)
    assert found("Which desserts?", cobbler, dessert, TEA) == [dessert.text, cobbler.text]
    assert found("Welche Haustiere hast du?", make_memory("mein Hund heißt Rex", id=6)) != []
    nothing = RecallPolicy(category_share=0.0)
    assert found("Which desserts?", cobbler, dessert, TEA, policy=nothing) == [dessert.text]


SAID = [
    Said(
        event_id=number,
        message_id=100 + number,
        channel_id=1,
        source_id=1,
        text=text,
        said_at=at(days=-number),
        expires_at=at(days=60),
        stems=" ".join(stems(text)),
    )
    for number, text in enumerate(["nothing new", "we sailed to Elba", "my harbour"], 1)
]


def linked(question, memories, behind, may_see=ANY, is_limited=True):
    query, policy = Query.of(question), RecallPolicy()
    said = prepare_messages(SAID)
    rows = PreparedMemories(memories, 1, behind)
    corpus = Corpus([rows, said], Links(rows, said))
    allowed = np.concatenate([np.ones(len(rows), np.bool_), np.ones(len(SAID), np.bool_) & may_see])
    matches = find_matches(corpus, query, allowed, policy)
    ranked, messages = rank_linked(matches, policy, is_limited=is_limited)
    return texts(one.row for one in ranked), [one.row.event_id for one in messages]


def test_a_memory_is_found_by_its_message_and_a_message_by_its_memory():
    trip = make_memory("travelled by boat", id=7)
    assert linked("Who sailed?", [trip, TEA], {}) == ([], [2])
    assert linked("Who sailed?", [trip, TEA], {7: (102,)}) == (["travelled by boat"], [2])
    assert linked("Which boat?", [trip, TEA], {7: (103, 102)})[1] == [2, 3]
    assert linked("Which boat?", [trip, TEA], {7: (103,)}, is_limited=False)[1] == [3]


def test_a_message_that_may_not_be_seen_here_lends_a_memory_nothing():
    trip, hidden = make_memory("travelled by boat", id=7), np.array([True, False, True])
    assert linked("Who sailed?", [trip], {7: (102,)}, may_see=hidden) == ([], [])
    assert linked("Which boat?", [trip], {7: (102,)}, may_see=hidden) == ([trip.text], [])


def test_what_does_not_match_by_words_may_by_meaning():
    query = Query.of("which brew?")
    ranked = rank(
        PreparedMemories([DOG, TEA], 1),
        query,
        np.ones(2, np.bool_),
        RecallPolicy(),
        similarities={TEA.id: 0.8},
    )
    assert [one.row.id for one in ranked] == [TEA.id]


def close(similarities, may=lambda row: True):
    """The ids of the memories that a question matches by meaning alone, best first."""
    rows = [make_memory("x" * id, id=id) for id in range(1, 41)]
    documents = PreparedMemories(rows, 1)
    query = Query.of("which beverage?")
    allowed = documents.where(may)
    ranked = rank(documents, query, allowed, RecallPolicy(), similarities=similarities)
    return [one.row.id for one in ranked]


@each_row(("lowest", "share"), [(0.0, 1.0), (0.7, 0.3), (0.1, 0.2), (-0.1, 0.5)])
def test_what_stands_out_matches_whatever_cosines_a_model_gives(lowest, share):
    cosines = {id: 0.01 * id for id in range(1, 39)} | {39: 0.9, 40: 0.7}
    assert close({id: lowest + share * cosine for id, cosine in cosines.items()}) == [39, 40]


def test_a_memory_that_may_not_be_recalled_takes_no_meaning_from_others():
    cosines = {1: 0.2, 2: 0.05, 3: 0.05, 4: 0.05, 5: 0.05}
    assert close(cosines) == close({**cosines, 6: 0.99}, lambda row: row.id != 6) == [1]
