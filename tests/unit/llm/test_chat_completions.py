"""Requests that wait for the model share what is the same in them."""

from utils.llm.chat_completions import build_request
from utils.models.llm import ChatMessage, ToolDefinition, object_schema

HALF = "\ud83d"


def request(text: str, *tools: ToolDefinition) -> dict:
    messages = [ChatMessage("system", text)]
    return build_request(
        "a-model", messages, None, offered=tools, max_tokens=9, temperature=0.0, without=set()
    )


def test_a_request_holds_the_text_of_its_messages_and_no_copy():
    text = "Ein längerer Text 🐈. " * 9
    assert request(text)["messages"][0]["content"] is text


def test_half_characters_are_replaced():
    assert request(f"a cat {HALF}!")["messages"][0]["content"] == "a cat \ufffd!"


def test_requests_share_the_description_of_a_tool():
    tool = ToolDefinition("look_up", "Find facts.", object_schema(about={"type": "string"}))
    other = ToolDefinition("look_up", "Find facts.", object_schema(where={"type": "string"}))
    first, second = (request("Hello.", tool)["tools"] for _ in range(2))
    assert first[0] is second[0]
    assert request("Hello.", other)["tools"][0]["function"]["parameters"] == other.parameters
