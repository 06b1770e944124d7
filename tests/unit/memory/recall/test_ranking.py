"""Lexical match, conversation and channel -> order."""

from datetime import UTC

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import at, make_memory, texts
from tests.rows import each_row
from utils.memory.consolidation.wording import search_stems
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.documents import Links, prepare_messages
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.memory.recall.ranking import match, match_linked, rank, rank_linked
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


def test_endings_do_not_matter():
    assert found("playing oboes", DOG, TEA, OBOE) == ["plays the oboe"]


def test_nothing_is_padded_when_nothing_fits():
    assert found("how is the weather", DOG, TEA, OBOE) == []


def test_what_was_said_around_it_finds_a_row_too():
    row = make_memory("is named Rex", stems=search_stems("is named Rex", "my terrier", "your pet?"))
    assert found("terrier", row) == found("pet", row) == ["is named Rex"]


def test_words_of_the_memory_weigh_more_than_words_around_it():
    said = make_memory("is fine", id=4, stems=search_stems("is fine", "tea is nice", ""))
    assert found("tea", said, TEA) == ["likes green tea", "is fine"]


def test_a_row_is_found_by_another_form_of_a_word_and_by_a_synonym():
    rome = make_memory("went to Rome with her mom", id=4)
    assert found("when does she go there?", DOG, rome) == [rome.text]
    assert found("how is her mother?", DOG, rome) == [rome.text]
    rad = make_memory("fährt jeden Tag mit dem Rad", id=5)
    assert found("ist Ada mit dem Fahrrad gefahren?", TEA, rad) == [rad.text]


@each_row(
    ("memory", "name"),
    [
        ("Mein Bruder Michael wohnt in Köln und arbeitet dort.", "Michael"),
        ("Mein Bruder Peter wohnt in München und arbeitet dort.", "München"),
        ("Mon frère Philippe habite à Marseille avec sa femme.", "Philippe"),
        ("Mi hermano Carlos vive en Sevilla con su mujer.", "Carlos"),
        ("Mio fratello Giuseppe abita a Firenze con la moglie.", "Firenze"),
    ],
)
def test_a_name_is_found_in_whatever_language_it_was_said(memory, name):
    row = make_memory(memory, id=4)
    for question in (f"Kennst du {name}?", f"where does {name} live?", f"{name}?"):
        assert found(question, row, TEA) == [memory], question


def test_words_of_the_message_before_count_for_a_share():
    first = make_memory("is fine", id=4, stems=search_stems("is fine", "", "green tea?"))
    query, shares = Query.of("green tea?"), {}
    for share in (0.0, 0.5, 1.0):
        policy = RecallPolicy(previous_share=share)
        ranked = rank(PreparedMemories([first, TEA], 1), query, ANY, policy)
        terms = {one.row.id: one.terms for one in ranked}
        shares[share] = terms.get(first.id, {}).get("coverage", 0.0)
        assert terms[TEA.id]["coverage"] == policy.asking.coverage
    assert shares == {0.0: 0.0, 0.5: pytest.approx(1.5), 1.0: pytest.approx(3.0)}


def test_topics_help_to_find():
    row = make_memory("mains a support", topics=("league of legends",))
    assert found("shall we play league?", row) == ["mains a support"]


def test_names_of_the_people_concerned_are_not_searched_for():
    assert found("Ada, tea?", make_memory("Ada is great", id=9), TEA, names=["Ada"]) == [TEA.text]


def test_the_newer_of_two_equal_matches_comes_first():
    old = make_memory("likes black tea", id=4, created_at=at(days=-60))
    assert found("tea", old, make_memory("likes white tea", id=5)) == [
        "likes white tea",
        "likes black tea",
    ]


def test_importance_breaks_ties_and_only_ties():
    plain = make_memory("likes white tea", id=5)
    high = make_memory("likes black tea", id=4, importance=Importance.HIGH)
    assert found("tea", plain, high) == ["likes black tea", "likes white tea"]
    assert found("white tea", plain, high)[0] == "likes white tea"


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


def test_every_term_is_shown_and_the_score_is_their_sum():
    row = make_memory("likes green tea", topics=("drinks",))
    query = Query.of("tea", (), ["drinks"])
    policy = RecallPolicy()
    (one,) = rank(PreparedMemories([row], 1), query, ANY, policy)
    weights = policy.telling
    assert one.terms["text"] == weights.text
    assert one.terms["channel"] == weights.channel
    assert one.score == pytest.approx(sum(one.terms.values()))


def test_no_rows_and_no_question_are_no_error():
    assert found("") == []
    assert found("tea") == []
    assert found("", DOG) == []
    assert found("🙂 \ud800 \x00", DOG) == []


def test_a_row_without_stems_is_no_error():
    assert found("tea", make_memory("?", stems=""), TEA) == [TEA.text]


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


def test_words_of_one_sentence_count_more_than_of_two():
    rows = [make_memory("walks the dog", id=1), make_memory("piano and dog", id=2)]
    documents, query = PreparedMemories(rows, 1), Query.of("I walk the dog. The piano is new.")
    may = documents.where(lambda row: True)
    terms = {one.row.id: one.terms for one in rank(documents, query, may, RecallPolicy())}
    assert terms[1]["text"] == pytest.approx(terms[2]["text"])
    assert terms[1]["sentence"] == RecallPolicy().telling.sentence > terms[2]["sentence"] > 0


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


def test_a_statement_about_a_category_does_not_find_what_belongs_to_it():
    assert found("That was a nice dessert.", make_memory("makes peach cobbler", id=4)) == []


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
    links = Links(rows.behind, said)
    allowed = np.ones(len(rows), np.bool_), np.ones(len(SAID), np.bool_) & may_see
    ranked, messages = rank_linked(
        *match_linked((rows, said), links, query, allowed, policy),
        links,
        policy,
        is_limited=is_limited,
    )
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


def test_a_message_does_not_lend_its_score_for_statements():
    trip = make_memory("travelled by boat", id=7)
    assert linked("I sailed.", [trip], {7: (102,)})[0] == []


def test_what_does_not_match_by_words_may_by_meaning():
    query = Query.of("which brew?")
    ranked = rank(
        PreparedMemories([DOG, TEA], 1),
        query,
        ANY,
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


def test_a_single_memory_matches_by_meaning_and_an_opposite_one_does_not():
    assert close({1: 0.4}) == [1]
    assert close({1: -0.4}) == []


def test_a_memory_that_may_not_be_recalled_takes_no_meaning_from_others():
    cosines = {1: 0.2, 2: 0.05, 3: 0.05, 4: 0.05, 5: 0.05}
    assert close(cosines) == close({**cosines, 6: 0.99}, lambda row: row.id != 6) == [1]


def test_a_statement_finds_what_is_close_in_meaning_before_what_was_said_last():
    rows = [
        make_memory("sailed to Elba", id=number, created_at=at(days=-2 * number))
        for number in range(1, 10)
    ]
    documents, query = PreparedMemories(rows, 1), Query.of("I sailed.")
    every = np.ones(len(rows), np.bool_)

    def first(**given):
        return rank(documents, query, every, RecallPolicy(), **given)[0].row.id

    assert first() == 1
    assert first(similarities={**{row.id: 0.1 for row in rows}, 9: 0.9}) == 9


def test_among_many_cosines_only_one_that_stands_out_makes_a_member_related():
    rows = PreparedMemories([make_memory(f"fact {id}", id=id) for id in range(1, 41)], 1)
    alike = {id: 0.1 + 0.001 * (id % 5) for id in range(1, 41)}
    everything = np.ones(len(rows), np.bool_)

    def is_related(cosines):
        asked = Query.of("Where is the boat?")
        return match(rows, asked, everything, RecallPolicy(), similarities=cosines).is_related

    assert not is_related(alike)
    assert is_related(alike | {7: 0.4})
    assert is_related({7: 0.1})
    assert not is_related({99: 0.4})
