"""benchmarks.load, crash, soak and scale: their arithmetic, and a short run of each."""

import json
import sqlite3

import pytest

from benchmarks import crash, load, scale, soak
from benchmarks.stage import day
from benchmarks.stage.accounting import check_database


def goals(result: dict) -> dict[str, bool]:
    return {one["goal"]: one["met"] for one in result["goals"]}


def printed(main, capsys, *arguments: str) -> dict:
    assert main(["--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


# --- arithmetic ------------------------------------------------------------------------------


def entry(number: int, answers: int = 1, refusals: tuple[str, ...] = ()) -> dict:
    replies = [100] * (answers + len(refusals))
    return {
        "id": number,
        "answers": answers,
        "refusals": list(refusals),
        "standing": len(replies),
        "after_ms": replies,
    }


def test_the_reckoning_finds_what_is_lost_doubled_or_unread(tmp_path):
    file = tmp_path / "made.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE MemoryEvent (MessageId, State, Role, Text)")
        connection.execute("CREATE TABLE MemoryEvidence (MessageId)")
        connection.executemany(
            "INSERT INTO MemoryEvent VALUES (?, ?, 'member', 'I own a boat')",
            [(1, "done"), (2, "pending"), (3, "done"), (4, "failed"), (4, "failed")],
        )
        connection.executemany("INSERT INTO MemoryEvidence VALUES (?)", [(1,), (1,)])
    asked = [entry(1, 2), entry(2), entry(3), entry(4, 0), entry(5), entry(6, 0, ("no",))]
    found = check_database(file, [*asked, entry(7, 0)])
    expected = {
        "integrity": ["ok"],
        "acknowledged": 5,
        "acknowledged_and_lost": 2,  # 5 and 6; nobody was told anything of 7
        "unread": 1,
        "given_up": 1,
        "read_without_memory": 1,  # 3
        "taught_nothing": ["I own a boat"],
        "answered_twice": 1,
        "recorded_twice": 1,
        "learnt_twice": 1,
    }
    assert {name: found[name] for name in expected} == expected


# --- short runs ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_little_load_loses_nothing_and_answers(capsys):
    result = printed(load.main, capsys, "--seconds", "3", "--rate", "30")
    assert result["answered"] > 0
    assert result["lost_questions"] == result["lost_overheard"] == result["silent"] == 0
    assert result["recorded_twice"] == result["watched_twice"] == result["answered_twice"] == 0
    assert "longest event-loop stall in ms" in goals(result)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_twice_nothing_that_was_acknowledged_is_lost(capsys):
    result = printed(crash.main, capsys, "--times", "2")
    assert sum(result["killed"].values()) == 2
    assert result["acknowledged"] > 0
    assert all(goals(result).values())


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_of_two_processes_one_is_killed_and_nothing_is_lost_or_doubled(capsys, monkeypatch):
    monkeypatch.setattr(crash, "KILL_EVERY_S", 5.0)
    monkeypatch.setattr(crash, "FLEET_ADDRESSED", 0.5)
    monkeypatch.setattr(crash, "FLEET_RATE", 2.0)  # they talk until a lease of 30 s has ended
    result = printed(crash.main, capsys, "--times", "1", "--processes", "2")
    assert len(result["taken_over_s"]) == 1
    assert result["acknowledged"] > 0
    assert all(goals(result).values())


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_short_soak_has_trouble_and_loses_nothing(capsys):
    result = printed(soak.main, capsys, "--minutes", "0.5")
    assert result["troubles"]
    assert result["answered"] > 0
    assert all(goals(result).values())


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_day_of_a_few_servers_has_a_cost_for_each_cause(capsys, monkeypatch):
    for module in (day, scale):  # a short one: the sweeps of a day take most of its time
        monkeypatch.setattr(module, "DAY_S", 6 * 3600.0)
    arguments = ("--servers", "2", "--messages", "120", "--seed", "5")
    result = printed(scale.main, capsys, *arguments)
    assert result["questions"] > 0
    assert result["question"]["statements"] > result["overheard"]["statements"]
    assert result["model"]["extraction"]["calls"] > 0
    assert result["tables"]["MemoryEvent"]["rows"] >= result["questions"]
