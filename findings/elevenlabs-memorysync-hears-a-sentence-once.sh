#!/bin/sh
# elevenlabs-memorysync 1.1.0 with fastapi 0.165.0 and httpx 0.28.1 (PyPI, CPython 3.11), a proxy that gives voice agents a
# memory (MemorySync) in front of an endpoint of OpenAI's kind. So that "a turn is never extracted twice", a turn is known by
# the caller and its words alone, without a time or a call. "I live in York", in the next call "I live in Leeds", in a third
# "I live in York" again: the third is never sent, and the memory ends in Leeds. "I have a headache" is heard on one day of the
# caller's life. What was said while MemorySync was away counts as sent: said again, it is dropped. The webhook after the call,
# "the safety net for anything missed", makes the same mark, by which the service is to know a replay.
# Source: capture() in proxy.py, ingest_transcription_event() in webhook.py; add_turn() in _api.py: "speaker + occurred_at +
# text identify the turn", and occurred_at is left out "deliberately". Transports of httpx stand for both services. Seen on
# 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "elevenlabs-memorysync==1.1.0" "fastapi==0.165.0" "starlette==1.10.0" "httpx==0.28.1"
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import asyncio
import json

import httpx
from elevenlabs_memorysync import create_proxy_app

sent = []
away = False


def memory(request):
    """MemorySync: one project, no memories; notes the turns that it is sent, unless it is away."""
    if request.url.path == "/org/projects":
        return httpx.Response(200, json=[{"tenant_id": "t"}])
    if request.url.path == "/v1/memory/add_turn":
        if away:
            return httpx.Response(503, json={"detail": "away"})
        sent.append(json.loads(request.content))
    return httpx.Response(200, json={})


def model(request):
    message = {"role": "assistant", "content": "Noted."}
    return httpx.Response(200, json={"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})


async def main():
    global away
    app = create_proxy_app(
        api_key="ms_test",
        upstream_api_key="none",
        _memorysync_transport=httpx.MockTransport(memory),
        _upstream_transport=httpx.MockTransport(model),
    )

    async def say(call, words):
        """Say one sentence in a call of its own, and return whether it reached the memory."""
        before = len(sent)
        caller = {"user_id": "kim", "conversation_id": call}
        body = {"model": "m", "messages": [{"role": "user", "content": words}], "elevenlabs_extra_body": caller}
        answer = await client.post("/v1/chat/completions", json=body)
        assert answer.status_code == 200
        await app.state.engine.flush()
        return len(sent) > before

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://proxy") as client:
        homes = [await say(f"call {n}", f"I live in {town}.") for n, town in enumerate(("York", "Leeds", "York"))]
        away = True
        missed = await say("call 4", "My sister is called Ida.")
        away = False
        again = await say("call 5", "My sister is called Ida.")
    return homes, missed, again


homes, missed, again = asyncio.run(main())
print("York, Leeds, York sent:", homes)
print("the last that the memory heard:", sent[-1]["text"])
print("said while the memory was away, and again in the next call:", missed, again)
print("a turn has a time:", any("occurred_at" in turn for turn in sent))
assert homes == [True, True, False]
assert sent[-1]["text"] == "I live in Leeds."
assert (missed, again) == (False, False)
assert not any("occurred_at" in turn for turn in sent)
print("each sentence of a caller is heard once")
PY
