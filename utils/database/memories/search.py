"""Searching a server's memories, newest first.

Uses SQLite's full-text index, or else scans the newest rows. Both only propose candidates; the
caller decides which of them match.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
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

PAGE, LATER_PAGE = 200, 2_000  # rows at a time, at most
MAX_HITS = 2_000  # of the index, for an answer
MAX_NAMES = 1_000
ESCAPE = "\\"
MIN_BEGINNING_LENGTH = 3
_AFTER_ALL = 2**63 - 1
_HITS = f'SELECT rowid FROM "{fts_index.NAME}" WHERE "{fts_index.NAME}" MATCH :words'  # noqa: S608

_NEXT_HIT = f"{_HITS} AND rowid < :before ORDER BY rowid DESC LIMIT 1 OFFSET :limit"
_HITS_BETWEEN = f"{_HITS} AND rowid < :before AND rowid > :floor"


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Rows that may contain the words; ``is_cut``: older rows were not examined."""

    condition: ColumnElement[bool]
    page: int
    is_cut: bool


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
    if fts_index.exists(connection):
        proposals = _indexed(connection, guild_id, words)
    else:
        proposals = _scanned(connection, guild_id, words)
    result = SearchResult(())
    for candidates in proposals:
        rows: list[Memory] = []
        for page in _pages(connection, candidates, sources, now):
            rows += filter(is_match, page)
            if len(rows) > limit:
                return SearchResult(tuple(rows[:limit]), has_more=True)
        result = SearchResult(tuple(rows), looked_at=MAX_EXAMINED if candidates.is_cut else None)
    return result


def _pages(
    connection: Connection, candidates: _Candidates, sources: Collection[int], now: datetime
) -> Iterator[list[Memory]]:
    """Yield the candidates from readable channels, a page at a time."""
    columns = user_memory.c
    readable = columns.ChannelId.in_(sources)
    before = _AFTER_ALL
    while True:
        conditions = (candidates.condition, readable, columns.Id < before)
        page = memories.load_newest(connection, now, candidates.page, *conditions)
        yield page
        if len(page) < candidates.page:
            return
        before = page[-1].id


# --- with an index ------------------------------------------------------------------------------


def _indexed(
    connection: Connection, guild_id: int, words: Sequence[Collection[str]]
) -> Iterator[_Candidates]:
    """Propose the newest hits, which usually suffice, then up to MAX_EXAMINED hits."""
    columns = user_memory.c
    # The sum stops SQLite from using the index by server, in which it would read every row.
    is_here = columns.GuildId + 0 == guild_id
    for page, limit in ((PAGE, PAGE), (LATER_PAGE, MAX_EXAMINED)):
        is_hit, floor = hits(connection, guild_id, words, before=_AFTER_ALL, limit=limit)
        yield _Candidates(and_(is_here, is_hit), page, is_cut=floor is not None)
        if floor is None:
            return


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
    columns = user_memory.c
    rows: dict[int, Memory] = {}
    for word in words:
        if fts_index.exists(connection):
            condition, _ = hits(connection, guild_id, [word], before=_AFTER_ALL, limit=PAGE)
        else:
            condition = next(_scanned(connection, guild_id, [word])).condition
        readable = columns.ChannelId.in_(sources)
        page = memories.load_newest(connection, now, PAGE, condition, readable)
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
    if fts_index.exists(connection):
        is_hit, _ = hits(connection, guild_id, words, before=_AFTER_ALL, limit=MAX_HITS)
        is_hit = and_(columns.GuildId + 0 == guild_id, is_hit)
    else:
        is_hit = next(_scanned(connection, guild_id, words)).condition
    condition = and_(
        is_hit,
        columns.UserId.not_in([SERVER_USER_ID, *exclude_ids]),
        columns.Status == constant(Status.ACTIVE),
        columns.Form == constant(Form.NOTE),
        members.is_findable(user_memory, consent_default),
    )
    for page in _pages(connection, _Candidates(condition, PAGE, is_cut=False), sources, now):
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
    columns = user_memory.c
    condition = and_(
        columns.Id.in_(ids),
        columns.UserId != SERVER_USER_ID,
        columns.Form == constant(Form.NOTE),
        columns.ChannelId.in_(sources),
        members.is_findable(user_memory, consent_default),
    )
    rows = memories.load_newest(connection, now, MAX_NAMES, condition)
    return [(row.id, row.user_id, row.text) for row in reversed(rows)]


# --- without ------------------------------------------------------------------------------------


def _scanned(
    connection: Connection, guild_id: int, words: Sequence[Collection[str]]
) -> Iterator[_Candidates]:
    """Propose those of the newest MAX_EXAMINED rows that seem to contain the words."""
    columns = user_memory.c
    is_here = columns.GuildId == guild_id
    floor = connection.scalar(
        select(columns.Id).where(is_here).order_by(columns.Id.desc()).offset(MAX_EXAMINED).limit(1)
    )
    looks = (looks_like(connection, alternatives) for alternatives in words)
    condition = and_(is_here, columns.Id > (floor or 0), *looks)
    yield _Candidates(condition, LATER_PAGE, is_cut=floor is not None)


def looks_like(connection: Connection, alternatives: Collection[str]) -> ColumnElement[bool]:
    """Return a condition that is true for every row with one of the stems, and for some others.

    Topics are stored unstemmed, and the end of a stem may differ: "game", "gaming".
    """
    is_binary = connection.dialect.name == "mssql"
    stored = user_memory.c.SearchStems
    stems = stored.collate(BINARY_COLLATION) if is_binary else stored
    shortest = min(alternatives, key=len)
    beginning = shortest[: max(MIN_BEGINNING_LENGTH, len(shortest) - 1)]
    return or_(
        contains(user_memory.c.Topics, beginning),
        *(contains(stems, stem) for stem in sorted(alternatives)),
    )


def contains(column: ColumnElement[str], part: str) -> ColumnElement[bool]:
    """Return the condition that a text contains a part.

    LIKE has a third wildcard on SQL Server, "[", which SQLAlchemy's autoescape does not escape.
    """
    for wildcard in (ESCAPE, "%", "_", "["):
        part = part.replace(wildcard, ESCAPE + wildcard)
    return column.like(f"%{part}%", escape=ESCAPE)
