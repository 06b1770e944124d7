"""Read the operator's list of MCP servers, a TOML file that docs/mcp.md explains."""

import tomllib
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from utils.common.errors import SettingsError
from utils.models.memory import DIRECT_MESSAGES

MAX_SERVERS = 16
MAX_TOOLS = 16
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,13}$")]  # fits the audit


class McpServerSpec(BaseModel):
    """An MCP server as the file describes it, and what the operator allows of it.

    Attributes:
        command: the program and its arguments, started without a shell; None if ``url`` is set.
        env: variables of that program; it gets none of Kith's own but PATH, HOME and the like.
        tools: the only tools that the chat model may call.
        descriptions: by tool, what the model reads in place of the server's own description.
        guilds: the ids of the Discord servers that may use it; empty: all of them.
        direct_messages: whether it may be used in direct messages.
        learn: whether results are stored with the message that asked, and may teach a task.
        name: the heading of its table.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    command: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    env: dict[str, str] = {}
    url: Annotated[str, StringConstraints(pattern=r"^https?://[^\s]+$")] = ""
    headers: dict[str, str] = {}
    tools: Annotated[
        tuple[str, ...],
        Field(min_length=1, max_length=MAX_TOOLS),
        AfterValidator(lambda tools: tuple(dict.fromkeys(tools))),
    ]
    descriptions: dict[str, str] = {}
    guilds: tuple[int, ...] = ()
    direct_messages: bool = False
    learn: bool = True
    timeout_s: Annotated[float, Field(gt=0, le=60)] = 10.0
    calls_per_answer: Annotated[int, Field(ge=1, le=4)] = 3
    name: str = ""

    @model_validator(mode="after")
    def _check_one_way(self) -> Self:
        if (self.command is None) == (not self.url):
            raise ValueError(
                "give either command (a program to start) or url (an address), not both"
            )
        return self

    def may_serve(self, guild_id: int) -> bool:
        """Return whether the operator allows it in a Discord server, or in direct messages."""
        return (
            self.direct_messages
            if guild_id == DIRECT_MESSAGES
            else not self.guilds or guild_id in self.guilds
        )


# The model sees the names in those of the tools.
_LIST = TypeAdapter(Annotated[dict[Name, McpServerSpec], Field(max_length=MAX_SERVERS)])


def load_server_list(file: Path) -> tuple[McpServerSpec, ...]:
    """Return the servers of a file. Raises SettingsError, which quotes no value of it."""
    try:
        listed = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SettingsError(
            "MCP_SERVERS names {file}, which cannot be read ({why}).", file=file, why=why
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            "MCP_SERVERS names {file}, which is not TOML: {why}.",
            file=file,
            why=str(error).partition(" (")[0],
        ) from None
    try:
        specs = _LIST.validate_python(listed)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
            for fault in error.errors(include_input=False, include_url=False)
        )
        raise SettingsError(
            "Please fix {file} (MCP_SERVERS): {problems}. docs/mcp.md has an example.",
            file=file,
            problems=problems,
        ) from None
    return tuple(spec.model_copy(update={"name": name}) for name, spec in specs.items())
