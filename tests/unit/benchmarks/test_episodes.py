"""The benchmark of chapters: its arithmetic, and a run on made-up conversations."""

import json
from datetime import UTC, datetime, timedelta

from benchmarks import episodes
from benchmarks.episodes import matched

NOON = datetime(2026, 10, 1, 12, tzinfo=UTC)


def test_each_label_serves_one_prediction_within_the_tolerance():
    assert matched([10, 20], [10, 21], 0) == 1
    assert matched([10, 20], [10, 21], 1) == 2
    assert matched([9, 10, 11], [10], 1) == 1
    assert matched([], [3], 5) == matched([3], [], 5) == 0


def made_up_data(folder):
    topics = [
        ["the tent of our camping trip leaks", "a camping trip needs a better tent then"],
        ["does the laser printer driver need firmware?", "printer driver firmware is online"],
    ]
    said = [
        {
            "id": str(number),
            "content": topics[number // 8][number % 2],
            "author": {"id": str(number % 2 + 1), "name": "ab"[number % 2], "isBot": number == 8},
            "timestamp": (NOON + timedelta(minutes=number)).isoformat(),
        }
        for number in range(16)
    ]
    (folder / "groupchat_1.json").write_text(json.dumps({"messages": said}))
    session = [
        {"speaker": "ab"[number % 2], "dia_id": f"D1:{number}", "text": topics[0][number % 2]}
        for number in range(6)
    ]
    later = [{**one, "dia_id": one["dia_id"].replace("D1", "D2")} for one in session]
    unread = [{**one, "dia_id": one["dia_id"].replace("D1", "D3")} for one in session]
    conversation = {
        "speaker_a": "a",
        "speaker_b": "b",
        "session_1": session,
        "session_1_date_time": "1:00 pm on 1 May, 2023",
        "session_2": later,
        "session_2_date_time": "1:00 pm on 3 May, 2023",
        "session_3": unread,
    }
    made = [{"sample_id": "conv-1", "conversation": conversation}]
    (folder / "locomo_dev.json").write_text(json.dumps(made))
    labels = {
        "groupchat_1.json": {"boundaries": {"8": "Printers", "99": "Not there"}},
        "groupchat_2.json": {"boundaries": {"1": "Absent"}},
        "locomo_dev.json": {"conv-1": {"sessions": 2, "boundaries": {"D1:3": "Tents"}}},
    }
    (folder / "labels.json").write_text(json.dumps(labels))
    return labels


def test_what_is_missing_is_left_out_and_a_bots_label_moves_on(tmp_path):
    group, pair = episodes.load_conversations(tmp_path, made_up_data(tmp_path))
    assert (len(group.events), group.starts) == (15, (8,))
    assert group.events[8].stems
    assert (len(pair.events), pair.starts, pair.gaps) == (12, (3, 6), frozenset([6]))


def test_it_prints_every_figure_of_both_halves(tmp_path, capsys):
    made_up_data(tmp_path)
    options = ["--data", str(tmp_path), "--labels", str(tmp_path / "labels.json")]
    assert episodes.main([*options, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["conversations"]
    assert set(figures) == {"groupchat_1.json", "conv-1", "tuned", "held_out", "total"}
    assert figures["groupchat_1.json"]["f1"] == 1.0
    assert figures["tuned"] == figures["groupchat_1.json"]
    assert figures["held_out"] == figures["conv-1"]
    assert figures["total"]["labelled"] == 2  # not the one at a gap
    assert episodes.main(options) == 0
    assert "every_n_f1" in capsys.readouterr().out
