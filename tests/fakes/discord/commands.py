"""Application commands: what the bot registered, and what a person's typing turns into."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from . import payloads
from . import permissions as allowed
from .errors import ApiError, CannotDo
from .limits import check_command
from .things import GROUP_DM, Channel, Guild, Member, Message, Role, User
from .world import World

CHAT_INPUT, USER_MENU, MESSAGE_MENU = 1, 2, 3
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = range(
    1, 12
)
TYPE_NAMES = (
    "",
    "",
    "",
    "a string",
    "an integer",
    "a boolean",
    "a user",
    "a channel",
    "a role",
    "a mentionable",
    "a number",
    "a file",
)
CREATIONS_PER_DAY = 200
GUILD_INSTALL, USER_INSTALL = 0, 1
_ACCEPTED: set[str] = set()  # definitions; hundreds of bots register the same ones


class Registry:
    """The commands the bot has registered, globally (None) and per server."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.by_scope: dict[int | None, list[dict[str, Any]]] = {}
        self.syncs: list[int | None] = []
        self.created: dict[int | None, int] = {}

    def listed(self, guild_id: int | None) -> list[dict[str, Any]]:
        """Return the commands of one scope."""
        return self.by_scope.get(guild_id, [])

    def overwrite(
        self, guild_id: int | None, definitions: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Replace a scope's commands.

        One that was there keeps its id; a new one counts against the day's limit.
        """
        if sum(1 for d in definitions if d.get("type", 1) == CHAT_INPUT) > 100:
            raise ApiError(400, 30032, "Maximum number of application commands reached (100)")
        made = [
            self._made(guild_id, definition, index) for index, definition in enumerate(definitions)
        ]
        if len({(c["name"], c["type"]) for c in made}) != len(made):
            raise ApiError(
                400,
                50035,
                "Invalid Form Body",
                errors={"_errors": [{"code": "DUPLICATE", "message": "Names"}]},
            )
        self.by_scope[guild_id] = made
        self.syncs.append(guild_id)
        return made

    def _made(self, guild_id: int | None, definition: dict[str, Any], index: int) -> dict[str, Any]:
        self._check(definition, index)
        kind = definition.get("type", CHAT_INPUT)
        before = next(
            (
                c
                for c in self.listed(guild_id)
                if (c["name"], c["type"]) == (definition["name"], kind)
            ),
            None,
        )
        if before is None:
            self.created[guild_id] = self.created.get(guild_id, 0) + 1
            if self.created[guild_id] > CREATIONS_PER_DAY:
                raise ApiError(
                    400,
                    30034,
                    "Max number of daily application command creates has been reached (200)",
                )
        return {
            "description": "",
            "default_member_permissions": None,
            "nsfw": False,
            "integration_types": [0],
            "contexts": None,
            **definition,
            "type": kind,
            "id": str(self._world.ids.next()) if before is None else before["id"],
            "application_id": str(self._world.application_id),
            "version": str(self._world.ids.next()),
        }

    @staticmethod
    def _check(definition: dict[str, Any], index: int) -> None:
        """Refuse what Discord would refuse; what was accepted before is not looked at again."""
        text = json.dumps(definition)
        if text not in _ACCEPTED:
            check_command(definition, index)
            _ACCEPTED.add(text)

    def usable(self, who: User | Member, channel: Channel, name: str, kind: int) -> dict[str, Any]:
        """Return the command a person means, if Discord would show it to them there.

        Raises
        ------
        CannotDo
            There is no such command, or not for this person, or not here.
        """
        guild = channel.guild
        candidates = [c for c in self.listed(None) if c["type"] == kind]
        command = next((c for c in candidates if c["name"] == name), None)
        if command is None:
            known = ", ".join(sorted(c["name"] for c in candidates)) or "none"
            raise CannotDo(
                f"no command {name!r} of type {kind} is registered here (there are: {known})"
            )
        contexts = command.get("contexts")
        if contexts is None:
            contexts = (0, 1, 2) if command.get("dm_permission", True) is not False else (0,)
        if context_of(channel) not in contexts or not self.owners(who, channel, command):
            raise CannotDo(f"/{name} is not offered in {channel.label}")
        bits = channel.permissions_of(who)
        if channel.is_thread and channel.archived:
            raise CannotDo(f"no commands are used in {channel.label}: it is archived")
        if not bits & allowed.VIEW_CHANNEL or not bits & allowed.USE_COMMANDS:
            raise CannotDo(f"{who.name} may not use commands in {channel.label}")
        if guild is not None and command["default_member_permissions"] is not None:
            wanted = int(command["default_member_permissions"])
            has = allowed.in_guild(guild.members[who.id])
            if not has & allowed.ADMINISTRATOR and (wanted == 0 or has & wanted != wanted):
                raise CannotDo(
                    f"/{name} is hidden from {who.name}: it needs the permissions {wanted}"
                )
        return command

    def owners(
        self, who: User | Member, channel: Channel, command: dict[str, Any]
    ) -> dict[str, str]:
        """Return the installations that let somebody use a command in a channel, by their types.

        A server's is named by its id, or 0 in the bot's direct messages, which stay when the shared
        server is gone; a person's by theirs.
        """
        user, guild = self._world.users[who.id], channel.guild
        types = command["integration_types"] or (GUILD_INSTALL,)
        is_there = channel.type != GROUP_DM and (guild is None or bot_is_in(guild, self._world))
        owners = {}
        if GUILD_INSTALL in types and is_there:
            owners[str(GUILD_INSTALL)] = str(guild.id if guild is not None else 0)
        if USER_INSTALL in types and user.has_app:
            owners[str(USER_INSTALL)] = str(user.id)
        return owners


@dataclass(slots=True)
class Resolved:
    """The objects that ids in interaction data stand for."""

    world: World
    channel: Channel
    data: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, thing: Any) -> str:
        """Add a thing and return its id as text."""
        guild = self.channel.guild
        if isinstance(thing, User | Member):
            user = self.world.users[thing.id]
            self._put("users", user.id, payloads.user(user))
            if guild is not None and user.id in guild.members:
                member = guild.members[user.id]
                bits = allowed.in_channel(member, self.channel)
                self._put(
                    "members", user.id, payloads.member(member, with_user=False, permissions=bits)
                )
        elif isinstance(thing, Role):
            self._put("roles", thing.id, payloads.role(thing))
        elif isinstance(thing, Channel):
            self._put(
                "channels",
                thing.id,
                payloads.partial_channel(thing, thing.permissions_of(self.world.bot_user)),
            )
        elif isinstance(thing, Message):
            self._put("messages", thing.id, payloads.message(thing, readable=True))
        elif isinstance(thing, tuple):
            made = payloads.attachment(
                self.world, self.channel, thing[0], thing[1], thing[2] if len(thing) > 2 else None
            )
            self._put("attachments", int(made["id"]), {**made, "ephemeral": True})
            return str(made["id"])
        return str(thing.id)

    def _put(self, kind: str, thing_id: int, payload: dict[str, Any]) -> None:
        self.data.setdefault(kind, {})[str(thing_id)] = payload


def typed(
    command: dict[str, Any],
    words: list[str],
    values: Mapping[str, Any],
    resolved: Resolved,
    *,
    focused: str | None = None,
) -> list[dict[str, Any]]:
    """Turn subcommand words and option values into the ``options`` of an interaction.

    With ``focused`` this is autocomplete: nothing is required yet and the focused value
    may be anything.
    """
    definitions = command.get("options") or []
    name = command["name"]
    if words:
        inner = next(
            (d for d in definitions if d["type"] in (SUBCOMMAND, GROUP) and d["name"] == words[0]),
            None,
        )
        if inner is None:
            raise CannotDo(
                f"/{name} has no subcommand {words[0]!r}: {[d['name'] for d in definitions]}"
            )
        options = typed(
            {**inner, "name": f"{name} {words[0]}"}, words[1:], values, resolved, focused=focused
        )
        return [{"name": words[0], "type": inner["type"], "options": options}]
    if any(d["type"] in (SUBCOMMAND, GROUP) for d in definitions):
        raise CannotDo(f"/{name} needs a subcommand: {[d['name'] for d in definitions]}")
    known = {d["name"]: d for d in definitions}
    for given in values:
        if given not in known:
            raise CannotDo(f"/{name} has no option {given!r}: {sorted(known)}")
    made = []
    for definition in definitions:
        option = definition["name"]
        if option not in values:
            if definition.get("required") and focused is None:
                raise CannotDo(f"/{name} needs the option {option!r}")
            continue
        if option == focused:
            if not definition.get("autocomplete"):
                raise CannotDo(f"the option {option!r} of /{name} has no autocomplete")
            made.append(
                {
                    "name": option,
                    "type": definition["type"],
                    "value": values[option],
                    "focused": True,
                }
            )
            continue
        value = _value(name, definition, values[option], resolved)
        made.append({"name": option, "type": definition["type"], "value": value})
    return made


def _value(name: str, definition: dict[str, Any], value: Any, resolved: Resolved) -> Any:
    kind = definition["type"]
    fits = {
        STRING: isinstance(value, str),
        INTEGER: isinstance(value, int) and not isinstance(value, bool),
        BOOLEAN: isinstance(value, bool),
        USER: isinstance(value, User | Member),
        CHANNEL: isinstance(value, Channel),
        ROLE: isinstance(value, Role),
        MENTIONABLE: isinstance(value, User | Member | Role),
        NUMBER: isinstance(value, int | float) and not isinstance(value, bool),
        FILE: isinstance(value, tuple),
    }
    choices = definition.get("choices") or []
    if choices:
        chosen = next((c for c in choices if value in (c["name"], c["value"])), None)
        if chosen is None:
            raise CannotDo(
                f"/{name} {definition['name']}: {value!r} is none of {[c['name'] for c in choices]}"
            )
        return chosen["value"]
    if not fits[kind]:
        raise CannotDo(f"/{name} {definition['name']} takes {TYPE_NAMES[kind]}, not {value!r}")
    if kind in (INTEGER, NUMBER):
        low, high = definition.get("min_value"), definition.get("max_value")
        if (low is not None and value < low) or (high is not None and value > high):
            raise CannotDo(f"/{name} {definition['name']}: {value} is not between {low} and {high}")
    if kind == STRING:
        low, high = definition.get("min_length", 0), definition.get("max_length", 6000)
        if not low <= len(value) <= high:
            raise CannotDo(
                f"/{name} {definition['name']}: {len(value)} characters, not {low} to {high}"
            )
    if (
        kind == CHANNEL
        and definition.get("channel_types")
        and value.type not in definition["channel_types"]
    ):
        raise CannotDo(f"/{name} {definition['name']} does not take a channel of type {value.type}")
    return value if kind in (STRING, INTEGER, BOOLEAN, NUMBER) else resolved.add(value)


def context_of(channel: Channel) -> int:
    """Return where a command is used: a server, the bot's direct messages, other people's."""
    if channel.guild is not None:
        return 0
    return 2 if channel.type == GROUP_DM else 1


def bot_is_in(guild: Guild | None, world: World) -> bool:
    """Tell whether interactions in a server reach a bot that is a member there."""
    return guild is None or world.bot_user.id in guild.members
