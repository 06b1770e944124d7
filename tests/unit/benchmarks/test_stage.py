"""benchmarks.load, start, crash, soak and scale: their arithmetic, and a short run of each."""

import asyncio
import json
import sqlite3
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from sqlalchemy import insert

from benchmarks import crash, load, scale, soak, start
from benchmarks.stage.accounting import check_database
from benchmarks.stage.day import DayClock
from utils.database.schema.memory_tables import message_score, waiting_message


def goals(result: dict) -> dict[str, bool]:
    return {one["goal"]: one["met"] for one in result["goals"]}


def printed(main, capsys, *arguments: str) -> dict:
    assert main(["--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


# --- arithmetic ------------------------------------------------------------------------------


async def test_the_days_clock_wakes_sleepers_in_order_at_their_own_time():
    async def quiet() -> None:
        for _ in range(5):
            await asyncio.sleep(0)

    clock = DayClock(quiet)
    woken: list[tuple[str, float]] = []

    async def nap(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append((name, clock.monotonic()))

    async def both() -> None:
        await nap("first", 5.0)
        await nap("second", 2.0)

    await clock.during(both())
    assert [name for name, _ in woken] == ["first", "second"]
    assert woken[0][1] >= 5.0
    assert woken[1][1] >= 7.0


def entry(number: int, answers: int = 1, refusals: tuple[str, ...] = ()) -> dict:
    replies = [100] * (answers + len(refusals))
    return {
        "id": number,
        "answers": answers,
        "refusals": list(refusals),
        "standing": len(replies),
        "after_ms": replies,
    }


NOW = datetime(2026, 3, 1, tzinfo=UTC)
SCORE = {
    "GuildId": 1,
    "PlaceId": 1,
    "ChannelId": 1,
    "UserId": 1,
    "SaidAt": NOW,
    "Sentiment": 0.0,
    "Toxicity": 0.0,
    "Tension": 0.0,
    "Reason": "",
}
WAITING = {
    "GuildId": 1,
    "PlaceId": 1,
    "ChannelId": 1,
    "UserId": 1,
    "AuthorName": "Ann",
    "Text": "well well well",
    "CreatedAt": NOW,
    "Revision": 0,
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
    assert found["integrity"] == ["ok"]
    assert found["acknowledged"] == 5
    assert found["acknowledged_and_lost"] == 2  # 5 and 6; nobody was told anything of 7
    assert found["unread"] == 1
    assert found["given_up"] == 1
    assert found["read_without_memory"] == 1  # 3
    assert found["taught_nothing"] == ["I own a boat"]
    assert (found["answered_twice"], found["recorded_twice"], found["learnt_twice"]) == (1, 1, 1)


async def test_a_message_stored_twice_hides_none_that_is_lost(database):
    def unit(connection):
        for message_id in (1, 2):
            connection.execute(insert(message_score).values(**SCORE, MessageId=message_id))
        connection.execute(insert(waiting_message).values(**WAITING, MessageId=2))

    await database.write(unit)
    ledger = {"said_ids": [1, 2, 3], "asked": [entry(3, 0)]}
    ledger["asked"][0]["is_repeat"] = False
    counts = await load.count_losses(SimpleNamespace(database=database), ledger)
    assert counts == {
        "lost_questions": 1,
        "lost_overheard": 1,
        "silent": 1,
        "silent_repeats": 0,
        "recorded_twice": 0,
        "watched_twice": 1,
        "answered_twice": 0,
    }
    met = goals({"goals": load.goals_of_losses(counts)})
    assert list(met.values()) == [False, False, False, True, False, True]


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
@pytest.mark.timeout(180)
def test_a_start_is_timed_from_the_process_to_the_socket(capsys):
    result = printed(start.main, capsys, "--times", "1")
    assert 0 < result["median"]["to_login_s"] < result["median"]["own_s"]
    assert result["median"]["handshake_s"] > 0


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
def test_a_day_of_a_few_servers_has_a_cost_for_each_cause(capsys):
    result = printed(scale.main, capsys, "--servers", "5")
    assert result["questions"] > 0
    assert result["question"]["statements"] > result["overheard"]["statements"]
    assert result["model"]["extraction"]["calls"] > 0
    assert result["tables"]["MemoryEvent"]["rows"] >= result["questions"]
