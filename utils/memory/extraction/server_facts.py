"""Store what members state for their server, as the server's own memories. A unit of work."""

import logging
from collections.abc import Sequence
from datetime import datetime

from utils.database.core.engine import Connection
from utils.database.memories import members, memories
from utils.memory.consolidation.wording import word_key
from utils.memory.extraction.own_statements import is_told
from utils.models.memory import SERVER_USER_ID, Kind, Member
from utils.models.plan import NewMemory, Plan

MAX_OF_SERVER = 200

_log = logging.getLogger(__name__)


def store(
    connection: Connection, guild_id: int, facts: Sequence[NewMemory], now: datetime
) -> list[int]:
    """Store facts that were checked under their teller's lock; returns the ids of the new ones.

    Left out are orders, what is known in other words' order, and what exceeds MAX_OF_SERVER.
    """
    if not facts:
        return []
    server = Member(guild_id, SERVER_USER_ID)
    members.lock(connection, server)
    stored = [
        row
        for row in memories.load_current(connection, server, now)
        if row.kind is Kind.SERVER_FACT
    ]
    stored_keys = {(row.channel_id, word_key(row.text)) for row in stored}
    new: dict[tuple[object, ...], NewMemory] = {}
    for fact in facts:
        key = fact.channel_id, word_key(fact.text)
        if key not in stored_keys and is_told(fact.evidence.quote):
            new.setdefault(key, fact)
    room = max(0, MAX_OF_SERVER - len(stored))
    if len(new) > room:
        _log.warning("a server has %d facts; /mod lore removes some to make room", len(stored))
    return memories.apply_plan(
        connection, server, Plan(inserts=tuple(new.values())[:room]), now=now, actor_id=0
    )
