"""Sessions of an MCP server at an address: which calls run again, and what opens a new one."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from tests.fakes.mcp_server import CountingServer, serving
from utils.common.clock import Clock
from utils.mcp.connection import INVALID, REFUSED, McpConnection, ToolUnavailable
from utils.mcp.server_list import McpServerSpec

UNKNOWN_CITY = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "city is unknown"}}


@pytest.fixture
def server():
    return CountingServer()


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    monkeypatch.setattr("utils.mcp.connection.RECONNECT_S", 1000.0)  # nothing is left to a retry
    monkeypatch.setattr("utils.mcp.connection.RELOAD_PAUSE_S", 0.0)


@asynccontextmanager
async def connected(server, **spec):
    async with asyncio.timeout(60), serving(server) as url:
        tools = ("pay", "slow", "search")
        connection = McpConnection(
            McpServerSpec(url=url, tools=tools, name="bank", **spec), Clock()
        )
        connection.start()
        try:
            await connection.is_settled.wait()
            yield connection
        finally:
            await connection.close()


async def text_of(connection, tool):
    return (await connection.call(f"bank__{tool}", {}))[0]


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_a_call_runs_once_whatever_was_answered_to_a_notification(server, status):
    server.errors |= {"pay": (-32000, "the card is empty"), "search": (-32602, "city is unknown")}
    server.refusals["notifications/initialized"] = status, None
    server.refusals["notifications/cancelled"] = status, None
    async with connected(server, timeout_s=5) as connection:
        cancelled = asyncio.create_task(text_of(connection, "slow"))
        await server.began.wait()
        server.refused.clear()
        cancelled.cancel()
        await server.refused.wait()
        server.release.set()
        with pytest.raises(ToolUnavailable):
            await text_of(connection, "pay")
        assert "city is unknown" in await text_of(connection, "search")
    assert (server.runs, server.openings) == ({"slow": 1, "pay": 1, "search": 1}, 1)


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_a_wrong_argument_is_told_and_ends_no_session(server, status):
    server.refusals["search"] = status, UNKNOWN_CITY
    async with connected(server) as connection:
        slow = asyncio.create_task(text_of(connection, "slow"))
        await server.began.wait()
        assert "city is unknown" in await text_of(connection, "search")
        server.release.set()
        assert await slow == "after slow"
    assert server.openings == 1


async def test_a_refusal_in_a_session_that_still_answers_ends_it_for_no_other_call(server):
    error = {"code": -32000, "message": "no"}
    server.refusals["pay"] = 400, {"jsonrpc": "2.0", "id": None, "error": error}
    async with connected(server) as connection:
        slow = asyncio.create_task(text_of(connection, "slow"))
        await server.began.wait()
        with pytest.raises(ToolUnavailable):
            await text_of(connection, "pay")
        server.release.set()
        assert await slow == "after slow"
    assert server.openings == 1


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_calls_of_a_forgotten_session_run_once_each_in_a_new_one(server, status):
    server.forgotten_status = status
    async with connected(server) as connection:
        server.forget()
        texts = await asyncio.gather(*(text_of(connection, "pay") for _ in range(3)))
    assert texts == ["after pay"] * 3
    assert server.runs["pay"] == 3
    assert server.openings == 2


async def test_one_bad_tool_takes_a_healthy_server_from_nobody(server):
    server.errors["pay"] = -32000, "the card is empty"
    async with connected(server) as connection:
        for _ in range(4):
            server.listed.clear()
            with pytest.raises(ToolUnavailable):
                await text_of(connection, "pay")
            await server.listed.wait()
            assert await text_of(connection, "search") == "after search"
    assert server.openings == 1


async def test_a_bridge_that_has_lost_its_program_is_no_connected_server(server):
    async with connected(server) as connection:
        server.is_gone = True
        connection.is_settled.clear()
        with pytest.raises(ToolUnavailable, match="no usable answer"):
            await text_of(connection, "pay")
        await connection.is_settled.wait()
        assert not connection.is_connected
        assert connection.problem == "the connection fails (MCPError)"


@pytest.mark.parametrize(
    ("refusals", "problem"),
    [
        ({}, INVALID.format(place="tools.0")),
        ({"initialize": (404, None)}, REFUSED.format(status=404)),  # mcp-hub 4.2.1: SSE only
    ],
)
async def test_why_a_server_cannot_be_used_is_named(server, refusals, problem):
    server.schema = {"$schema": "http://json-schema.org/draft-07/schema#"}  # litemcp with zod 4
    server.refusals |= refusals
    async with connected(server) as connection:
        assert connection.problem == problem


@pytest.mark.parametrize(("status", "body"), [(503, None), (403, None), (500, {"error": "down"})])
async def test_an_error_of_http_alone_is_no_usable_answer(server, status, body):
    server.refusals["pay"] = status, body
    async with connected(server) as connection:
        with pytest.raises(ToolUnavailable, match="no usable answer"):
            await text_of(connection, "pay")
        assert await text_of(connection, "search") == "after search"


@pytest.mark.parametrize(("status", "code"), [(500, -32603), (400, -32021)])
async def test_an_error_of_the_protocol_is_told_at_any_status(server, status, code):
    error = {"code": code, "message": "the card is empty"}
    server.refusals["pay"] = status, {"jsonrpc": "2.0", "id": 1, "error": error}
    async with connected(server) as connection:
        assert "the card is empty" in await text_of(connection, "pay")


async def test_a_server_that_ends_no_session_delays_no_new_one(server, monkeypatch):
    monkeypatch.setattr("utils.mcp.transports.END_TIMEOUT_S", 0.1)
    async with connected(server) as connection:
        server.silent.add("DELETE")
        server.forget()
        assert await text_of(connection, "pay") == "after pay"
    assert server.runs["pay"] == 1


async def test_tools_that_are_listed_after_the_connection_was_lost_are_not_offered(server):
    server.errors["pay"] = -32000, "the card is empty"
    async with connected(server, timeout_s=0.5) as connection:
        server.held.add("tools/list")
        server.listed.clear()
        with pytest.raises(ToolUnavailable):
            await text_of(connection, "pay")
        await server.listed.wait()
        for _ in range(2):
            with pytest.raises(ToolUnavailable, match="in time"):
                await text_of(connection, "slow")
        server.release.set()
        await asyncio.sleep(0.2)
        assert not connection.is_connected
