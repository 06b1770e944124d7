"""People named in plain words: exact names as whole words, and no guesses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utils.nlp.person_names import NameIndex

ALEX, SMITH, WILL, TANAKA, ZOE, REX = range(1, 7)


@pytest.fixture
def index():
    made = NameIndex()
    made.add(ALEX, ("Alex", "alexander_99"))
    made.add(SMITH, ("Mary Ann Smith", "msmith"))
    made.add(WILL, ("Will",))
    made.add(TANAKA, ("田中", "アレン"))
    made.add(ZOE, ("Zoë 🦊",))
    made.add(REX, ("Rex (he/him)", "민수"))
    return made


def ids(index, text):
    return list(index.find(text).values())


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("what does Alex like?", ALEX),
        ("what does ALEX like?", ALEX),
        ("is that alex's dog?", ALEX),
        ("ask alexander_99 about it", ALEX),
        ("when did mary ann smith move?", SMITH),
        ("when did Mary move?", SMITH),
        ("did Zoë call?", ZOE),
        ("tell rex", REX),
        ("田中さんは何が好き？", TANAKA),
        ("昨日アレンと話した", TANAKA),
        ("민수는 뭐 해?", REX),
        ("is it true that Will moved?", WILL),
        ("did @will call?", WILL),
        ("wo ist Zoës Hund?", ZOE),
    ],
)
def test_a_name_is_found(index, text, who):
    assert ids(index, text) == [(who,)]


@pytest.mark.parametrize(
    "text",
    [
        "alexandra called",
        "Alexs",
        "two zoës",
        "die Wills dort",
        "aleks",
        "did Zoe call?",
        "ann called",
        "Smith called",
        "what will happen?",
        "Will you come?",
        "yes. Will you?",
        "> Will it work?",
        "中田さん",
        "アレンジが好き",
        "he said hi",
        "99",
        "",
        "🦊",
    ],
)
def test_what_is_not_exactly_a_name_is_none(index, text):
    assert ids(index, text) == []


def test_a_long_name_hides_the_shorter_one_in_it(index):
    index.add(7, ("Mary",))
    assert ids(index, "hello Mary Ann Smith") == [(SMITH,)]
    assert ids(index, "hello Mary") == [(SMITH, 7)]


def test_titles_and_numbers_and_single_letters_are_no_names():
    index = NameIndex()
    index.add(1, ("The Dude",))
    index.add(2, ("X", "1234"))
    assert ids(index, "the end, The End, x, 1234") == []
    assert ids(index, "what does the dude like?") == [(1,)]


def test_a_new_name_replaces_the_old_one(index):
    index.add(ALEX, ("Sasha",))
    assert ids(index, "Alex and Sasha") == [(ALEX,)]
    index.remove(ALEX)
    assert ids(index, "Alex and Sasha") == []
    index.remove(ALEX)


def test_so_many_people_and_no_more():
    index = NameIndex(3)
    for number in range(10):
        index.add(number, (f"name{number}",))
    assert len(index) == 3
    assert ids(index, "name0 name6 name7 name8 name9") == [(7,), (8,), (9,)]


names = st.text(st.sampled_from("aAbß é田中アの민 .@_1"), max_size=8)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.lists(names, max_size=3)), max_size=20),
    st.text(st.sampled_from("aAbß é田中アの민 .@_1"), max_size=40),
)
def test_only_people_who_are_there_are_found_and_removing_all_leaves_nothing(steps, text):
    index = NameIndex(4)
    for user_id, given_names in steps:
        index.add(user_id, tuple(given_names))
        for user_ids in index.find(text).values():
            assert user_ids
            assert all(index.names_of(user_id) for user_id in user_ids)
    for user_id in range(6):
        index.remove(user_id)
    assert not index._user_ids
    assert not index._lengths
