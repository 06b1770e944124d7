"""Searching: a member's own memories, and a server's; the index never tells what is gone."""

from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, event, update

from tests import sql_server_rules
from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    NOON,
    at,
    make_memory,
    texts,
)
from tests.fakes.clock import ManualClock
from tests.fakes.faulty import away
from tests.integration.database.core.test_migrations import open_later
from tests.integration.residue import WORD
from tests.rows import each_row
from utils.common.errors import BadInput
from utils.database.memories import memories, search
from utils.database.schema import fts_index
from utils.database.schema.memory_tables import user_memory
from utils.memory.consolidation.wording import search_stems
from utils.memory.member_data import search as searching
from utils.memory.member_data.search import MemorySearch
from utils.models.memory import Evidence, Member, Method, Status
from utils.models.plan import NewMemory, Plan

OTHER_GUILD = 2
HERE = frozenset({CHANNEL})
SECRET_CHANNEL = 666


async def remember(database, text, member=ADA, *, topics=(), source="", **given):
    """Store one memory as an extraction would; returns its id."""
    row = make_memory(text, topics=topics, **given)
    new = NewMemory(
        text=text,
        topics=topics,
        importance=row.importance,
        kind=row.kind,
        fact_key="",
        source=row.source,
        status=row.status,
        confidence=row.confidence,
        channel_id=row.channel_id,
        stems=search_stems(text, source),
        expires_at=row.expires_at,
        evidence=Evidence(row.id, row.channel_id, text, Method.MODEL, NOON),
    )
    (row_id,) = await database.write(
        memories.apply_plan, member, Plan(inserts=(new,)), now=NOON, actor_id=0
    )
    return row_id


@pytest.fixture(params=["with an index", "without"])
async def searched(request, database):
    """A database as it is, and one whose SQLite had no FTS5 when it was made."""
    if request.param == "without":
        await database.write(without_index)
    return database


def without_index(connection):
    if fts_index.exists(connection):
        for trigger in fts_index.TRIGGERS:
            connection.exec_driver_sql(f"DROP TRIGGER {trigger}")
        connection.exec_driver_sql(f'DROP TABLE "{fts_index.NAME}"')
        connection.exec_driver_sql('DROP VIEW "MemoryWords"')


@pytest.fixture
async def with_pets(searched):
    await remember(searched, "has a cat")
    await remember(searched, "has a dog")


@pytest.fixture
def searcher(searched):
    return MemorySearch(searched, ManualClock())


async def in_server(searcher, words, sources=HERE):
    return texts((await searcher.of_server(GUILD, words, sources)).rows)


# --- what is found ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("has a dog named Rex", "dogs"),
        ("犬の名前はレックスです", "レックス"),
        ("reacts with 🤣 and 🫠", "🫠"),
        ("I have a dog named Bo", "Bo"),  # a stop word in Polish
        ("I have a cat named Mes", "Mes"),  # one in French, which a word alone is taken for
    ],
)
async def test_a_word_is_found_in_any_form(searched, searcher, text, asked):
    await remember(searched, text)
    await remember(searched, "plays chess on Fridays")
    assert await in_server(searcher, asked) == [text]
    assert texts((await searcher.of_member(ADA, asked)).rows) == [text]


async def test_all_words_must_be_there_and_the_newest_comes_first(searched, searcher):
    await remember(searched, "has a dog named Rex")
    await remember(searched, "walks the dog at night", BOB)
    await remember(searched, "has a cat named Rex", BOB)
    assert await in_server(searcher, "dog") == ["walks the dog at night", "has a dog named Rex"]
    assert await in_server(searcher, "rex dog") == ["has a dog named Rex"]
    assert await in_server(searcher, "rex dog night") == []


async def test_topics_are_searched_too(searched, searcher):
    await remember(searched, "is good at Elden Ring", topics=("games", "board nights"))
    for asked in ("game", "games", "board", "ring games"):
        assert await in_server(searcher, asked) == ["is good at Elden Ring"]
        assert len((await searcher.of_member(ADA, asked)).rows) == 1


async def test_what_else_was_said_is_not_searched(searched, searcher):
    await remember(searched, "has a dog", source="my dog was named by my landlord")
    assert await in_server(searcher, "landlord") == []
    assert await in_server(searcher, "univ") == []
    assert await in_server(searcher, "og") == []


async def test_only_what_may_be_seen_is_found(searched, searcher):
    await remember(searched, "has an open dog")
    await remember(searched, "has a secret dog", channel_id=SECRET_CHANNEL)
    await remember(searched, "has a dog elsewhere", Member(OTHER_GUILD, ADA.user_id))
    await remember(searched, "has a dog in private", Member(0, ADA.user_id))
    await remember(searched, "has an expired dog", expires_at=at(days=-1))
    await remember(searched, "has a passing dog", expires_at=at(days=1))
    assert await in_server(searcher, "dog") == ["has a passing dog", "has an open dog"]
    assert await in_server(searcher, "dog", frozenset()) == []
    both = await in_server(searcher, "dog", frozenset({CHANNEL, SECRET_CHANNEL}))
    assert both == ["has a passing dog", "has a secret dog", "has an open dog"]
    own = texts((await searcher.of_member(ADA, "dog")).rows)
    assert own == both
    assert texts((await searcher.of_member(ADA, "dog", HERE)).rows) == [own[0], own[2]]


async def test_what_waits_is_found_and_what_was_replaced_is_not(searched, searcher):
    ids = {}
    for status in (Status.ACTIVE, Status.PROPOSED, Status.SHADOW):
        ids[status] = await remember(searched, f"has a {status} dog", status=status)
    found = ["has a shadow dog", "has a proposed dog", "has a active dog"]
    assert await in_server(searcher, "dog") == found
    for status in (Status.SUPERSEDED, Status.FORGOTTEN):
        await searched.write(set_values(ids[Status.ACTIVE], Status=status))
        assert await in_server(searcher, "dog") == found[:2]
    await searched.write(set_values(ids[Status.ACTIVE], Status=Status.ACTIVE))
    assert await in_server(searcher, "dog") == found


def set_values(row_id, **values):
    return lambda connection: connection.execute(
        update(user_memory).where(user_memory.c.Id == row_id).values(values)
    )


async def test_a_row_is_found_by_what_it_says_now(searched, searcher):
    row_id = await remember(searched, "has a dog", topics=("pets",))
    await searched.write(set_values(row_id, SearchStems=search_stems("has a cat", "")))
    assert await in_server(searcher, "dog") == []
    assert len(await in_server(searcher, "cat")) == 1
    await searched.write(set_values(row_id, Topics="animals"))
    assert await in_server(searcher, "pets") == []
    assert len(await in_server(searcher, "animal cat")) == 1
    await searched.write(set_values(row_id, GuildId=OTHER_GUILD))
    assert await in_server(searcher, "cat") == []
    await searched.write(lambda connection: memories.remove(
        connection, Member(OTHER_GUILD, ADA.user_id), [row_id], "removed", now=NOON, actor_id=0
    ))  # fmt: skip
    assert (await searcher.of_server(OTHER_GUILD, "cat", HERE)).rows == ()


# --- limits -------------------------------------------------------------------------------------


async def test_what_is_found_beyond_the_limit_is_cut_and_it_says_so(
    searched, searcher, monkeypatch
):
    monkeypatch.setattr(searching, "MAX_FOUND", 4)
    for number in range(5):
        await remember(searched, f"dog number {number}", Member(GUILD, number + 1))
    found = await searcher.of_server(GUILD, "dog", HERE)
    assert texts(found.rows) == [f"dog number {number}" for number in range(4, 0, -1)]
    assert found.has_more
    await remember(searched, "cat", ADA)
    assert not (await searcher.of_server(GUILD, "cat", HERE)).has_more


async def test_a_search_stops_early_and_says_so(searched, searcher, monkeypatch):
    monkeypatch.setattr(search, "MAX_EXAMINED", 4)
    monkeypatch.setattr(search, "PAGE", 2)
    await remember(searched, "has a dog named Rex")
    for number in range(4):
        await remember(searched, f"has dog {number}", channel_id=SECRET_CHANNEL)
    found = await searcher.of_server(GUILD, "dog", HERE)
    assert found.rows == ()
    assert found.looked_at == 4
    whole = await searcher.of_server(GUILD, "rex dog", HERE)
    is_indexed = await searched.read(fts_index.exists)
    assert (len(whole.rows), whole.looked_at) == ((1, None) if is_indexed else (0, 4))


# --- hostile input ------------------------------------------------------------------------------


@each_row(
    ("words", "sentence"),
    [
        ("", searching.NO_WORDS),
        (" \n\t\x00", searching.NO_WORDS),
        ("the of and is", searching.NO_WORDS),
        ("\"'()*^:{}-+", searching.NO_WORDS),
        ("%[_]\\", searching.NO_WORDS),
        ("word " * 800, searching.TOO_LONG),
        ("x" * 201, searching.TOO_LONG),
        (" ".join(f"a{n}" for n in range(25)), searching.TOO_MANY),
    ],
)
async def test_what_cannot_be_searched_for_gets_one_sentence(searched, searcher, words, sentence):
    with away(searched), pytest.raises(BadInput, match="^" + sentence[:20]):
        await searcher.of_server(GUILD, words, HERE)
    with away(searched), pytest.raises(BadInput, match="^" + sentence[:20]):
        await searcher.of_member(ADA, words)


@each_row(
    "words",
    [
        'dog" OR "cat',
        "dog OR cat",
        "dog NOT rex",
        "NEAR(dog cat)",
        "Words : dog",
        "dog*",
        "^dog",
        "dog AND (",
        "dog\x00",
        "{dog}",
        "g_1",
        "%dog%",
        "[a-z]og",
        "d_g",
        "'; DROP TABLE UserMemory; --",
        "\ud800 dog",
        "🦊" * 150,
        "犬" * 25,
        "\u202edog",
        "Z" + "\u0337" * 150,
    ],
)
async def test_nothing_that_is_typed_is_an_operator(with_pets, searcher, words):
    try:
        found = await in_server(searcher, words)
    except BadInput as error:
        assert str(error) in (searching.NO_WORDS, searching.TOO_MANY)
        return
    is_just_dog = "".join(filter(str.isalpha, words)) in ("dog", "dogAND")
    assert found == (["has a dog"] if is_just_dog else [])


# --- erased ---------------------------------------------------------------------------------------


async def test_the_index_holds_what_is_known_and_nothing_of_what_was_forgotten(home):
    await home.tell(f"I keep a {WORD} at home")
    await home.tell("I play chess")
    assert any("MemorySearch" in place for place in await home.residue()) or "mssql" in home.url
    shown = await home.member_data.show(ADA)
    (known,) = [row for row in shown.rows if WORD in row.text]
    await home.keeper.forget(ADA, known.id)
    assert await home.residue() == []
    searcher = MemorySearch(home.database, home.clock)
    assert len((await searcher.of_server(GUILD, "chess", HERE)).rows) == 1


async def test_the_index_of_a_large_file_is_written_anew_at_once(home):
    await home.tell(f"I keep a {WORD} at home")
    ids = [row.id for row in (await home.member_data.show(ADA)).rows]
    await home.database.write(memories.remove, ADA, ids, "removed", now=NOON, actor_id=0)
    if not await home.database.read(fts_index.exists):
        return

    async def index_holds():
        return [place for place in await home.residue() if place.startswith(fts_index.NAME)]

    assert await index_holds()  # once this fails, nothing needs to be written anew
    await home.database.scrub(at_most_bytes=0)  # nothing is rebuilt
    assert not await index_holds()


# --- the index itself -----------------------------------------------------------------------------


@contextmanager
def sqlite_without_fts5():
    """Let SQLite say that it knows no FTS5."""

    def lie(_connection, _cursor, statement, parameters, _context, _many):
        return statement.replace("name = 'fts5'", "name = 'none'"), parameters

    event.listen(Engine, "before_cursor_execute", lie, retval=True)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", lie)


async def test_a_sqlite_without_fts5_looks_at_the_newest(tmp_path):
    database = open_later(f"sqlite:///{tmp_path / 'kith.db'}")
    with sqlite_without_fts5():
        await database.open()
        assert fts_index.NOT_THERE in await database.check()
        await remember(database, "has a dog named Rex")
        assert await in_server(MemorySearch(database, ManualClock()), "dogs") == [
            "has a dog named Rex"
        ]
        await database.compact()
    await database.close()


async def test_on_sql_server_stems_are_compared_exactly_and_wildcards_are_none(monkeypatch):
    seen = []

    class Server:
        class dialect:
            name = "mssql"

        def scalar(self, statement):
            seen.append(sql_server_rules.compiled(statement))
            return 7

        def execute(self, statement, _given):
            seen.append(sql_server_rules.compiled(statement))
            seen.append(statement.compile().params)
            return self

        def all(self):
            return []

    found = search.search_newest(Server(), GUILD, [["a[b%_"]], HERE, bool, now=NOON, limit=1)
    assert found.looked_at == search.MAX_EXAMINED
    floor, scan, given = seen
    assert "ORDER BY [UserMemory].[Id] DESC" in floor
    assert "OFFSET" in floor
    assert scan.startswith("SELECT TOP ")
    assert "[SearchStems] COLLATE Latin1_General_100_BIN2) LIKE" in scan
    assert "ESCAPE '\\'" in scan
    assert "%a\\[b\\%\\_%" in given.values()
