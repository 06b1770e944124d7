"""The benchmark of the write path reads its files strictly and counts what was kept."""

import json

import pytest

from benchmarks import writing
from benchmarks.datasets.writing_cases import BadCase, load_cases
from tests.fakes.model_server import FakeModelServer

HELD_OUT = writing.DEVELOPMENT.with_name("held_out.json")


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
WRONG_TRAP = case("wrong", line("D1", "my name is Berta"), candidates=None, labels=["trap"])

ASKED = {**HONEST, "id": "asked", "ask": "who am i?", "expect": "Maya"}


@pytest.fixture
def play(tmp_path, capsys, monkeypatch):
    """Return the report of these cases, and the exit code."""

    def run(cases, *options):
        file = tmp_path / "cases.json"
        file.write_text(json.dumps({"cases": list(cases)}))
        monkeypatch.setattr("sys.argv", ["writing", "--data", str(file), "--json", *options])
        code = writing.main()
        return json.loads(capsys.readouterr().out), code

    return run


def test_notes_quotes_and_what_was_dropped_are_counted(play):
    figures, code = play([HONEST, LIE, BOTH, OTHER, AFTER, HEARD, RULES, TRAP])
    labels = figures["labels"]
    assert (labels["honest"]["items"], labels["honest"]["notes"]) == (3, 3)
    assert (labels["lie"]["notes"], labels["lie"]["quotes"]) == (0, 1)
    assert sum(labels["lie"]["dropped"].values()) == 2
    statements = labels["statement"]
    assert (statements["notes"], statements["quotes"]) == (1, 1)
    assert labels["trap"]["dropped"] == {"not proposed": 1}
    assert figures["learnt_wrongly"] == []
    assert figures["asked"]["without_a_model"] == {"questions": 1, "answered": 1, "in_block": 0}
    assert figures["tokens"]["extraction"]["calls"] == figures["tokens"]["verification"]["calls"]
    assert figures["tokens"]["extraction"]["p50"] > 300
    heard = next(entry for entry in figures["each_case"] if entry["id"] == "heard")
    assert "lives in Rome" not in heard["notes"]  # only heard, not read
    assert code == 0


def test_a_question_is_answered_by_the_block_or_by_what_was_just_said(play):
    unknown = {**ASKED, "id": "unknown", "expect": "Zoe"}
    figures, _ = play([ASKED, unknown])
    asked = figures["asked"]["with_a_model"]
    assert asked == {"questions": 2, "answered": 1, "in_block": 1}


@pytest.mark.parametrize(("verdicts", "notes", "wrong"), [("all", 2, 1), ("none", 0, 0)])
def test_the_verdicts_can_be_overridden(play, verdicts, notes, wrong):
    figures, code = play([HONEST, LIE], "--verdicts", verdicts)
    assert sum(rates["notes"] for rates in figures["labels"].values()) == notes
    assert len(figures["learnt_wrongly"]) == wrong
    assert code == bool(wrong)


def test_a_note_of_a_trap_is_learnt_wrongly(play):
    figures, code = play([WRONG_TRAP])
    assert [item["id"] for item in figures["learnt_wrongly"]] == ["wrong"]
    assert code == 1


def test_the_report_reads_as_lines(tmp_path, monkeypatch, capsys):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"cases": [HONEST, RULES]}))
    prompts = tmp_path / "prompts.jsonl"
    options = ["--data", str(file), "--cases", "--prompts", str(prompts)]
    monkeypatch.setattr("sys.argv", ["writing", *options])
    assert writing.main() == 0
    printed = capsys.readouterr().out
    assert "honest        1 | notes    1 (100.0%)" in printed
    assert "questions, without a model: 1 of 1 answered (100.0%)" in printed
    assert (
        "rules; statement: quote; quotes: I live in Lisbon; answered: where do i live?" in printed
    )
    calls = [json.loads(written)["call"] for written in prompts.read_text().splitlines()]
    assert calls == ["extraction", "verification"]


@pytest.mark.parametrize(
    "bad",
    [
        HONEST | {"labels": ["true"]},
        HONEST | {"labels": []},
        HONEST | {"read": ["D9"]},
        HONEST | {"read": []},
        HONEST | {"verdicts": "maybe"},
        HONEST | {"verdicts": ["supported", "supported"]},
        HONEST | {"messages": [{"id": "D1"}]},
        HONEST | {"messages": [MAYA | {"at": "yesterday"}]},
        HONEST | {"messages": [MAYA | {"at": "9999-12-31T23:59:59Z"}]},
        HONEST | {"messages": [MAYA | {"text": None}]},
        HONEST | {"messages": [MAYA, MAYA]},
        HONEST | {"messages": {"D1": MAYA}},
        HONEST | {"read": "D1"},
        HONEST | {"verdicts": {}},
        HONEST | {"labels": [["honest"]]},
        HONEST | {"candidates": [5]},
        HONEST | {"candidates": "name is Maya"},
        HONEST | {"candidates": [{}]},
        HONEST | {"candidates": [NAME | {"note": 5}]},
        "no case",
    ],
)
def test_a_bad_case_is_named(tmp_path, bad):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"cases": [bad]}))
    with pytest.raises(BadCase, match=r"cases\.json, case (honest|1)"):
        list(load_cases(file))


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


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadCase, match=r"cases\.json cannot be read: No such file"):
        list(load_cases(tmp_path / "cases.json"))


def test_the_shipped_sets_are_large_and_in_three_languages():
    cases = list(load_cases(writing.DEVELOPMENT))
    assert len(cases) >= 200
    assert len({case.id for case in cases}) == len(cases)
    texts = " ".join(line.text for case in cases for line in case.lines)
    assert all(word in texts for word in ("ich wohn", "soy de", "from leeds"))
    assert len(list(load_cases(HELD_OUT))) == 80


async def test_a_real_verifier_can_be_asked(tmp_path):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"cases": [HONEST, LIE]}))
    async with FakeModelServer() as judge:  # it supports every note
        figures = await writing.measure(
            tmp_path, data=(file,), ask_verifier=(judge.base_url, "fake-chat")
        )
        assert [chat["model"] for chat in judge.chats] == ["fake-chat"] * 2
    assert [item["id"] for item in figures["learnt_wrongly"]] == ["lie"]
