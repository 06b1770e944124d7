"""The benchmark of audiences runs, and says what it measured; how fast is not tested here."""

import json

from benchmarks import audience


def test_it_prints_what_an_answer_costs_cold_and_warm(capsys):
    audience.main(["--json", "--channels", "20", "--roles", "10", "--rounds", "2"])
    report = json.loads(capsys.readouterr().out)
    assert 0 < report["warm_ms"] <= report["cold_ms"] <= report["slowest_cold_ms"]
    assert [goal["limit"] for goal in report["goals"]] == [20.0, 0.1]
