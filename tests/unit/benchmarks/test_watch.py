"""benchmarks.watch: what it says without data, and that a short replay loses nothing."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from benchmarks import watch

START = datetime(2026, 10, 1, 12, tzinfo=UTC)


def test_without_data_it_says_so_in_one_sentence(capsys):
    assert watch.main([]) == 0
    assert capsys.readouterr().out.count(".") == 2  # of the name, and of the sentence
    watch.main(["--json", "--data", "/nonexistent"])
    assert "--data" in json.loads(capsys.readouterr().out)["skipped"]


@pytest.mark.timeout(120)
def test_a_short_replay_loses_nothing_and_keeps_to_the_goal(tmp_path, capsys):
    messages = [
        {
            "timestamp": (START + timedelta(seconds=20 * number)).isoformat(),
            "content": f"this is message number {number}" if number % 5 else "ok",
            "author": {"id": str(number % 3), "name": f"n{number % 3}", "isBot": number % 3 == 2},
        }
        for number in range(90)
    ]
    file = tmp_path / "groupchat_1.json"
    file.write_text(json.dumps({"messages": messages}), encoding="utf-8")
    assert watch.main(["--json", "--data", str(tmp_path), "--speed", "900"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["messages"] == 90
    assert result["lost"] == 0
    assert 0 < result["calls_per_100"] <= 8
    assert result["scored"] == sum(
        one["content"] != "ok" and not one["author"]["isBot"] for one in messages
    )
