"""Requests that wait for the model share what is the same in them."""

from utils.llm.chat_completions import build_request
from utils.models.llm import ChatMessage, ToolDefinition


def request(text: str, *tools: ToolDefinition) -> dict:
    messages = [ChatMessage("system", text)]
    return build_request(
        "a-model", messages, None, offered=tools, max_tokens=9, temperature=0.0, without=set()
    )


def test_a_request_holds_the_text_of_its_messages_and_no_copy():
    text = "Ein längerer Text 🐈. " * 9
    assert request(text)["messages"][0]["content"] is text
