"""``bot.py mcp``: agents use memory with the rights of one member, or of everyone, never more."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from cogs.mcp_server.agent_server import memory_server, serve_http
from cogs.mcp_server.agent_tools import AgentTools
from cogs.mcp_server.grants import Grant, Grants
from cogs.mcp_server.readers import FRESH_S, AgentReaders
from cogs.memory.display import Display
from cogs.memory.items import parse_item, why_text
from tests.e2e.den import ROOT, Den
from tests.e2e.test_commands_e2e import use
from tests.fakes.discord import perms
from tests.fakes.model_server import support_all, verifies
from utils.common.errors import SettingsError
from utils.memory.member_data import view
from utils.models.memory import Consent, Status, VerifiedBy
from utils.models.memory import Member as Known
from utils.models.policy import WriteMode

VIEW = perms("view_channel", "read_message_history")
MCP_PAGE = ROOT / "docs" / "mcp.md"
TOKEN = "alices-agent-token-of-24-characters"


class Agent:
    """An agent with one grant, connected with the ``mcp`` package's own client."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def use(self, name: str, **arguments: Any) -> Any:
        """Return what a tool returns; an error is its sentence."""
        result = await self.client.call_tool(name, arguments)
        (block,) = result.content
        if result.is_error or not block.text.startswith(("[", "{")):
            return block.text
        return json.loads(block.text)

    async def texts(self, query: str) -> list[str]:
        return [entry["text"] for entry in await self.use("search", query=query)]


@asynccontextmanager
async def agent(den: Den, grant: Grant) -> AsyncIterator[Agent]:
    readers = AgentReaders(den.app)
    server = memory_server(AgentTools(den.app, readers), lambda: grant)
    try:
        async with Client(server) as client:
            yield Agent(client)
    finally:
        await readers.close()


async def audit_of(den: Den, who: Known) -> set[str]:
    export = await den.app.database.read(view.export, who, den.clock.now())
    return {entry.action for entry in export.audit}


async def test_an_agent_reads_only_what_its_member_or_everyone_can_read_now(den: Den) -> None:
    staff = den.guild.add_role("Staff")
    den.alice.role_ids.add(staff.id)
    secret = den.guild.add_text_channel("secret", private=True)
    for role in (staff, den.guild.bot_role):
        secret.overwrite(role, allow=VIEW)
    async with den.awake():
        await den.teach(den.alice, "I have a parrot.")
        await den.teach(den.alice, "I have a tortoise.", secret)
        await den.teach(den.bob, "I have a ferret.")
        alice = Known(den.guild.id, den.alice.id)
        async with agent(den, Grant(*(alice.guild_id, alice.user_id))) as hers:
            assert "has a parrot" in await hers.texts("parrot")
            assert "has a tortoise" in await hers.texts("tortoise")
            assert "has a ferret" not in await hers.texts("ferret")
            found_id = (await hers.use("search", query="parrot"))[0]["id"]
            assert (await hers.use("get", id=found_id))["rests_on"] == ["I have a parrot."]
        assert "tool mcp search" in await audit_of(den, alice)

        async with agent(den, Grant(den.guild.id)) as everyones:
            names = [tool.name for tool in (await everyones.client.list_tools()).tools]
            assert names == ["search"]
            assert "has a parrot" in await everyones.texts("parrot")
            assert await everyones.texts("tortoise") == []
            assert "needs a token of a member" in await everyones.use(
                "remember", text="x", channel=str(den.general.id)
            )
        assert "viewed" in await audit_of(den, alice)
        assert (
            "Another program that my operator lets search here looked at this"
            in (await use(den, den.alice, "memory show")).content
        )

        den.alice.role_ids.discard(staff.id)
        async with agent(den, Grant(den.guild.id, den.alice.id)) as hers:
            assert await hers.texts("tortoise") == []
            assert "no memory" in await hers.use("get", id="#2")
        async with agent(den, Grant(den.guild.id, den.bob.id)) as his:
            assert "has a ferret" in await his.texts("ferret")
            await den.fake.leave(den.bob)
            den.clock.pass_time(FRESH_S)
            assert "is not in that server" in await his.use("search", query="ferret")
            den.fake.fail("GET", f"/guilds/{den.guild.id}*", status=400, times=9)
            assert "nothing is read. Try later" in await his.use("search", query="ferret")


async def test_an_agent_remembers_forgets_and_exports_under_the_same_rules(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with den.awake():
        alice, here = Known(den.guild.id, den.alice.id), str(den.general.id)
        await den.teach(den.alice, "I have a parrot.")
        async with agent(den, Grant(alice.guild_id, alice.user_id)) as hers:
            noted = await hers.use("remember", text="I collect stamps.", channel=here)
            assert noted["status"] == Status.ACTIVE
            why = await den.app.memory.member_data.why(alice, int(noted["id"].lstrip("#")))
            assert why is not None
            (evidence,) = why.evidence
            assert (evidence.model, evidence.verified_by) == ("agent", VerifiedBy.MODEL)
            assert why.item.confidence == pytest.approx(0.9 * 0.7)
            item = parse_item(noted["id"])
            page = await why_text(den.app, alice, item, Display(den.clock.now()))
            assert "an agent of yours said it, verified by the model" in page
            verified = sum(map(verifies, den.model.chats))
            assert await den.known_of(den.alice) == ["has a parrot", "I collect stamps."]
            for text, words in (
                ("my password is hunter2secret", "never note passwords"),
                ("I collect stamps.", "remember that already"),
                ("", "no words"),
            ):
                assert words in await hers.use("remember", text=text, channel=here)
            assert sum(map(verifies, den.model.chats)) == verified  # what is refused is not sent
            den.model.verify_with(lambda asked: support_all(asked) | {"own": ""})
            assert "in earnest" in await hers.use("remember", text="I ski.", channel=here)
            den.model.verify_with(lambda request: "nonsense")
            assert "try again later" in await hers.use("remember", text="I ski.", channel=here)
            den.model.verify_with(support_all)
            assert "cannot be read" in await hers.use(
                "remember", text="I ski.", channel="5" * 5_000
            )
            assert "argument" in await hers.use("search")
            assert "I collect stamps." in json.dumps(await hers.use("export"))
            assert "Forgotten" in await hers.use("forget", id=noted["id"])
            assert "no memory" in await hers.use("forget", id=noted["id"])
            assert await den.known_of(den.alice) == ["has a parrot"]
            await den.app.guilds.settings.set_policy(
                alice.guild_id, {"mode": WriteMode.MANUAL}, actor_id=1, reason=""
            )
            waits = await hers.use("remember", text="I sail.", channel=here)
            assert waits["status"] == Status.PROPOSED
            assert "I sail." not in await hers.texts("sail")
            await den.app.memory.editor.set_consent(alice, Consent.OFF)
            off = await hers.use("remember", text="I sail.", channel=here)
            assert "store nothing about you" in off
        async with agent(den, Grant(alice.guild_id, alice.user_id)) as hers:
            monkeypatch.setattr(AgentReaders, "_ask", _unreachable)
            assert "Discord cannot be asked" in await hers.use("search", query="parrot")


async def _unreachable(self: AgentReaders, grant: Grant) -> frozenset[int]:
    raise OSError


async def test_nothing_is_read_with_recall_off_or_of_age_restricted_channels(den: Den) -> None:
    club = den.guild.add_text_channel("club")
    async with den.awake():
        await den.teach(den.alice, "I have a parrot.")
        await den.teach(den.alice, "I have a parrot.", club)
        async with agent(den, Grant(den.guild.id, den.alice.id)) as hers:
            (found,) = [e for e in await hers.use("search", query="parrot") if e["id"][0] == "#"]
            shown = await hers.use("get", id=found["id"])
            assert shown["rests_on"] == ["I have a parrot.", "I have a parrot."]
        await den.fake.set_overwrite(club, den.guild.everyone, deny=VIEW)
        async with agent(den, Grant(den.guild.id, den.alice.id)) as hers:
            assert (await hers.use("get", id=found["id"]))["rests_on"] == ["I have a parrot."]
        club.restrict_age()
        den.general.restrict_age()
        for grant in (Grant(den.guild.id, den.alice.id), Grant(den.guild.id)):
            async with agent(den, grant) as reader:
                assert await reader.texts("parrot") == []
        async with agent(den, Grant(den.guild.id, den.alice.id)) as hers:
            assert "no memory" in await hers.use("get", id=found["id"])
            said = await hers.use("remember", text="I ski.", channel=str(club.id))
            assert "cannot be read" in said
        den.general.restrict_age(False)
        await den.app.guilds.settings.set_policy(
            den.guild.id, {"recall": False}, actor_id=1, reason=""
        )
        for grant in (Grant(den.guild.id, den.alice.id), Grant(den.guild.id)):
            async with agent(den, grant) as reader:
                assert "Recall is switched off" in await reader.use("search", query="parrot")
        async with agent(den, Grant(den.guild.id, den.alice.id)) as hers:
            assert "Recall is switched off" in await hers.use("get", id="#1")


async def test_what_discord_said_counts_half_a_minute_and_ten_while_it_is_away(
    own_kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    kith = own_kith
    club = kith.guild.add_text_channel("club")
    await kith.teach(kith.alice, "I have a parrot.", club)
    async with agent(kith, Grant(kith.guild.id, kith.alice.id)) as hers:
        assert "has a parrot" in await hers.texts("parrot")
        ask = AgentReaders._ask
        monkeypatch.setattr(AgentReaders, "_ask", _unreachable)
        kith.clock.pass_time(599)
        assert "has a parrot" in await hers.texts("parrot")
        kith.clock.pass_time(2)
        assert "Discord cannot be asked" in await hers.use("search", query="parrot")
        monkeypatch.setattr(AgentReaders, "_ask", ask)
        assert "has a parrot" in await hers.texts("parrot")
        await kith.fake.set_overwrite(club, kith.guild.everyone, deny=VIEW)
        kith.clock.pass_time(31)
        assert await hers.texts("parrot") == []


async def test_without_its_token_nothing_is_served(den: Den) -> None:
    lines: asyncio.Queue[str] = asyncio.Queue()
    async with den.awake(mcp_port=0, mcp_tokens=_secret(f"{TOKEN}={den.guild.id}/{den.alice.id}")):
        await den.teach(den.alice, "I have a parrot.")
        serving = asyncio.create_task(serve_http(den.app, lines.put_nowait))
        try:
            url = (await lines.get()).split()[4]
            async with httpx2.AsyncClient() as nobody:
                for headers in ({}, {"authorization": "Bearer wrong"}):
                    assert (await nobody.post(url, headers=headers, json={})).status_code == 401
                for name in ("host", "origin"):  # a web page whose name leads to 127.0.0.1
                    headers = {"authorization": f"Bearer {TOKEN}", name: "http://evil.example"}
                    assert (await nobody.post(url, headers=headers, json={})).status_code in (
                        403,
                        421,
                    )
            headers = {"authorization": f"Bearer {TOKEN}"}
            async with (
                httpx2.AsyncClient(headers=headers) as http,
                Client(streamable_http_client(url, http_client=http)) as client,
            ):
                assert await Agent(client).texts("parrot") == ["has a parrot"]
            example = re.findall(r"```python\n(.*?)```", MCP_PAGE.read_text("utf-8"), re.DOTALL)[0]
            example = example.replace("http://127.0.0.1:8090/mcp", url)
            names: dict[str, Any] = {}
            exec(example.replace("TOKEN-OF-ANOTHER", TOKEN), names)
            assert await names["remembered"]("parrot") == ["has a parrot"]
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)


def _secret(text: str) -> Any:
    from pydantic import SecretStr

    return SecretStr(text)


def test_tokens_are_checked_and_never_quoted() -> None:
    grants = Grants(f"{TOKEN}=1/2, {TOKEN}x=1")
    assert grants.of(TOKEN) == Grant(1, 2)
    assert grants.of(f"{TOKEN}x") == Grant(1)
    assert grants.of(TOKEN[:-1]) is None
    for wrong in ("", "short=1", f"{TOKEN}=0/2", f"{TOKEN}=1/2/3", f"{TOKEN}=x", TOKEN):
        with pytest.raises(SettingsError) as error:
            Grants(wrong)
        assert TOKEN not in str(error.value)
    with pytest.raises(SettingsError, match="repeats"):
        Grants(f"{TOKEN}=1, {TOKEN}=2")
