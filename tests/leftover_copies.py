"""Copies of words that are gone: what DERIVED lists of a row whose own words are empty."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    and_,
    exists,
    literal_column,
    select,
)
from sqlalchemy.dialects import sqlite

from utils.database.erasure.inventory import DERIVED
from utils.database.messages.answer_sources import ERASED
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import artifact, memory_event
from utils.nlp.confidential import MARK


def queries() -> Iterator[Select]:
    """For each derived column, the query of its name if it has something without words."""
    for words, columns in DERIVED.items():
        for column in columns:
            is_left = and_(_is_set(column), ~is_not_empty(words))
            query = select(literal_column(f"'{column}'")).where(is_left).limit(1)
            if column.table is not words.table:
                query = query.join_from(column.table, words.table, _belongs(column, words))
            if column.table is artifact:  # an edited message has a later revision with words
                later = memory_event.alias().c
                of_same = and_(
                    later.GuildId == artifact.c.GuildId, later.MessageId == artifact.c.MessageId
                )
                query = query.where(~exists().where(of_same, is_not_empty(later.Text)))
            yield query


def _is_set(column: Column) -> ColumnElement[bool]:
    """The condition that a column has something; the marks of confidences and erasures stay."""
    return (
        column.is_not(None)
        if column.name == "Vector"
        else and_(is_not_empty(column), column.not_in([MARK, ERASED]))
    )


def _belongs(column: Column, words: Column) -> ColumnElement[bool]:
    """The condition that a row was made from the words of another table's row."""
    for key in column.table.foreign_keys:
        if key.column.table is words.table:
            return key.parent == key.column
    return and_(*(column.table.c[name] == words.table.c[name] for name in ("GuildId", "MessageId")))


def of_connection(connection: Connection) -> list[str]:
    """The columns with copies of words that are gone."""
    return [name for query in queries() for name in connection.scalars(query)]


@cache
def _sqlite_statement() -> str:
    options = {"literal_binds": True}
    texts = (
        str(query.compile(dialect=sqlite.dialect(), compile_kwargs=options)) for query in queries()
    )
    return " UNION ALL ".join(f"SELECT * FROM ({text})" for text in texts)


def of_file(file: Path) -> list[str]:
    """The same, of a SQLite file with today's tables."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as raw:
        return [name for (name,) in raw.execute(_sqlite_statement())]
