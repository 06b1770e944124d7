"""The benchmark of searching runs, and says what it measured; how fast is not tested here."""

import json

import pytest

from benchmarks import search


@pytest.fixture(autouse=True)
def few_writes(monkeypatch):
    monkeypatch.setattr(search, "WRITES_IN_TURN", 10)


def test_it_prints_every_search_and_what_a_write_costs(capsys):
    assert search.main(["--json", "--rows", "300", "--rounds", "2"]) == 0
    result = json.loads(capsys.readouterr().out)
    found = {one["what"]: one["found"] for one in result["searches"]}
    assert set(found) == set(search.QUERIES)
    assert found["common"] == 50
    assert found["out of reach"] == found["absent"] == 0
    for one in [*result["searches"], *result["writes"]]:
        assert 0 < one["p50_ms"] <= one["p95_ms"]
    assert result["write_ratio"] > 0
    assert result["index_mb"] <= result["file_mb"]
    assert result["goal"]["limit"] == 200.0


def test_people_get_a_table(capsys):
    assert search.main(["--rows", "50", "--rounds", "2"]) == 0
    assert "times as long" in capsys.readouterr().out
