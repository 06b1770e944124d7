"""A server's own personas, and which members have turned roasts off.

A persona sets the tone and nothing else. Its text is untrusted: it reaches the model only inside
the frame of utils/conversation/prompt_messages.py, and slurs are refused.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from utils.common.errors import BadInput
from utils.common.text import clean, utf16_length
from utils.conversation import output_filter
from utils.database.core.engine import Connection, Database, DatabaseService, as_method, writes
from utils.database.guilds import personas
from utils.database.memories import audit, members
from utils.guilds.settings import GuildSettingsService
from utils.llm import prompts
from utils.memory.safety.filter import refusal_reason
from utils.memory.verification.sentences import split
from utils.models.guild import (
    DEFAULT_MODE,
    MAX_PERSONAS,
    OWN_MODE_TEXT,
    OWN_MODES,
    PERSONA_LIMIT,
    Persona,
)
from utils.models.memory import Member

GONE = "There is no mode {name} of this server's own."
_NAME = re.compile(r"[a-z0-9-]{2,32}")


def without_orders(voice: str) -> tuple[str, list[str]]:
    """Return a voice without the sentences that give a model orders, and those sentences.

    Orders are what no memory may hold either (utils/memory/safety/filter.py).
    """
    lines, orders = [], []
    for line in voice.split("\n"):
        sentences = split(line)
        ordering = [text for text in sentences if refusal_reason(text, frozenset()) == "order"]
        orders += ordering
        lines.append(" ".join(text for text in sentences if text not in ordering))
    return "\n".join(filter(None, lines)), orders


@dataclass(eq=False, repr=False)
class PersonaService(DatabaseService):
    """Personas by server, each change in one unit of work."""

    _guilds: GuildSettingsService

    names = as_method(Database.read, personas.list_names)

    async def own(self, guild_id: int, name: str) -> Persona:
        """Return a server's own persona. Raises BadInput if there is none of that name."""
        persona = await self._database.read(personas.load, guild_id=guild_id, name=name)
        if persona is None:
            raise BadInput(GONE, name=_shown(name))
        return persona

    async def check_new(self, guild_id: int, name: str) -> str:
        """Return the name, tidied, if a new persona may have it. Raises BadInput otherwise."""
        name = name.strip().casefold()
        if not _NAME.fullmatch(name):
            raise BadInput(
                "A mode's name has 2 to 32 characters: small letters from a to z, digits, hyphens."
            )
        existing = await self.names(guild_id)
        if name in prompts.MODES or name in existing:
            raise BadInput("There is a mode {name} already; choose another name.", name=name)
        if len(existing) >= MAX_PERSONAS:
            raise BadInput(
                "This server has {count} modes of its own, as many as there can be; delete one.",
                count=len(existing),
            )
        return name

    async def create(self, guild_id: int, name: str, text: str, *, actor_id: int) -> Persona:
        """Store a new persona. Raises BadInput for an unusable name or text."""
        name = await self.check_new(guild_id, name)
        persona = Persona(name, _usable(text), actor_id, self._clock.now())

        def unit(connection: Connection) -> bool:
            is_full = len(personas.list_names(connection, guild_id)) >= MAX_PERSONAS
            return not is_full and personas.add(connection, guild_id, persona)

        was_added = await self._change(guild_id, unit, actor_id)
        if not was_added:  # another moderator was faster
            await self.check_new(guild_id, name)
        return persona

    async def edit(self, guild_id: int, name: str, text: str, *, actor_id: int) -> None:
        """Replace a persona's text. Raises BadInput if it is gone or the text is unusable."""
        unit = partial(
            personas.edit,
            guild_id=guild_id,
            name=name,
            text=_usable(text),
            actor_id=actor_id,
            at=self._clock.now(),
        )
        if not await self._change(guild_id, unit, actor_id, edits=name):
            raise BadInput(GONE, name=_shown(name))

    async def delete(self, guild_id: int, name: str, *, actor_id: int = 0) -> None:
        """Delete a persona; where it was the mode, the default one is. Raises BadInput if gone."""
        unit = partial(personas.remove, guild_id=guild_id, name=name, fallback=DEFAULT_MODE)
        if not await self._change(guild_id, unit, actor_id):
            raise BadInput(GONE, name=_shown(name))

    async def _change(
        self,
        guild_id: int,
        unit: Callable[[Connection], bool],
        actor_id: int,
        *,
        edits: str | None = None,
    ) -> bool:
        """Run a unit of work that changes personas; returns its result.

        The server's audit says which persona ``actor_id`` added, removed or, with its name in
        ``edits``, changed, without its text.
        """
        now = self._clock.now()

        def change(connection: Connection) -> bool:
            before = list(personas.list_names(connection, guild_id))
            is_changed = unit(connection)
            after = list(personas.list_names(connection, guild_id))
            edited = edits if is_changed else None
            audit.record_settings(
                connection,
                guild_id,
                {OWN_MODES: before, OWN_MODE_TEXT: None},
                {OWN_MODES: after, OWN_MODE_TEXT: edited},
                now,
                actor_id,
            )
            return is_changed

        return (await self._guilds.change(guild_id, change, actor_id))[0]

    # --- roasts --------------------------------------------------------------------------------

    @writes
    def refuse_roasts(self, connection: Connection, member: Member, *, refused: bool) -> None:
        """Store whether a member refuses to be made fun of."""
        now = self._clock.now()
        members.lock(connection, member)  # makes their row, so that the choice ends with it
        personas.set_roast_refusal(connection, member, refused=refused, at=now)

    any_refuses = as_method(Database.read, personas.any_refuses_roasts)


def _usable(text: str) -> str:
    """Return a persona's words as they are stored. Raises BadInput where they cannot be."""
    words = clean(text).strip()
    if not words:
        raise BadInput("A mode needs words: say how I am to sound.")
    if utf16_length(words) > PERSONA_LIMIT:
        raise BadInput("A mode has at most {limit} characters.", limit=PERSONA_LIMIT)
    if output_filter.has_slur(words):
        raise BadInput("I don't take on a manner that is described with slurs.")
    return words


def _shown(name: str) -> str:
    return name if _NAME.fullmatch(name) else "…"
