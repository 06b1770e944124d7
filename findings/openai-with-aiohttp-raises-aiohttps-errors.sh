#!/bin/sh
# openai 3.52.0 with its extra "aiohttp" (aiohttp 3.14.5, httpx2 2.16.2; PyPI, CPython 3.11). The aiohttp client that the extra
# brings refuses answers that the client's own transport reads: with a header of more than 8,190 bytes (a long cookie or a
# Content-Security-Policy of a proxy in front of a model) or with 200 headers. What is raised is aiohttp's
# ClientResponseError, no openai.OpenAIError, so a caller's handlers for openai's errors miss it, and it says status 400
# though the server answered 200. A refused connection does become an openai.APIConnectionError with both.
# Source: README of openai, "Async usage / With aiohttp" (the same interface, for concurrency) and "Handling errors" ("All errors
# inherit from openai.APIError"). RFC 9110, 5.4 names no limit for a field. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "openai[aiohttp]==3.52.0" "aiohttp==3.14.5" "httpx2==2.16.2"
cd "$folder"
"$folder/venv/bin/python" - <<'PY'
import asyncio
import json

from openai import AsyncOpenAI, DefaultAioHttpClient, DefaultAsyncHttpxClient, OpenAIError

MESSAGE = {"role": "assistant", "content": "Hello."}
ANSWER = {"id": "1", "created": 1, "model": "m", "object": "chat.completion"}
BODY = json.dumps({**ANSWER, "choices": [{"index": 0, "message": MESSAGE, "finish_reason": "stop"}]})
HEADERS = {
    "short headers": "x-policy: a\r\n",
    "a long header": f"x-policy: {'a' * 9000}\r\n",
    "200 headers": "".join(f"x-{number}: a\r\n" for number in range(200)),
}


async def asked(client, headers):
    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{headers}"
        writer.write(f"{head}content-length: {len(BODY)}\r\nconnection: close\r\n\r\n{BODY}".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1"
    async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0, http_client=client) as openai:
        try:
            said = await openai.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "Hi"}]
            )
        except Exception as error:
            kind = type(error)
            is_openais = isinstance(error, OpenAIError)
            result = f"{kind.__module__.partition('.')[0]}.{kind.__name__}, status {getattr(error, 'status', None)}, openai's: {is_openais}"
        else:
            result = said.choices[0].message.content
    server.close()
    return result


async def main():
    lines = []
    for name, headers in HEADERS.items():
        for client in (DefaultAsyncHttpxClient, DefaultAioHttpClient):
            kind = "aiohttp" if client is DefaultAioHttpClient else "httpx"
            lines.append(f"{name}, {kind}: {await asked(client(trust_env=False), headers)}")
    print("\n".join(lines))
    refused = "aiohttp.ClientResponseError, status 400, openai's: False"
    assert [line.partition(": ")[2] for line in lines] == ["Hello."] * 2 + ["Hello.", refused] * 2, lines


asyncio.run(main())
PY
# Output:
# short headers, httpx: Hello.
# short headers, aiohttp: Hello.
# a long header, httpx: Hello.
# a long header, aiohttp: aiohttp.ClientResponseError, status 400, openai's: False
# 200 headers, httpx: Hello.
# 200 headers, aiohttp: aiohttp.ClientResponseError, status 400, openai's: False
