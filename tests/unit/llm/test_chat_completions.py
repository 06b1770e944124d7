"""Requests share what is the same in them; a decorated name is the tool it can mean."""

from tests.rows import each_row
from utils.llm.chat_completions import build_request, known_name
from utils.models.llm import ChatMessage, ToolDefinition


def request(text: str, *tools: ToolDefinition) -> dict:
    messages = [ChatMessage("system", text)]
    return build_request(
        "a-model", messages, None, offered=tools, max_tokens=9, temperature=0.0, without=set()
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
