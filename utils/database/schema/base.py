"""What every table is made with: the one MetaData, and the types of ids."""

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Index, Integer, MetaData, TextClause

metadata = MetaData(
    naming_convention={
        "pk": "PK_%(table_name)s",
        "uq": "UQ_%(table_name)s_%(column_0_N_name)s",
        "ck": "CK_%(table_name)s_%(constraint_name)s",
    }
)

# SQLite gives out rising ids only to a column declared INTEGER PRIMARY KEY AUTOINCREMENT.
Snowflake = BigInteger
Identity = BigInteger().with_variant(Integer, "sqlite")


def filtered_index(
    name: str, *columns: str, where: TextClause | ColumnElement[bool], **options: Any
) -> Index:
    """Return an index of the rows that meet a condition, on both databases."""
    return Index(name, *columns, sqlite_where=where, mssql_where=where, **options)
