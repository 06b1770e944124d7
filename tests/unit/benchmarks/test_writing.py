"""The benchmark of the write path reads its files strictly and counts what was kept."""

import json

import pytest

from benchmarks import writing


def line(id, text, author="maya", **given):
    return {
        "id": id,
        "author": author,
        "name": author,
        "text": text,
        "at": "2026-11-16T18:04:00Z",
        "reply_to": None,
    } | given


def candidate(note, quote, **given):
    return {
        "message": "D1",
        "kind": "fact",
        "attribute": "",
        "note": note,
        "quote": quote,
        "confidence": 0.1,
        "importance": "high",
        "until": "permanent",
    } | given


def case(id, *lines, **given):
    read = [lines[-1]["id"]]
    return {"id": id, "read": read, "messages": list(lines), "verdicts": "oracle"} | given


NAME = candidate("name is Maya", "im maya")
HOME = candidate("lives in Paris", "im maya")
MAYA = line("D1", "im maya, 24, from leeds")
HONEST = case("honest", MAYA, candidates=[NAME], labels=["honest"])
LIE = case("lie", MAYA, candidates=[HOME], labels=["lie"])
BOTH = case("both", MAYA, candidates=[NAME, HOME], labels=["honest", "lie"])
OTHER = case("other", MAYA, candidates=[HOME], labels=["lie"], verdicts=["other"])
AFTER = case(
    "after",
    line("D0", "How was the test?", author="kith"),
    line("D1", "I PASSED!!!!!", reply_to="D0"),
    candidates=[candidate("passed the test", "I PASSED!!!!!", kind="episode")],
    labels=["honest"],
)
UNSAID = case("unsaid", MAYA, candidates=[candidate("likes tea", "i like tea")], labels=["junk"])
HEARD = case("heard", line("D0", "I live in Rome"), MAYA, candidates=None, labels=["statement"])
RULES = case(
    "rules",
    line("D1", "I live in Lisbon"),
    candidates=None,
    labels=["statement"],
    ask="where do i live?",
    expect="Lisbon",
)
TRAP = case("trap", line("D1", "do I live in Berlin?"), candidates=None, labels=["trap"])


@pytest.fixture
def play(tmp_path, capsys, monkeypatch):
    """Return the report of these cases, and the exit code."""

    def run(cases, *options, **more):
        file = tmp_path / "cases.json"
        file.write_text(json.dumps({"cases": list(cases), **more}))
        monkeypatch.setattr("sys.argv", ["writing", "--data", str(file), "--json", *options])
        code = writing.main()
        return json.loads(capsys.readouterr().out), code

    return run


def test_notes_quotes_and_what_was_dropped_are_counted(play):
    cases = [HONEST, LIE, BOTH, OTHER, AFTER, UNSAID, HEARD, RULES, TRAP]
    figures, code = play(cases, "--cases")
    labels = figures["labels"]
    assert (labels["honest"]["items"], labels["honest"]["notes"]) == (3, 3)
    assert (labels["lie"]["notes"], labels["lie"]["quotes"]) == (0, 1)
    assert sum(labels["lie"]["dropped"].values()) == 2
    assert (labels["junk"]["quotes"], labels["junk"]["dropped"]) == (0, {"quote": 1})
    statements = labels["statement"]
    assert (statements["notes"], statements["quotes"]) == (1, 1)
    assert labels["trap"]["dropped"] == {"not proposed": 1}
    assert figures["learnt_wrongly"] == []
    assert figures["asked"]["without_a_model"] == {"questions": 1, "answered": 1, "in_block": 0}
    assert len(figures["each_case"]) == len(cases)
    heard = next(entry for entry in figures["each_case"] if entry["id"] == "heard")
    assert "lives in Rome" not in heard["notes"]  # only heard, not read
    assert code == 0


def test_a_file_can_have_conversations_wishes_and_a_talk(play):
    told = {"id": "1", "text": "I have a cat named Pixel", "at": "2026-11-16T18:04:00Z"}
    asked = {"ask": "what is my cat called?", "at": "2026-11-17T18:04:00Z", "gold": ["1"]}
    conversation = {"id": "cat", "kind": "answer", "language": "en", "lines": [told]}
    note = "has a cat named Pixel"
    wish = {
        "id": "forget",
        "kind": "forget",
        "said": [{"text": told["text"], "note": note, "answer": None}],
        "wish": "please unlearn that",
        "call": {"name": "forget", "what": note},
        "gone": ["Pixel"],
    }
    figures, code = play(
        (),
        conversations=[conversation | {"questions": [asked]}],
        wishes=[wish, wish | {"id": "kept", "kept": ["Pixel"]}],
        bursts=[[told["text"]], ["haha"]],
    )
    assert code == 0
    assert figures["conversations"] == {"answer": {"questions": 1, "right": 1, "wrong": 0}}
    for name in ("with_a_model", "without_a_model"):
        assert figures["wishes"][name] == {"forget": "1 of 2", "missed": ["please unlearn that"]}
    assert (figures["talk"]["messages"], figures["talk"]["memory_calls_per_100"]) == (2, 100.0)


@pytest.mark.parametrize(("verdicts", "notes", "wrong"), [("all", 2, 1), ("none", 0, 0)])
def test_the_verdicts_can_be_overridden(play, verdicts, notes, wrong):
    figures, code = play([HONEST, LIE], "--verdicts", verdicts)
    assert sum(rates["notes"] for rates in figures["labels"].values()) == notes
    assert len(figures["learnt_wrongly"]) == wrong
    assert code == bool(wrong)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"cases": 3}', '{"cases": []}', "\xff", "[" * 100_000]
)
def test_a_bad_file_is_named_in_one_sentence(tmp_path, monkeypatch, capsys, content):
    file = tmp_path / "cases.json"
    file.write_bytes(content.encode("latin-1"))
    monkeypatch.setattr("sys.argv", ["writing", "--data", str(file)])
    assert writing.main() == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "cases.json" in printed.err


def test_the_place_of_what_is_wrong_is_named(tmp_path, capsys):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"cases": [HONEST, LIE | {"labels": []}]}))
    assert writing.main(["--data", str(file)]) == 2
    assert "cases.1 Value error, 0 labels for 1 items" in capsys.readouterr().err
