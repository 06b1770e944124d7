"""The benchmark of the reply path runs, and says what it measured; how fast is not tested here."""

import json

import pytest

from benchmarks import hot_path
from benchmarks.generated import server

SIZES = (40, 80)
MEMBER_ROWS = (10, 500)


@pytest.fixture
def small(monkeypatch):
    """Make few rows only: what is told of them is the same."""
    monkeypatch.setattr(hot_path, "MEMBER_ROWS", MEMBER_ROWS)
    monkeypatch.setattr(server, "EVENTS", 200)
    monkeypatch.setattr(server, "MAX_MEMBERS", 1)


def test_it_prints_every_cell_and_every_goal(small, capsys):
    sizes = ",".join(map(str, SIZES))
    assert hot_path.main(["--json", "--sizes", sizes, "--rounds", "2"]) == 0
    result = json.loads(capsys.readouterr().out)
    measured = {
        (cell["table_rows"], cell["member_rows"], cell["state"]) for cell in result["cells"]
    }
    assert measured == {
        (table, rows, state)
        for table in SIZES
        for rows in MEMBER_ROWS
        for state in ("chat", "learned", "after", "warm", "waited", "cold")
    }
    for cell in result["cells"]:
        assert 0 < cell["p50_ms"] <= cell["p95_ms"]
        assert cell["n"] == (4 if cell["state"] == "after" else 2)
        assert cell["total_rows"] >= cell["table_rows"]
    assert result["warm_p50_ratio"] > 0
    assert [goal["limit"] for goal in result["goals"]] == [5.0, 5.0, 5.0, 3.0, 15.0, 1.5]
    assert all(goal["met"] is (goal["value"] <= goal["limit"]) for goal in result["goals"])
