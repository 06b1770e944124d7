"""Searching a server's memories, newest first: by SQLite's full-text index, else by looking at the
newest. Both only propose rows; the caller says which of them are meant."""

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
    or_,
    select,
    text,
)

from utils.database import memories, search_index
from utils.database.engine import Session
from utils.database.search_index import MOST_LOOKED_AT
from utils.database.tables import user_memory
from utils.database.types import BINARY_COLLATION
from utils.model.memory import Memory
from utils.model.recall import Found

PAGE, LATER_PAGE = 200, 2_000  # rows at a time, at most
ESCAPE = "\\"
SHORTEST_BEGINNING = 3
_AFTER_ALL = 2**63 - 1
_HITS = f'SELECT rowid FROM "{search_index.NAME}" WHERE "{search_index.NAME}" MATCH :words'  # noqa: S608
_HIT_BEFORE = f"{_HITS} ORDER BY rowid DESC LIMIT 1 OFFSET :most"
_HITS_AFTER = f"{_HITS} AND rowid > :floor"
_NEXT_HIT = f"{_HITS} AND rowid < :before ORDER BY rowid DESC LIMIT 1 OFFSET :most"
_HITS_BETWEEN = f"{_HITS} AND rowid < :before AND rowid > :floor"


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Rows that hold the words, or look like it; ``is_cut``: older ones were not looked at."""

    which: ColumnElement[bool]
    page: int
    is_cut: bool


def newest(
    session: Session,
    guild_id: int,
    words: Sequence[Collection[str]],
    sources: Collection[int],
    is_meant: Callable[[Memory], bool],
    *,
    now: datetime,
    most: int,
) -> Found:
    """Return up to ``most`` of a server's memories that have every one of the words.

    ``words`` holds, for each word, the stems it may be stored under; ``sources`` are the channels
    that whoever asks can read.
    """
    if search_index.is_there(session):
        proposals = _indexed(session, guild_id, words)
    else:
        proposals = _scanned(session, guild_id, words)
    found = Found(())
    for candidates in proposals:
        rows: list[Memory] = []
        for page in _pages(session, candidates, sources, now):
            rows += filter(is_meant, page)
            if len(rows) > most:
                return Found(tuple(rows[:most]), has_more=True)
        found = Found(tuple(rows), looked_at=MOST_LOOKED_AT if candidates.is_cut else None)
    return found


def _pages(
    session: Session, candidates: _Candidates, sources: Collection[int], now: datetime
) -> Iterator[list[Memory]]:
    """Yield those candidates that may be seen, a page at a time."""
    columns = user_memory.c
    readable = columns.ChannelId.in_(sources)
    before = _AFTER_ALL
    while True:
        which = (candidates.which, readable, columns.Id < before)
        page = memories.load_newest(session, now, candidates.page, *which)
        yield page
        if len(page) < candidates.page:
            return
        before = page[-1].id


# --- with an index ------------------------------------------------------------------------------


def _indexed(
    session: Session, guild_id: int, words: Sequence[Collection[str]]
) -> Iterator[_Candidates]:
    """Propose the newest hits, which mostly are enough, and then up to as many as are looked at."""
    columns = user_memory.c
    # The sum keeps SQLite from its index by server, in which it would go through all of its rows.
    is_here = columns.GuildId + 0 == guild_id
    expression: BindParameter[str] = bindparam("words", _expression(guild_id, words), Unicode())
    for page, most in ((PAGE, PAGE), (LATER_PAGE, MOST_LOOKED_AT)):
        hit_before = text(_HIT_BEFORE).bindparams(expression, bindparam("most", most))
        floor: int | None = session.scalar(hit_before)
        hits = text(_HITS_AFTER).bindparams(expression, bindparam("floor", floor or 0))
        ids = select(hits.columns(rowid=Integer).subquery().c.rowid)
        yield _Candidates(and_(is_here, columns.Id.in_(ids)), page, is_cut=floor is not None)
        if floor is None:
            return


def hits(
    session: Session,
    guild_id: int | None,
    words: Sequence[Collection[str]],
    *,
    before: int,
    most: int,
) -> tuple[ColumnElement[bool], int | None]:
    """Propose up to ``most`` memories below an id, the newest, by the index of a server or of all.

    Returns the condition, and the id of the next hit below, if there is one.
    """
    expression: BindParameter[str] = bindparam("words", _expression(guild_id, words), Unicode())
    below: BindParameter[int] = bindparam("before", before)
    next_hit = text(_NEXT_HIT).bindparams(expression, below, bindparam("most", most))
    floor: int | None = session.scalar(next_hit)
    between = text(_HITS_BETWEEN).bindparams(expression, below, bindparam("floor", floor or 0))
    ids = select(between.columns(rowid=Integer).subquery().c.rowid)
    return user_memory.c.Id.in_(ids), floor


def _expression(guild_id: int | None, words: Sequence[Collection[str]]) -> str:
    """Return the words in FTS5's language: every string in quotes, so that none is an operator."""
    groups = (" OR ".join(map(_quoted, sorted(alternatives))) for alternatives in words)
    place = [] if guild_id is None else [_quoted(f"g_{guild_id}")]
    return " AND ".join([*place, *(f"({group})" for group in groups)])


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


# --- without ------------------------------------------------------------------------------------


def _scanned(
    session: Session, guild_id: int, words: Sequence[Collection[str]]
) -> Iterator[_Candidates]:
    """Propose those of the newest rows that hold the words, or what looks like them."""
    columns = user_memory.c
    is_here = columns.GuildId == guild_id
    floor = session.scalar(
        select(columns.Id)
        .where(is_here)
        .order_by(columns.Id.desc())
        .offset(MOST_LOOKED_AT)
        .limit(1)
    )
    looks = (looks_like(session, alternatives) for alternatives in words)
    which = and_(is_here, columns.Id > (floor or 0), *looks)
    yield _Candidates(which, LATER_PAGE, is_cut=floor is not None)


def looks_like(session: Session, alternatives: Collection[str]) -> ColumnElement[bool]:
    """Hold for every row that has one of the stems, and for some that only look like it.

    Topics are stored unstemmed, and the end of a stem may differ: "game", "gaming".
    """
    is_binary = session.dialect.name == "mssql"
    stored = user_memory.c.SearchStems
    stems = stored.collate(BINARY_COLLATION) if is_binary else stored
    shortest = min(alternatives, key=len)
    beginning = shortest[: max(SHORTEST_BEGINNING, len(shortest) - 1)]
    return or_(
        contains(user_memory.c.Topics, beginning),
        *(contains(stems, stem) for stem in sorted(alternatives)),
    )


def contains(column: ColumnElement[str], part: str) -> ColumnElement[bool]:
    """Hold where a text has a part; LIKE knows a third wildcard on SQL Server, which autoescape
    does not."""
    for wildcard in (ESCAPE, "%", "_", "["):
        part = part.replace(wildcard, ESCAPE + wildcard)
    return column.like(f"%{part}%", escape=ESCAPE)
