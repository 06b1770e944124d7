"""Pieces of a streamed answer, however they are cut, make the answer that was meant."""

import json
from itertools import pairwise
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from utils.llm.chat_completions import read_answer
from utils.llm.streaming import StreamAccumulator
from utils.models.llm import ToolDefinition

REQUEST = {"messages": [{"role": "user", "content": "Hi"}]}
TIME = ToolDefinition("time", "", {"type": "object", "properties": {}, "required": []})
USAGE = {"prompt_tokens": 9, "completion_tokens": 4}


def event(chunk):
    written = chunk if isinstance(chunk, str) else json.dumps(chunk, ensure_ascii=False)
    return f"data: {written}\n\n".encode()


def delta(reason=None, **fields):
    return event({"choices": [{"index": 0, "delta": fields, "finish_reason": reason}]})


def arrive(*data, offers=False):
    heard = []
    coming = StreamAccumulator(SimpleNamespace(push=heard.append), offers=offers)
    for one in data:
        coming.feed(one)
    coming.end()
    return coming, heard


def answer(*data, offered=()):
    coming, _ = arrive(*data, offers=bool(offered))
    assert coming.is_whole
    return read_answer(coming.body(), REQUEST, offered)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5), st.lists(st.integers(1, 400)))
def test_it_does_not_matter_where_the_bytes_are_cut(words, cuts):
    data = b": keep-alive\n\n" + b"".join(delta(content=one) for one in words)
    data += delta("stop") + event({"choices": [], "usage": USAGE}) + event("[DONE]")
    places = sorted({0, *(cut % len(data) for cut in cuts), len(data)})
    pieces = [data[one:other] for one, other in pairwise(places)]
    coming, _ = arrive(*pieces)
    assert coming.is_whole
    assert coming.body()["choices"][0]["message"]["content"] == "".join(words)
    assert coming.body()["usage"] == USAGE


@each_row(
    "data",
    [
        [delta(content="Half a sen")],
        [delta(content="Half"), b'data: {"choices": [{"del'],
        [event({"choices": None}), event({"choices": []})],
        *([delta(reason, content="Half a sen")] for reason in ("", "null", "error", "abort")),
        [b": ping\n\n"],
    ],
)
def test_what_ends_without_an_end_is_not_whole(data):
    coming = StreamAccumulator(SimpleNamespace(push=lambda _: None))
    for one in data:
        coming.feed(one)
    assert not coming.is_whole


def test_thoughts_are_neither_heard_nor_said():
    data = [
        delta(reasoning_content="They greet. "),
        delta(content="<think>so I"),
        delta(content=" greet</think>\n"),
        delta(content="Hello"),
        delta("stop"),
    ]
    coming, heard = arrive(*data)
    assert heard == ["Hello"]
    assert not coming.has_thoughts_as_text
    assert answer(*data).text == "Hello"


def test_thoughts_that_nothing_announced_are_noticed_at_their_end():
    coming, heard = arrive(delta(content="They greet.\n</think>\n"), delta(content="Hi"))
    assert coming.has_thoughts_as_text
    assert heard[-1].strip() == "Hi"


def test_calls_come_in_pieces_and_several_at_once():
    def call(index, arguments, **more):
        return {"index": index, "function": {"arguments": arguments, **more.pop("of", {})}, **more}

    data = [
        delta(content="Let me look. "),
        delta(tool_calls=[call(0, "", id="a", of={"name": "time"})]),
        delta(tool_calls=[call(1, "{", id="b", of={"name": "time"}), call(0, "{}")]),
        delta("stop", tool_calls=[call(1, "}")]),
        delta("stop", content="."),
        delta("tool_calls"),
    ]
    found = answer(*data, offered=[TIME])
    assert [(one.id, one.name, one.arguments) for one in found.calls] == [
        ("a", "time", {}),
        ("b", "time", {}),
    ]
    assert found.text == "Let me look. ."


def test_what_an_agent_ran_itself_before_it_answered_is_no_call():
    ran = {"index": 0, "id": "a", "function": {"name": "time", "arguments": "{}"}}
    data = [delta("tool_calls", tool_calls=[ran]), delta("tool_call_results"), delta(content="9")]
    assert not arrive(*data)[0].is_whole
    found = answer(*data, delta("stop"), offered=[TIME])
    assert (found.text, found.calls) == ("9", ())


@each_row("begun", ['{"na', "[{", "```json\n{", "<tool_call>", "```", "<|python", "[TOOL_CALLS]t"])
def test_what_may_be_a_call_is_not_heard_where_tools_are_offered(begun):
    assert arrive(delta(content=begun), offers=True)[1] == []
    assert arrive(delta(content='Look:\n{"na'), offers=True)[1] == []
    assert "Look: " in arrive(delta(content="Look: " + begun), offers=True)[1][0], (
        "what may be a mark waits for its end"
    )
    assert {
        heard
        for half, rest in (("<invoke na", 'me="a">'), ("```tool_", "code\n"))
        for heard in arrive(delta(content=f"Look: {half}"), delta(content=rest + begun))[1]
    } == {"Look: "}


def test_a_long_answer_is_not_read_again_with_each_piece():
    coming, heard = arrive(*(delta(content=f"{number} ") for number in range(9_999)))
    assert 999 < len(heard) < 1_999
    assert coming.shown_in_all().endswith(" 9998 "), "as when it breaks off there"


def test_an_error_in_the_stream_is_no_end():
    coming, _ = arrive(delta(content="He"), event({"error": {"code": "503", "message": "busy"}}))
    assert (coming.is_whole, coming.error[0]) == (False, 503)


@each_row(
    "ending",
    [
        [delta("stop"), event({"choices": [], "usage": USAGE})],
        [event({"choices": [], "usage": USAGE}), delta("stop"), event({"usage": None})],
        [event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop", "usage": USAGE}]})],
    ],
)
def test_the_usage_counts_wherever_it_stands(ending):
    found = answer(delta(content="He"), *ending)
    assert (found.usage.prompt_tokens, found.usage.completion_tokens) == (9, 4)


@each_row(
    ("key", "words", "repeats"),
    [
        ("message", "Hello there.", True),
        ("message", "Hello there.", False),
        ("message", "", True),
        ("delta", "Hello there.", False),
    ],
)
def test_a_whole_answer_at_the_end_is_no_more_of_it(key, words, repeats):
    """As MiniMax's endpoint sends it, and Rapid-MLX 0.12.7 as a delta; it was shown twice."""
    calls = [{"id": "a", "function": {"name": "time", "arguments": "{}"}}]
    message = {"content": words, "tool_calls": calls if repeats else None}
    last = event({"choices": [{"index": 0, key: message, "finish_reason": "stop"}]})
    found = answer(
        delta(content=words[:6]), delta(content=words[6:], tool_calls=calls), last, offered=[TIME]
    )
    assert (found.text, len(found.calls)) == (words, 1)


@each_row("nothing", [None, "", {}, {"code": None}, {"code": None, "message": ""}])
def test_an_error_without_anything_in_it_is_none(nothing):
    chunk = {"choices": [{"index": 0, "delta": {"content": "He"}}], "error": nothing}
    coming, heard = arrive(event(chunk), delta("stop"))
    assert (coming.is_whole, coming.error, heard) == (True, None, ["He"])


@each_row("rest", [delta(content="And so on")[:20], delta(content="And so on") + delta("stop")])
def test_nothing_that_comes_after_a_model_goes_round_in_circles_counts(rest):
    circles = [delta(content="I am here to help and support. ") for _ in range(21)]
    coming, heard = arrive(b"".join(circles) + rest)
    assert (coming.is_whole, coming.is_damaged) == (True, False)
    assert coming.body()["choices"][0]["message"]["content"].endswith("support. ")
    assert len(heard) == len(circles)
