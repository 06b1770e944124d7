"""The benchmark of searching runs, and says what it measured; how fast is not tested here."""

import json

from benchmarks import search


def test_it_prints_every_search(capsys):
    assert search.main(["--json", "--rows", "300", "--rounds", "2"]) == 0
    result = json.loads(capsys.readouterr().out)
    found = {one["what"]: one["found"] for one in result["searches"]}
    assert set(found) == set(search.QUERIES)
    assert found["common"] == 50
    assert found["out of reach"] == found["absent"] == 0
    for one in result["searches"]:
        assert 0 < one["p50_ms"] <= one["p95_ms"]
    assert result["goal"]["limit"] == 200.0


def test_people_get_a_table(capsys):
    assert search.main(["--rows", "50", "--rounds", "2"]) == 0
    assert "50 rows" in capsys.readouterr().out
