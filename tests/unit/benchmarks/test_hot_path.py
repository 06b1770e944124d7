"""The benchmark of the reply path runs, and says what it measured; how fast is not tested here."""

import json

import pytest

from benchmarks import hot_path
from benchmarks.generated import server
from benchmarks.generated.words import Words
from tests.rows import each_row
from utils.models.memory import Member

SIZES = (40, 80)
MEMBER_ROWS = (10, 500)


@pytest.fixture
def small(monkeypatch):
    """Let a quick run make few rows only: what is told of them is the same."""
    monkeypatch.setattr(hot_path, "QUICK_SIZES", SIZES)
    monkeypatch.setattr(hot_path, "QUICK_MEMBER_ROWS", MEMBER_ROWS)
    monkeypatch.setattr(server, "EVENTS", 200)
    monkeypatch.setattr(server, "MAX_MEMBERS", 1)


def test_it_prints_every_cell_and_every_goal(small, capsys):
    assert hot_path.main(["--json", "--quick", "--rounds", "2"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result["environment"]) >= {"python", "sqlite", "cpus"}
    measured = {
        (cell["table_rows"], cell["member_rows"], cell["state"]) for cell in result["cells"]
    }
    assert measured == {
        (table, rows, state)
        for table in SIZES
        for rows in MEMBER_ROWS
        for state in ("chat", "learned", "after", "warm", "waited", "cold", "stall")
    }
    for cell in result["cells"]:
        assert 0 < cell["p50_ms"] <= cell["p95_ms"]
        assert cell["n"] == (4 if cell["state"] == "after" else 2)
        assert cell["total_rows"] >= cell["table_rows"]
    assert result["warm_p50_ratio"] > 0
    assert [goal["limit"] for goal in result["goals"]] == [5.0, 5.0, 5.0, 3.0, 15.0, 1.5]
    assert all(goal["met"] is (goal["value"] <= goal["limit"]) for goal in result["goals"])
    assert "warm p95, 500 rows" in hot_path.table(result)


@each_row("table_rows", [100, 1_000, 100_000])
def test_a_table_is_as_large_as_it_says_unless_the_member_alone_is_larger(table_rows):
    for plan in server.plan_tables(table_rows, (50, 5_000)):
        assert sum(plan.measured.values()) <= max(table_rows // 2 * 2, 5_000)
        alone = [rows for rows in plan.measured.values() if rows > table_rows // 2]
        assert plan.total_rows == table_rows + sum(alone)


def test_the_rows_of_a_member_are_all_theirs_and_scattered():
    (plan,) = server.plan_tables(1_000, (50,))
    owned = server.choose_owners(plan, Words(1).dice)
    mine = [i for i, member in enumerate(owned) if member == next(iter(plan.measured))]
    assert len(owned) == 1_000
    assert len(mine) == 50
    assert mine[-1] - mine[0] > 500
    assert isinstance(owned[0], Member)
