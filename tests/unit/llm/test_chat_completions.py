"""Requests share what is the same in them; thoughts are no answer, decorated names are tools."""

from tests.rows import each_row
from utils.llm.chat_completions import build_request, read_answer
from utils.llm.json_repair import known_name
from utils.models.llm import ChatMessage, ToolDefinition


def request(text: str, *tools: ToolDefinition) -> dict:
    return build_request(
        "a-model",
        [ChatMessage("system", text)],
        None,
        offered=tools,
        max_tokens=9,
        temperature=0.0,
        without=set(),
    )


def test_a_request_holds_the_text_of_its_messages_and_no_copy():
    text = "Ein längerer Text 🐈. " * 9
    assert request(text)["messages"][0]["content"] is text


@each_row(
    ("called", "meant"),
    [
        ("functions.remember", "remember"),
        ("remember<|channel|>commentary", "remember"),
        ("default_api:remember", "remember"),
        ("functions.remember:0", "remember"),
        ("Remember()", "remember"),
        ("askLater", "ask_later"),
        ("weather.forecast", "weather__forecast"),
        ("functions.unknown", "functions.unknown"),
        ("remembered", "remembered"),
    ],
)
def test_a_tools_name_with_decoration_is_the_one_it_can_mean(called, meant):
    assert known_name(called, ["remember", "ask_later", "weather__forecast"]) == meant


@each_row(("reason", "text"), [("stop", "It is Rex."), ("length", "")])
def test_the_end_of_an_open_thought_is_an_answer_only_if_the_model_ended_it(reason, text):
    assert (
        read_answer(
            {
                "choices": [
                    {"message": {"content": "<think>A?\n\nIt is Rex."}, "finish_reason": reason}
                ]
            },
            request("Whose?"),
            (),
        ).text
        == text
    )
