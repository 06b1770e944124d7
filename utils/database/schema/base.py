"""What every table is made with: the one MetaData, and the types of ids."""

from sqlalchemy import BigInteger, Integer, MetaData

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
