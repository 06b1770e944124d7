"""Rows and records are mapped by their names: what has no column must be given, ids stay."""

from collections import namedtuple
from dataclasses import dataclass

import pytest
from sqlalchemy import BigInteger, Column, MetaData, String, Table

from utils.database.core.queries import from_row, to_row

PETS = Table(
    "Pet",
    MetaData(),
    Column("Id", BigInteger),
    Column("OwnerId", BigInteger),
    Column("Name", String),
)
Row = namedtuple("Row", ["Id", "OwnerId", "Name"])


@dataclass(frozen=True, slots=True)
class Pet:
    id: int
    owner_id: int
    name: str
    tricks: tuple[str, ...] = ()


def test_a_record_takes_the_columns_of_its_fields_and_the_values_that_differ():
    assert from_row(Pet, Row(7, 3, "Rex"), name="Tom", tricks=()) == Pet(7, 3, "Tom")


def test_a_field_without_a_column_must_be_given_even_if_it_has_a_default():
    with pytest.raises(AttributeError, match="Tricks"):
        from_row(Pet, Row(7, 3, "Rex"))


def test_a_row_has_what_its_table_has_but_no_id():
    assert to_row(PETS, Pet(7, 3, "Rex", ("sit",))) == {"OwnerId": 3, "Name": "Rex"}
    assert to_row(PETS, Pet(7, 3, "Rex"), OwnerId=4, Age=2) == {
        "OwnerId": 4,
        "Name": "Rex",
        "Age": 2,
    }
