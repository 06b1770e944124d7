"""Searching a server's memories, newest first.

Uses SQLite's full-text index, or else scans the newest rows. Both only propose candidates; the
caller decides which of them match.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Integer,
    Unicode,
    and_,
    bindparam,
    literal_column,
    or_,
    select,
    text,
)

from utils.database.core.engine import Connection
from utils.database.core.queries import fetch_rows
from utils.database.memories import members, memories
from utils.database.schema import fts_index
from utils.database.schema.column_types import BINARY_COLLATION, constant
from utils.database.schema.fts_index import MAX_EXAMINED
from utils.database.schema.memory_tables import user_memory
from utils.models.memory import SERVER_USER_ID, Consent, Form, Memory, Status
from utils.models.recall import SearchResult

_MEMORY = user_memory.c

PAGE = 200  # rows at a time, at most
MAX_HITS = 2_000  # of the index, for an answer
MAX_NAMES = 1_000
ESCAPE = "\\"
MIN_BEGINNING_LENGTH = 3
_AFTER_ALL = 2**63 - 1
_HITS = f'SELECT rowid FROM "{fts_index.NAME}" WHERE "{fts_index.NAME}" MATCH :words'  # noqa: S608

_NEXT_HIT = f"{_HITS} AND rowid < :before ORDER BY rowid DESC LIMIT 1 OFFSET :limit"
_HITS_BETWEEN = f"{_HITS} AND rowid < :before AND rowid > :floor"


def search_newest(
    connection: Connection,
    guild_id: int,
    words: Sequence[Collection[str]],
    sources: Collection[int],
    is_match: Callable[[Memory], bool],
    *,
    now: datetime,
    limit: int,
) -> SearchResult:
    """Return up to ``limit`` of a server's memories that contain all of the words.

    ``words`` has, for each word, the stems under which it may be stored; ``sources`` are the
    channels that the asking user can read.
    """
    may_match, is_cut = _candidates(connection, guild_id, words, MAX_EXAMINED)
    rows: list[Memory] = []
    for page in _pages(connection, may_match, sources, now):
        rows += filter(is_match, page)
        if len(rows) > limit:
            return SearchResult(tuple(rows[:limit]), has_more=True)
    return SearchResult(tuple(rows), looked_at=MAX_EXAMINED if is_cut else None)


def _candidates(
    connection: Connection, guild_id: int, words: Sequence[Collection[str]], limit: int
) -> tuple[ColumnElement[bool], bool]:
    """Return the condition for a server's newest memories that may contain the words.

    With an index they are its newest ``limit`` hits; without one, those of the newest MAX_EXAMINED
    rows that seem to contain the words. Also returns whether older ones are left out.
    """
    if fts_index.exists(connection):
        is_hit, floor = hits(connection, guild_id, words, before=_AFTER_ALL, limit=limit)
        # The sum stops SQLite from using the index by server, in which it would read every row.
        return and_(_MEMORY.GuildId + 0 == guild_id, is_hit), floor is not None
    is_here = _MEMORY.GuildId == guild_id
    floor = connection.scalar(
        select(_MEMORY.Id).where(is_here).order_by(_MEMORY.Id.desc()).offset(MAX_EXAMINED).limit(1)
    )
    looks = (looks_like(connection, alternatives) for alternatives in words)
    return and_(is_here, _MEMORY.Id > (floor or 0), *looks), floor is not None


def _pages(
    connection: Connection, condition: ColumnElement[bool], sources: Collection[int], now: datetime
) -> Iterator[list[Memory]]:
    """Yield the memories from readable channels that meet a condition, a page at a time."""
    readable = _MEMORY.ChannelId.in_(sources)
    before = _AFTER_ALL
    while True:
        page = memories.load_newest(connection, now, PAGE, condition, readable, before > _MEMORY.Id)
        yield page
        if len(page) < PAGE:
            return
        before = page[-1].id


# --- with an index ------------------------------------------------------------------------------


def hits(
    connection: Connection,
    guild_id: int | None,
    words: Sequence[Collection[str]],
    *,
    before: int,
    limit: int,
) -> tuple[ColumnElement[bool], int | None]:
    """Propose the newest ``limit`` memories below an id, of a server or of all, by the index.

    Returns the condition, and the id of the next hit below, if there is one.
    """
    groups = (" OR ".join(map(_quoted, sorted(alternatives))) for alternatives in words)
    place = [] if guild_id is None else [_quoted(f"g_{guild_id}")]
    expression: BindParameter[str] = bindparam(
        "words", " AND ".join([*place, *(f"({group})" for group in groups)]), Unicode()
    )
    below: BindParameter[int] = bindparam("before", before)
    next_hit = text(_NEXT_HIT).bindparams(expression, below, bindparam("limit", limit))
    floor: int | None = connection.scalar(next_hit)
    between = text(_HITS_BETWEEN).bindparams(expression, below, bindparam("floor", floor or 0))
    ids = select(between.columns(rowid=Integer).subquery().c.rowid)
    return user_memory.c.Id.in_(ids), floor


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def newest_with_any(
    connection: Connection,
    guild_id: int,
    words: Sequence[Collection[str]],
    sources: Collection[int],
    now: datetime,
) -> list[Memory]:
    """Return a server's newest memories that contain any of the words, up to 200 of each word.

    Arguments are as in :func:`search_newest`.
    """
    rows: dict[int, Memory] = {}
    for word in words:
        may_match, _ = _candidates(connection, guild_id, [word], PAGE)
        page = next(_pages(connection, may_match, sources, now))
        rows |= {row.id: row for row in page}
    return list(rows.values())


# --- of other members ---------------------------------------------------------------------------


def notes_of_others(
    connection: Connection,
    guild_id: int,
    words: Sequence[Collection[str]],
    sources: Collection[int],
    exclude_ids: Collection[int],
    is_match: Callable[[Memory], bool],
    *,
    consent_default: Consent,
    now: datetime,
    limit: int,
) -> list[Memory]:
    """Return the newest matching note of each of up to ``limit`` members of a server.

    Members who may not be found are left out, and so are ``exclude_ids``. Of the notes that have
    all of the words, the newest MAX_HITS are looked at. The other arguments are those of
    :func:`search_newest`.
    """
    columns, found = user_memory.c, dict[int, Memory]()
    may_match, _ = _candidates(connection, guild_id, words, MAX_HITS)
    condition = and_(
        may_match,
        columns.UserId.not_in([SERVER_USER_ID, *exclude_ids]),
        columns.Status == constant(Status.ACTIVE),
        columns.Form == constant(Form.NOTE),
        members.is_findable(user_memory, consent_default),
    )
    for page in _pages(connection, condition, sources, now):
        for row in filter(is_match, page):
            found.setdefault(row.user_id, row)
        if len(found) >= limit:
            break
    return list(found.values())[:limit]


_NAME_NOTES = (
    select(user_memory.c.Id, user_memory.c.Memory)
    .where(
        user_memory.c.GuildId == bindparam("guild_id"),
        text("FactKey = 'name'"),  # a literal, so that both databases use the filtered index
        user_memory.c.Status == constant(Status.ACTIVE),
    )
    .order_by(user_memory.c.Id.desc())
    .limit(literal_column(str(MAX_NAMES)))
)


def stated_names(
    connection: Connection,
    guild_id: int,
    may_be_meant: Callable[[str], bool],
    sources: Collection[int],
    *,
    consent_default: Consent,
    now: datetime,
) -> list[tuple[int, int, str]]:
    """Return a server's notes of names that members gave themselves, oldest first.

    Each with its id and its member. Members who may not be found are left out. Of a server, the
    newest MAX_NAMES notes are looked at.

    Args:
        connection: reads only.
        guild_id: the server.
        may_be_meant: which notes are looked for; for most messages it is none.
        sources: the channels that all readers can read.
        consent_default: the server's.
        now: notes that have expired by then are left out.
    """
    notes = fetch_rows(connection, _NAME_NOTES, guild_id=guild_id)
    ids = [row_id for row_id, note in notes if may_be_meant(note)]
    if not ids:
        return []
    condition = and_(
        _MEMORY.Id.in_(ids),
        _MEMORY.UserId != SERVER_USER_ID,
        _MEMORY.Form == constant(Form.NOTE),
        _MEMORY.ChannelId.in_(sources),
        members.is_findable(user_memory, consent_default),
    )
    rows = memories.load_newest(connection, now, MAX_NAMES, condition)
    return [(row.id, row.user_id, row.text) for row in reversed(rows)]


# --- without ------------------------------------------------------------------------------------


def looks_like(connection: Connection, alternatives: Collection[str]) -> ColumnElement[bool]:
    """Return a condition that is true for every row with one of the stems, and for some others.

    Topics are stored unstemmed, and the end of a stem may differ: "game", "gaming".
    """
    stems = by_letters(connection, user_memory.c.SearchStems)
    shortest = min(alternatives, key=len)
    beginning = shortest[: max(MIN_BEGINNING_LENGTH, len(shortest) - 1)]
    return or_(
        contains(user_memory.c.Topics, beginning),
        *(contains(stems, stem) for stem in sorted(alternatives)),
    )


def by_letters(connection: Connection, text: ColumnElement[str]) -> ColumnElement[str]:
    """Return a text of which each letter counts: SQL Server may take emoji for nothing."""
    return text.collate(BINARY_COLLATION) if connection.dialect.name == "mssql" else text


def contains(column: ColumnElement[str], part: str) -> ColumnElement[bool]:
    """Return the condition that a text contains a part.

    LIKE has a third wildcard on SQL Server, "[", which SQLAlchemy's autoescape does not escape.
    """
    for wildcard in (ESCAPE, "%", "_", "["):
        part = part.replace(wildcard, ESCAPE + wildcard)
    return column.like(f"%{part}%", escape=ESCAPE)
