"""Read the operator's list of MCP servers, a TOML file that docs/mcp.md explains."""

import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from utils.common.errors import SettingsError

MAX_SERVERS = 16
MAX_TOOLS = 16
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,13}$")]  # fits the audit
UNREADABLE = "MCP_SERVERS names {file}, which cannot be read ({why})."
NOT_TOML = "MCP_SERVERS names {file}, which is not TOML: {why}."
WRONG = "Please fix {file} (MCP_SERVERS): {problems}. docs/mcp.md has an example."
ONE_WAY = "give either command (a program to start) or url (an address), not both"
TOO_MANY = f"it lists more than {MAX_SERVERS} servers"


def _distinct(tools: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tools))


class _ListedServer(BaseModel):
    """One server as the file describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    command: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    env: dict[str, str] = {}
    url: Annotated[str, StringConstraints(pattern=r"^https?://[^\s]+$")] = ""
    headers: dict[str, str] = {}
    tools: Annotated[
        tuple[str, ...], Field(min_length=1, max_length=MAX_TOOLS), AfterValidator(_distinct)
    ]
    descriptions: dict[str, str] = {}
    guilds: tuple[int, ...] = ()
    direct_messages: bool = False
    learn: bool = True
    timeout_s: Annotated[float, Field(gt=0, le=60)] = 10.0
    calls_per_answer: Annotated[int, Field(ge=1, le=4)] = 3


class McpServerSpec(_ListedServer):
    """An MCP server, and what the operator allows of it.

    Attributes:
        command: the program and its arguments, started without a shell; None if ``url`` is set.
        env: variables of that program; it gets none of Kith's own but PATH, HOME and the like.
        tools: the only tools that the chat model may call.
        descriptions: by tool, what the model reads in place of the server's own description.
        guilds: the ids of the Discord servers that may use it; empty: all of them.
        direct_messages: whether it may be used in direct messages.
        learn: whether results are stored with the message that asked, and may teach a task.
    """

    name: str

    def may_serve(self, guild_id: int) -> bool:
        """Return whether the operator allows it in a Discord server."""
        return not self.guilds or guild_id in self.guilds


class _Names(BaseModel):
    """The names of the servers, which the model sees in its tools' names."""

    model_config = ConfigDict(hide_input_in_errors=True)

    servers: dict[Name, Any]


def load_server_list(file: Path) -> tuple[McpServerSpec, ...]:
    """Return the servers of a file. Raises SettingsError, which quotes no value of it."""
    try:
        listed = tomllib.loads(file.expanduser().read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingsError(UNREADABLE, file=file, why=why) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(NOT_TOML, file=file, why=str(error).partition(" (")[0]) from None
    try:
        names = _Names(servers=listed).servers
        if len(names) > MAX_SERVERS:
            raise ValueError(TOO_MANY)
        specs = []
        for name in names:
            entry = _ListedServer.model_validate(listed[name])
            if (entry.command is None) == (not entry.url):
                raise ValueError(f"{name}: {ONE_WAY}")
            specs.append(McpServerSpec(name=name, **entry.model_dump(exclude_unset=True)))
        return tuple(specs)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
            for fault in error.errors(include_input=False, include_url=False)
        )
    except ValueError as error:
        problems = str(error)
    raise SettingsError(WRONG, file=file, problems=problems)
