"""What agents can do with memory: search, get, remember, forget, export.

They use the same services as the commands on Discord, under the same rules. Every call is recorded
in the audit of the members whose memory it was about.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cogs.mcp_server.grants import AgentRefused, Grant
from cogs.mcp_server.readers import AgentReaders
from cogs.memory.items import forget_item, parse_item, unknown_item
from utils.app import App
from utils.models.conversation import TargetKind
from utils.models.llm import object_schema
from utils.models.memory import SERVER_USER_ID, Form, Member, Memory
from utils.models.recall import MemberMessage, SearchResult

MAX_RESULTS = 20
KITH = 0  # in audits; members are shown its looks as those of an agent

_TEXT = {"type": "string"}


def _schema(**properties: str) -> dict[str, Any]:
    texts = {name: _TEXT | {"description": words} for name, words in properties.items()}
    return object_schema(**texts)


ITEM = "A number from search, such as #12 or m48"
SCHEMAS: dict[str, tuple[str, dict[str, Any]]] = {
    "search": (
        "Find what Kith remembers, by words or with a question.",
        _schema(query="A few words or a question"),
    ),
    "get": ("Show one memory and the words it rests on.", _schema(id=ITEM)),
    "remember": (
        "Note something that the member says about themselves, if it is verified.",
        _schema(
            text="What they say, in one short sentence of theirs",
            channel="The id of the channel whose readers may be told it",
        ),
    ),
    "forget": ("Erase one memory or message of the member, for good.", _schema(id=ITEM)),
    "export": ("Return everything that Kith stores about the member.", _schema()),
}
FOR_ALL = ("search",)


@dataclass(eq=False, repr=False)
class AgentTools:
    """Runs the tools that agents call."""

    _app: App
    _readers: AgentReaders

    def names(self, grant: Grant) -> tuple[str, ...]:
        """Return the tools that a grant may use."""
        return tuple(SCHEMAS) if grant.member is not None else FOR_ALL

    async def run(self, grant: Grant, name: str, arguments: Mapping[str, Any]) -> Any:
        """Return a tool's result as JSON values. Raises AgentRefused or KithError."""
        if name not in SCHEMAS or arguments.keys() != SCHEMAS[name][1]["properties"].keys():
            raise AgentRefused(
                "There is no tool of that name, or an argument is missing or too much."
            )
        if isinstance(number := arguments.get("id"), int):
            arguments = {"id": str(number)}
        if not all(isinstance(value, str) for value in arguments.values()):
            raise AgentRefused("Each argument must be text; an id such as #12 or m48.")
        member = grant.member
        if member is None and name not in FOR_ALL:
            raise AgentRefused(
                "That needs a token of a member; this one is only for what everyone can read."
            )
        sources = await self._readers.sources(grant)
        settings, memory = self._app.guilds.settings, self._app.memory
        if member is not None:
            await memory.loops.note_tool(member, f"mcp {name}")
        if name in ("search", "get") and not (await settings.latest(grant.guild_id)).recall:
            raise AgentRefused(
                "Recall is switched off in this server, so nothing can be read here."
            )
        if member is None:
            return await self._search_server(grant.guild_id, arguments["query"], sources)
        match name:
            case "search":
                search = memory.ranked_search
                return self._entries(await search.of_member(member, arguments["query"], sources))
            case "get":
                return await self._get(member, sources, arguments["id"])
            case "remember":
                channel = arguments["channel"]
                if channel not in map(str, sources):  # Python reads no number of 5,000 digits
                    raise AgentRefused("That channel cannot be read; name the id of one that can.")
                text = arguments["text"]
                return _memory(await memory.editor.add_statement(member, int(channel), text))
            case "forget":
                await forget_item(self._app, member, parse_item(arguments["id"]))
                return "Forgotten, for good."
            case _:
                zone = (await settings.get(member.guild_id)).zone
                return (await memory.member_data.export(member, zone)).json.decode()

    async def _search_server(
        self, guild_id: int, query: str, sources: frozenset[int]
    ) -> list[dict[str, Any]]:
        """Search what everyone can read; the members whose memories are found see that."""
        result = await self._app.memory.ranked_search.of_server(guild_id, query, sources)
        entries = self._entries(result)
        owner_ids = {int(entry["member"]) for entry in entries if "member" in entry}
        await self._app.guilds.settings.note_look(guild_id, owner_ids, KITH)
        return entries

    async def _get(self, member: Member, sources: frozenset[int], id: str) -> dict[str, Any]:
        item, data = parse_item(id), self._app.memory.member_data
        if item.kind is TargetKind.MESSAGE:
            stored = await data.message(member, item.id)
            if stored is not None and stored[0].source_id in sources:
                return _message(stored[0])
        why = await data.why(member, item.id) if item.kind is TargetKind.MEMORY else None
        if why is None or not self._may_show(why.item) or why.item.channel_id not in sources:
            raise unknown_item(item)
        evidence = [entry for entry in why.evidence if entry.channel_id in sources]
        quotes = [entry.quote for entry in evidence if entry.quote]
        return _memory(why.item) | {"rests_on": quotes}

    def _entries(self, result: SearchResult) -> list[dict[str, Any]]:
        """Return what a search found, without memories that wait for approval."""
        items = (*result.rows, *result.messages, *result.others)
        return [
            _message(item) if isinstance(item, MemberMessage) else _memory(item)
            for item in items
            if isinstance(item, MemberMessage) or self._may_show(item)
        ][:MAX_RESULTS]

    def _may_show(self, row: Memory) -> bool:
        return row.is_live(self._app.clock.now())


def _memory(row: Memory) -> dict[str, Any]:
    entry = {
        "id": f"#{row.id}",
        "text": row.text,
        "is": "the member's own words" if row.form is Form.QUOTE else row.kind.value,
        "since": row.created_at.isoformat(),
        "status": row.status.value,
    }
    return entry | {"member": str(row.user_id)} if row.user_id != SERVER_USER_ID else entry


def _message(message: MemberMessage) -> dict[str, Any]:
    return {
        "id": f"m{message.id}",
        "text": message.text,
        "is": "a message",
        "since": message.said_at.isoformat(),
    }
