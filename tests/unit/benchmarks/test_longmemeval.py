"""LongMemEval's questions are read as dialogues of one person."""

import json
from itertools import pairwise

from benchmarks.datasets import LONGMEMEVAL, load

ENTRY = {
    "id": "q1",
    "type": "temporal-reasoning",
    "cat": 6,
    "q": "Which boat did I buy?",
    "a": "a red boat",
    "at": "2023-03-01T10:00:00",
    "msgs": [
        ["a:0:0", "I bought a red boat", "2023-02-01T09:00:00", 0],
        ["a:2:1", "It sails well", "2023-02-01T09:00:00", 1],
        ["b:0:2", "What is a good soup?", "2023-02-01T09:00:00", 0],
    ],
    "gold": ["a:0:0"],
}


def test_a_question_is_asked_after_its_messages_whose_sessions_do_not_overlap(tmp_path):
    file = tmp_path / "data.json"
    file.write_text(json.dumps([ENTRY]), encoding="utf-8")
    form, (dialogue,) = load(file)
    assert (form, dialogue.name, len(dialogue.people)) == (LONGMEMEVAL, "q1", 1)
    times = [message.said_at for message in dialogue.messages]
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    assert (gaps[0], gaps[1]) == (60.0, 7200.0)
    (question,) = dialogue.questions
    assert (question.answer, question.category, question.about) == ("a red boat", 6, (0,))
    assert question.asked_at.isoformat() == "2023-03-01T10:00:00+00:00"
    assert question.gold == {"a:0:0"}
    assert [message.text for message in dialogue.messages] == [
        text for _, text, *_ in ENTRY["msgs"]
    ]
