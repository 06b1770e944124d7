"""Every service Kith has, in small typed groups, and how they start and close together."""

import asyncio
import gc
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utils.admin import leftovers
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.common.errors import (
    DatabaseError,
    KithError,
    Logged,
    MessagesLost,
    ModelUnreachable,
)
from utils.conversation import output_filter
from utils.conversation.conversation import Conversation
from utils.conversation.speaking_first import SpeakingFirst
from utils.database.core.engine import Database
from utils.llm.client import LanguageModel
from utils.memory.privacy.large_erasures import finish_interrupted
from utils.memory.recall import query
from utils.memory.safety import filter
from utils.nlp.confidential import confidential_lexicon
from utils.runtime.allocator import use_one_arena
from utils.services import (
    AdminServices,
    GuildServices,
    MemoryServices,
    RecallPolicyServices,
    RuntimeServices,
    SentimentServices,
)

if TYPE_CHECKING:  # they need optional dependencies: of MCP_SERVERS, of EMBEDDING_MODEL
    from utils.mcp.mcp_tools import McpTools

CLOSE_TIMEOUT_S = 33.0  # for storing and extracting the last messages
EXTRACTION_TIMEOUT_S = 4.0  # of these, for extracting them
COLLECTION_THRESHOLDS = (2500, 4, 100)  # Python's own are 700, 10, 10 (2000 from 3.13 on)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class App:
    """Every service. ``model`` and ``mcp`` are None where no model or MCP server is configured."""

    settings: Settings
    clock: Clock
    database: Database
    model: LanguageModel | None
    runtime: RuntimeServices
    memory: MemoryServices
    policies: RecallPolicyServices
    guilds: GuildServices
    conversation: Conversation
    speaking: SpeakingFirst
    sentiment: SentimentServices
    admin: AdminServices
    mcp: "McpTools | None"

    async def start(self) -> None:
        """Open the database, migrate it, and resume the work that was waiting.

        Raises DatabaseUnusable or DatabaseUnavailable with what to do.
        """
        use_one_arena()
        await self.database.open()
        await finish_interrupted(self.database, self.clock)
        await self.database.scrub_if_owed()
        await leftovers.remove_all(self.database, self.clock, self.settings.database_url)
        memory, writes = self.memory, not self.settings.memory_read_only
        memory.interrupted_erasures.start()
        await memory.recorder.start()
        if self.settings.attachments and writes:
            memory.attachments.sweeper.start()
        memory.episodes.start()
        if memory.embedding is not None and writes:
            memory.embedding.start()
        if self.mcp is not None:
            self.mcp.start()

    async def warm_up(self) -> None:
        """Make the first answers fast: load the client and the lexicons, freeze what is loaded.

        Without ``gc.freeze``, every full collection visits the 180,000 objects that were loaded at
        the start and blocks the event loop for 140 ms. Full collections still take 100 ms when
        hundreds of questions wait, so they come 15 times less often than by default.
        Event-loop lag is measured from here.
        """
        if self.model is not None:
            with suppress(ModelUnreachable):  # closed while it was opening
                await self.model.open()
        for load in (
            filter.load_words,
            confidential_lexicon,
            output_filter.lexicon,
            query.load_words,
        ):
            await asyncio.to_thread(load)
        if gc.get_threshold() < COLLECTION_THRESHOLDS:  # a reconnect is no new start
            gc.freeze()
            gc.set_threshold(*COLLECTION_THRESHOLDS)
        self.admin.health.start()

    async def close(self, within_s: float = CLOSE_TIMEOUT_S) -> None:
        """Store and extract waiting messages, for at most 29 and 4 seconds, then close everything.

        Args:
            within_s: How long storing and extracting may take together, if that is less.

        Raises MessagesLost, at the end, if the database stayed unavailable and messages could not
        be stored.
        """
        memory = self.memory
        backlog = memory.recorder.offline_writer
        await self.admin.health.close()
        if self.mcp is not None:
            await self.mcp.close()
        await backlog.close(max(0.0, within_s - EXTRACTION_TIMEOUT_S))
        try:
            async with asyncio.timeout(min(within_s, EXTRACTION_TIMEOUT_S)):
                await memory.recorder.settle()
        except (TimeoutError, DatabaseError):
            _log.info("what was not extracted yet is extracted at the next start")
        await memory.episodes.worker.close()
        await memory.interrupted_erasures.close()
        await memory.attachments.close()
        if memory.embedding is not None:
            await memory.embedding.close()
        for finish, words in (
            (memory.recorder.close, "when members were last seen was not written"),
            (memory.reader.write_uses, "use counts were not written"),
            (self.runtime.budget.close, "tokens that were spent were not counted"),
            (self.runtime.counters.write, "the last counts were not written"),
            (self.policies.shadow.write, "the shadow policy's last results were not written"),
            (self.admin.ledger.mirror, "the last erasures are not in the ledger's file yet"),
        ):
            # Of a database that was not opened, or could not be, nothing is left to write.
            with Logged(_log.warning if self.database.is_open else _log.debug, words, KithError):
                await finish()
        if self.model is not None:
            await self.model.close()
        await self.database.close()
        if backlog.lost:  # also what was still being recorded when the backlog closed
            raise MessagesLost(lost=backlog.lost)
