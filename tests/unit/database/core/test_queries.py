"""Rows and records are mapped by their names: what has no column must be given, ids stay."""

from collections import namedtuple
from dataclasses import dataclass

from utils.database.core.queries import from_row

Row = namedtuple("Row", ["Id", "OwnerId", "Name"])


@dataclass(frozen=True, slots=True)
class Pet:
    id: int
    owner_id: int
    name: str
    tricks: tuple[str, ...] = ()


def test_a_record_takes_the_columns_of_its_fields_and_the_values_that_differ():
    assert from_row(Pet, Row(7, 3, "Rex"), name="Tom", tricks=()) == Pet(7, 3, "Tom")
