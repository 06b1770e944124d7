"""Keep what a tool of an MCP server returned, with the message that asked for it.

It is stored like a file that came with the message: it ends and is erased with it, it can be
recalled where the message can, and it may teach a task or an episode, verified, but no fact.
"""

import asyncio
from dataclasses import dataclass

from utils.common.text import clean, clip, one_line
from utils.database.core.engine import Connection, DatabaseService
from utils.database.memories import members
from utils.database.messages import attachments
from utils.files.text_files import limited, paragraphs
from utils.memory.attachments.rendering import search_lines
from utils.memory.policy.write_policy import WriteRules
from utils.models.attachment import NAME_LIMIT, AttachmentKind, FileDescription
from utils.models.memory import Consent, Event

CAPTION_LENGTH = 200


@dataclass(eq=False, repr=False)
class ToolResults(DatabaseService):
    """Stores results as consent allows; nothing is stored if nothing may be learnt."""

    _rules: WriteRules

    async def keep(self, event: Event, name: str, text: str) -> bool:
        """Store a result with the stored message that asked. Returns whether that was done.

        Args:
            event: the message.
            name: the server and the tool, as the operator calls them.
            text: what the tool returned.
        """
        if self._rules.read_only:
            return False
        name = clip(name, NAME_LIMIT)
        parts, _ = limited(paragraphs(clean(text)))
        caption = clip(one_line(text), CAPTION_LENGTH, at_word=True)
        description = FileDescription(AttachmentKind.TOOL, caption, parts)
        stems = await asyncio.to_thread(search_lines, description, name)

        def unit(connection: Connection) -> bool:
            members.lock_existing(connection, event.guild_id, [event.author_id])
            if members.effective_consent(connection, event.member) is Consent.OFF:
                return False
            members.lock(connection, event.member)
            return attachments.store_tool_result(
                connection, event, name, description, stems, self._clock.now()
            )

        return await self._database.write(unit)
