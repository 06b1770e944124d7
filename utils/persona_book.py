"""Personas that a server's moderators write, and who refuses to be made fun of.

A persona sets the tone and nothing else. Its words are as untrusted as any person's: they reach the
model only inside the frame of utils/manners.py, and words that nobody may be called are refused.
"""

import re
from collections.abc import Collection
from functools import partial

from utils import output_check, prompts
from utils.clock import Clock
from utils.database import members, personas
from utils.database.engine import Database, Session
from utils.errors import BadInput
from utils.guild_book import GuildBook
from utils.model.guild import (
    DEFAULT_MODE,
    MOST_PERSONAS,
    PERSONA_LIMIT,
    Persona,
)
from utils.model.memory import Member
from utils.text import clean, utf16_length

GONE = "There is no mode {name} of this server's own."
_NAME = re.compile(r"[a-z0-9-]{2,32}")


class PersonaBook:
    """Personas by server, each change in one unit of work."""

    def __init__(self, database: Database, clock: Clock, guilds: GuildBook) -> None:
        self._database = database
        self._clock = clock
        self._guilds = guilds

    async def names(self, guild_id: int) -> tuple[str, ...]:
        """Return the names of a server's own personas, in alphabetical order."""
        return await self._database.read(partial(personas.names, guild_id=guild_id))

    async def own(self, guild_id: int, name: str) -> Persona:
        """Return one of a server's own personas. Raises BadInput where there is none so named."""
        found = await self._database.read(partial(personas.load, guild_id=guild_id, name=name))
        if found is None:
            raise BadInput(GONE, name=_shown(name))
        return found

    async def check_new(self, guild_id: int, name: str) -> str:
        """Return the name, tidied, if a new persona may have it. Raises BadInput otherwise."""
        name = name.strip().casefold()
        if not _NAME.fullmatch(name):
            raise BadInput(
                "A mode's name has 2 to 32 characters: small letters from a to z, digits, hyphens."
            )
        taken = await self.names(guild_id)
        if name in prompts.modes() or name in taken:
            raise BadInput("There is a mode {name} already; choose another name.", name=name)
        if len(taken) >= MOST_PERSONAS:
            raise BadInput(
                "This server has {count} modes of its own, as many as there can be; delete one.",
                count=len(taken),
            )
        return name

    async def create(self, guild_id: int, name: str, text: str, *, actor_id: int) -> Persona:
        """Store a new persona. Raises BadInput for a name or words that cannot be used."""
        name = await self.check_new(guild_id, name)
        made = Persona(name, _usable(text), actor_id, self._clock.now())

        def unit(session: Session) -> bool:
            is_full = len(personas.names(session, guild_id)) >= MOST_PERSONAS
            return not is_full and personas.add(session, guild_id, made)

        was_added, _ = await self._guilds.change(guild_id, unit)
        if not was_added:  # somebody else was quicker
            await self.check_new(guild_id, name)
        return made

    async def edit(self, guild_id: int, name: str, text: str, *, actor_id: int) -> None:
        """Write a persona anew. Raises BadInput where it is gone, or its words cannot be used."""
        words = _usable(text)
        unit = partial(
            personas.change,
            guild_id=guild_id,
            name=name,
            text=words,
            actor_id=actor_id,
            at=self._clock.now(),
        )
        was_there, _ = await self._guilds.change(guild_id, unit)
        if not was_there:
            raise BadInput(GONE, name=_shown(name))

    async def delete(self, guild_id: int, name: str) -> None:
        """Delete a persona; where it was the mode, the default one is. Raises BadInput if gone."""
        unit = partial(personas.remove, guild_id=guild_id, name=name, fallback=DEFAULT_MODE)
        was_there, _ = await self._guilds.change(guild_id, unit)
        if not was_there:
            raise BadInput(GONE, name=_shown(name))

    # --- roasts --------------------------------------------------------------------------------

    async def refuse_roasts(self, member: Member, *, refused: bool) -> None:
        """Store whether a member refuses to be made fun of."""
        now = self._clock.now()

        def unit(session: Session) -> None:
            members.lock(session, member)  # makes their row, so that the choice ends with it
            personas.refuse_roasts(session, member, refused=refused, at=now)

        await self._database.write(unit)

    async def any_refuses(self, guild_id: int, user_ids: Collection[int]) -> bool:
        """Whether one of these people refuses to be made fun of in that server."""
        unit = partial(personas.any_refuses, guild_id=guild_id, user_ids=user_ids)
        return await self._database.read(unit)


def _usable(text: str) -> str:
    """Return a persona's words as they are stored. Raises BadInput where they cannot be."""
    words = clean(text).strip()
    if not words:
        raise BadInput("A mode needs words: say how I am to sound.")
    if utf16_length(words) > PERSONA_LIMIT:
        raise BadInput("A mode has at most {limit} characters.", limit=PERSONA_LIMIT)
    if output_check.holds_slur(words):
        raise BadInput("I don't take on a manner that is described with slurs.")
    return words


def _shown(name: str) -> str:
    return name if _NAME.fullmatch(name) else "…"
