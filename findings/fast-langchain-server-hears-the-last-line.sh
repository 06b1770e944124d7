#!/bin/sh
# fast-langchain-server 0.6.0 with langgraph 1.2.24, langchain-core 1.8.3 and openai 3.57.0 (PyPI, CPython 3.11), a server of
# LangChain's agents, "drop-in compatible with OpenAI clients". Of a request's messages the last one of the role "user" reaches
# the agent and nothing else: the system message, what was said before and the results of tools are dropped without a word. A
# client of OpenAI's sends the whole talk and no session, so each question is the first of a new one: told "Kim is allergic to
# nuts" and then asked about nuts, the agent knows of neither. If a tool's result comes last, the question before it is
# answered once more. A message whose content is null, as of each call of a tool, or a list, as with a picture, is a 500. A
# stream has no finish_reason in any chunk, and what was used is 0 tokens.
# Source: chat_completions() and _stream_response() in server.py (last_user; history comes from its own memory alone); its
# README, "Features"; OpenAI's reference, Create chat completion: "A list of messages comprising the conversation so far". A
# model that answers from a list stands for the real one. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "fast-langchain-server==0.6.0" "langgraph==1.2.24" "langchain-core==1.8.3" \
    "langchain==1.5.2" "fastapi==0.165.0" "starlette==1.10.0" "openai==3.57.0" "httpx==0.28.1"
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import asyncio
import json
import logging

import httpx
from fast_langchain_server import Server
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langgraph.graph import START, MessagesState, StateGraph

logging.disable(logging.CRITICAL)
model = FakeListChatModel(responses=["Noted."])
heard = []


async def answer(state):
    """The agent: notes which messages it is given, and answers."""
    heard.append([message.content for message in state["messages"]])
    return {"messages": [await model.ainvoke(state["messages"])]}


graph = StateGraph(MessagesState)
graph.add_node("answer", answer)
graph.add_edge(START, "answer")
server = Server(graph.compile(), agent_name="kim", model_api_url="http://127.0.0.1:9/v1", model_name="m")
SYSTEM = {"role": "system", "content": "Kim is allergic to nuts. Answer in German."}
TALK = [
    SYSTEM,
    {"role": "user", "content": "My sister is called Ida."},
    {"role": "assistant", "content": "Noted."},
    {"role": "user", "content": "May we both eat the cake?"},
]
CALL = {"id": "call_1", "type": "function", "function": {"name": "recipe", "arguments": "{}"}}
RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "Flour, nuts, eggs."}


async def main():
    transport = httpx.ASGITransport(server.app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://agent") as client:

        async def ask(messages, **more):
            body = {"model": "m", "messages": messages, **more}
            return await client.post("/v1/chat/completions", json=body)

        whole = (await ask(TALK)).json()
        stream = (await ask(TALK, stream=True)).text
        await ask([*TALK, {"role": "assistant", "content": "I look it up."}, RESULT])
        with_call = await ask([*TALK, {"role": "assistant", "content": None, "tool_calls": [CALL]}, RESULT])
        picture = [{"type": "text", "text": "Is that a nut?"}]
        with_parts = await ask([{"role": "user", "content": picture}])
    return whole, stream, with_call.status_code, with_parts.status_code


whole, stream, with_call, with_parts = asyncio.run(main())
for messages in heard:
    print("the agent is given:", messages)
chunks = [json.loads(line[5:]) for line in stream.splitlines() if line.startswith("data: {")]
reasons = {choice["finish_reason"] for chunk in chunks for choice in chunk.get("choices", ())}
print("reasons in a stream:", reasons, "- usage:", whole["usage"])
print("after a call of a tool:", with_call, "- with content in parts:", with_parts)
assert heard == [["May we both eat the cake?"]] * 3
assert reasons == {None}
assert set(whole["usage"].values()) == {0}
assert (with_call, with_parts) == (500, 500)
print("only the last line of a talk is heard")
PY
