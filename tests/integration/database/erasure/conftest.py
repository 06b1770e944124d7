"""What the tests of erasure's units of work share."""

import pytest

from utils.database.core import queries


@pytest.fixture(autouse=True)
def one_id_a_statement(monkeypatch):
    """Let a statement take one id or row, so that two of them are already many."""
    monkeypatch.setattr(queries, "IDS_PER_STATEMENT", 1)
    monkeypatch.setattr(queries, "ROWS_PER_STATEMENT", 1)
