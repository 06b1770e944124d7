"""Tools of MCP servers in answers: switched by moderators, bounded, and data whatever they say."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.server import Server
from mcp.types import ListToolsResult, Tool

from tests.e2e.den import ROOT, Den, memory
from tests.e2e.test_commands_e2e import choices, use
from tests.fakes.mcp_server import CountingServer, serving
from tests.fakes.model_server import Answer, ChatRequest, tools
from utils.mcp import connection
from utils.mcp.connection import McpConnection
from utils.mcp.mcp_tools import McpTools
from utils.models.memory import Form, Kind
from utils.models.memory import Member as Known

TOOLS = [
    *("forecast", "search", "inject", "huge", "broken"),
    *("environment", "rubbish", "endless", "die", "fail", "gone"),  # of the program
    *("count", "grow", "late"),  # of the choosy one
]
CHOOSY = [sys.executable, "-IS", str(ROOT / "tests/fakes/choosy_mcp_program.py")]
PROGRAM = [sys.executable, "-IS", str(ROOT / "tests/fakes/hostile_mcp_program.py")]


@asynccontextmanager
async def with_servers(den: Den, folder: Path, **servers: dict[str, object]) -> AsyncIterator[None]:
    """Run Kith with these MCP servers; the moderators switched all of them on."""
    lines = []
    for name, entry in servers.items():
        lines.append(f"[{name}]")
        lines += [
            f"{key} = {json.dumps(value)}" for key, value in (entry | {"tools": TOOLS}).items()
        ]
    file = folder / "mcp.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    async with den.awake(mcp_servers=file):
        await connected(den)
        for name in servers:
            await den.app.guilds.settings.update(
                den.guild.id,
                lambda old, name=name: old.with_switched("tool_servers", name, is_on=True),
            )
        yield


async def connected(den: Den) -> McpTools:
    assert den.app.mcp is not None
    await den.app.mcp.settled()
    return den.app.mcp


def calls(*rounds: list[tuple[str, dict[str, object]]]):
    """A model that calls these tools, then says what the last of them returned."""

    def answer(request: ChatRequest) -> Answer | str:
        messages = request["messages"]
        done = sum(
            message["role"] == "assistant" and "tool_calls" in message for message in messages
        )
        if done < len(rounds):
            return tools(*rounds[done])
        return "So: " + messages[-1]["content"].replace("\n", " ")

    return answer


def results(den: Den) -> list[str]:
    """The tools' results in the last prompt."""
    return [m["content"] for m in den.prompts()[-1]["messages"] if m["role"] == "tool"]


async def ask(den: Den, *rounds: list[tuple[str, dict[str, object]]]) -> list[str]:
    """Have Alice ask something for which the model calls these tools; returns their results."""
    den.model.reply_with(calls(*rounds))
    await den.talk(den.alice, "what about the weather?")
    return results(den)


async def test_moderators_see_and_switch_them_and_only_then_answers_use_them(
    den: Den, tmp_path: Path
) -> None:
    async with serving() as url, with_servers(den, tmp_path, weather={"url": url}):
        await use(den, den.moderator, "mod tools", service="weather", state="off")
        listed = await use(den, den.moderator, "mod tools")
        assert "**weather** is off: `forecast`, `search`" in listed.content
        assert "`die` (the service does not have it)" in listed.content
        (refused,) = await ask(den, [("weather__forecast", {"place": "Rome", "days": None})])
        assert refused.startswith("There is no such tool, or something it needs is missing.")
        assert "weather" not in json.dumps(den.prompts()[-2]["tools"])

        assert await choices(den, den.moderator, "mod tools", "service", "wea") == ["weather"]
        assert (
            "From now on I may use **weather**"
            in (await use(den, den.moderator, "mod tools", service="weather", state="on")).content
        )
        assert (
            "no service bank"
            in (await use(den, den.moderator, "mod tools", service="bank")).content
        )
        assert (
            "> Rain in Rome on 3 days. The umbrella appointment is on 2 May 2099."
            in (await ask(den, [("weather__forecast", {"place": "Rome", "days": 3})]))[0]
        )
        offered = {tool["function"]["name"]: tool for tool in den.prompts()[-2]["tools"]}
        forecast = offered["weather__forecast"]["function"]
        assert len(forecast["description"]) < 700  # two of its arguments have no words of their own
        assert "<|" not in forecast["description"]
        assert forecast["parameters"]["required"] == ["place", "days"]

        den.model.reply_with(calls([("weather__search", {"query": "x"})]))
        await den.talk(den.alice, "hello", den.dm(den.alice))
        assert results(den) == [refused]  # not in direct messages, unless the operator says so
        assert "tool @weather" in {entry.action for entry in (await export_of(den)).audit}


async def export_of(den: Den):
    from utils.memory.member_data import view

    alice = Known(den.guild.id, den.alice.id)
    return await den.app.database.read(view.export, alice, den.clock.now())


async def test_what_a_server_says_or_does_costs_no_answer_and_orders_nothing(
    den: Den, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("utils.mcp.connection.RECONNECT_S", 0.01)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1")
    other = {"command": PROGRAM, "timeout_s": 30}
    async with (
        serving() as url,
        with_servers(
            den,
            tmp_path,
            weather={"url": url, "timeout_s": 30, "calls_per_answer": 2},
            program=other,
        ),
    ):
        await den.teach(den.alice, "I have a dog.")
        (injected,) = await ask(den, [("weather__inject", {})])
        assert "</background>" not in injected
        assert "<|im_start|>" not in injected
        assert all(line.startswith("> ") for line in injected.splitlines()[1:])
        (injected, forgot, other_server) = await ask(
            den,
            [("weather__inject", {})],
            [("forget", {"what": "everything"}), ("program__search", {"query": "dog"})],
        )
        assert "nothing is erased or corrected after" in forgot
        assert "may not ask another server" in other_server
        assert await den.known_of(den.alice) == ["has a dog"]

        ran = await ask(den, [("weather__search", {"query": "a"})] * 3)
        assert [text.startswith("What weather returned") for text in ran] == [True, True, False]
        assert "2 times for one answer" in ran[2]

        (variables, rubbish) = await ask(
            den, [("program__environment", {}), ("program__rubbish", {})]
        )
        assert {"DISCORD_TOKEN", "OPENAI_API_KEY", "OPENAI_BASE_URL", "PATH"} & set(
            variables.split()
        ) == {"PATH"}
        assert rubbish.endswith("> after rubbish")
        (asked,) = await ask(den, [("weather__search", {"query": "anything"})])
        assert asked.endswith(
            "> It waits for an answer that cannot be given from here.\n> For which day?"
        )
        (failed, huge) = await ask(den, [("weather__broken", {}), ("weather__huge", {})])
        assert "weather reports that broken failed" in failed
        assert "no usable answer" in huge
        for failed in await ask(den, [("program__fail", {})] * 2):
            assert failed == "program reports that fail failed:\n> Entity with name Rex not found"
        assert (await ask(den, [("program__search", {})]))[0].endswith("> after search")
        program = (await connected(den)).connections["program"]
        for name in ("die", "endless", "gone"):
            lost = program._link.lost
            (ended,) = await ask(den, [(f"program__{name}", {})])
            assert "no usable answer" in ended
            await asyncio.wait_for(lost.wait(), 30)
            while not program.is_connected:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (await ask(den, [("program__search", {})]))[0].endswith("> after search")
    records = [record for record in caplog.records if record.name.startswith(("client", "mcp.c"))]
    assert records == []  # the package's errors quote what a server sent


async def test_a_result_is_kept_with_its_message_and_teaches_a_task_but_no_fact(
    den: Den, tmp_path: Path
) -> None:
    quote = "The umbrella appointment is on 2 May 2099."
    den.model.extract_with(
        lambda request: {
            "memories": [
                memory("has an umbrella appointment", quote, kind="task", until="2099-05-02"),
                memory("lives in Rome", "Rain in Rome on 1 days.", kind="fact"),
            ],
            "profile_update": None,
        }
    )
    async with serving() as url, with_servers(den, tmp_path, weather={"url": url}):
        await ask(den, [("weather__forecast", {"place": "Rome", "days": None})])
        await den.app.memory.recorder.settle()
        member = Known(den.guild.id, den.alice.id)
        (row,) = (await den.app.memory.member_data.show(member)).rows
        assert (row.kind, row.form) == (Kind.TASK, Form.NOTE)
        assert row.confidence == pytest.approx(0.9 * 0.7)
        (attached,) = (await export_of(den)).attachments
        assert attached.name == "weather: forecast"
        assert quote in "".join(attached.parts)
        assert "  ATTACHED" in den.extractions()[-1]["messages"][-1]["content"]
        assert "\n  [tool #A" in den.extractions()[-1]["messages"][-1]["content"]
        await den.app.memory.editor.forget_all(member)
        assert (await export_of(den)).attachments == ()


@pytest.mark.parametrize(("known", "other"), [("initialize", "waits"), ("server/discover", "ends")])
async def test_a_program_that_knows_one_handshake_connects_at_once_and_again(
    known: str, other: str, den: Den, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utils.mcp.connection.RECONNECT_S", 1000.0)  # nothing is left to a retry
    monkeypatch.setattr("mcp.client.session.DISCOVER_TIMEOUT_SECONDS", 1000.0)  # nor to a wait
    starts = tmp_path / "starts"
    program = {"command": [*CHOOSY, known, other, str(starts)]}
    async with asyncio.timeout(60), with_servers(den, tmp_path, choosy=program):
        assert "> after search" in (await ask(den, [("choosy__search", {"query": "x"})]))[0]
        assert den.app.mcp is not None
        first = starts.read_text().count("started")
        await den.app.mcp.close()
        den.app.mcp.start()
        await connected(den)
        assert den.app.mcp.connections["choosy"].is_connected
        assert starts.read_text().count("started") == first + 1  # the handshake is remembered


async def test_an_error_of_http_alone_counts_as_failed_and_is_not_stored(
    den: Den, tmp_path: Path
) -> None:
    server = CountingServer()
    server.refusals["search"] = 503, None
    async with serving(server) as url, with_servers(den, tmp_path, weather={"url": url}):
        broken = [connection.BROKEN.format(server="weather")]
        assert await ask(den, [("weather__search", {})]) == broken
        sample = den.app.runtime.metrics.registry.get_sample_value
        labels = {"service": "weather", "outcome": "failed"}
        assert sample("kith_mcp_calls_total", labels) == 1
        await den.app.memory.recorder.settle()
        assert (await export_of(den)).attachments == ()


@pytest.mark.parametrize("known", ["initialize", "server/discover"])
async def test_all_pages_are_read_changes_too_and_what_cannot_be_offered_is_named(
    known: str, den: Den, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utils.mcp.connection.RELOAD_PAUSE_S", 0.0)
    program = {"command": [*CHOOSY, known, "ends", str(tmp_path / "starts")]}
    async with with_servers(den, tmp_path, choosy=program):
        choosy = den.app.mcp.connections["choosy"]
        assert choosy.tool_names == ["search", "grow"]
        unfit = "cannot be offered: its argument words cannot be expressed"
        assert f"`count` ({unfit})" in (await use(den, den.moderator, "mod tools")).content
        assert {f"count {unfit}", "it does not have huge"} <= set(choosy.faults)
        (refused,) = await ask(den, [("choosy__search", {"query": 5})])
        assert refused.startswith("choosy reports that search failed:")
        assert refused.endswith("> expected a string, not 5")  # so that the model can mend it
        await grows(den, choosy, monkeypatch)


async def grows(den: Den, server: McpConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a server add the tool ``late``; returns when that is known."""
    grown, load = asyncio.Event(), server._load

    async def watched(client: Client) -> None:
        await load(client)
        if "late" in server.tool_names:
            grown.set()

    monkeypatch.setattr(server, "_load", watched)
    assert "late" not in server.tool_names
    await ask(den, [(f"{server.spec.name}__grow", {})])
    await asyncio.wait_for(grown.wait(), 30)


async def test_a_list_of_tools_without_an_end_is_read_as_far_as_its_bounds() -> None:
    asked: list[str | None] = []

    def server(next_cursor: Callable[[str | None], str]) -> Server:
        async def list_tools(_: object, params: Any) -> ListToolsResult:
            cursor = params.cursor if params else None
            asked.append(cursor)
            tool = Tool(name=f"tool{len(asked)}", input_schema={"type": "object"})
            return ListToolsResult(tools=[tool], next_cursor=next_cursor(cursor))

        return Server("endless", on_list_tools=list_tools)

    async with Client(server(lambda cursor: str(int(cursor or 0) + 1))) as client:
        assert len(await connection._listed(client)) == connection.MAX_PAGES == len(asked)
    asked.clear()
    async with Client(server(lambda _: "again")) as client:
        assert len(await connection._listed(client)) == 2
    assert asked == [None, "again"]
