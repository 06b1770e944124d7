"""Every service Kith has, in small typed groups, and how they start and close together."""

import asyncio
import gc
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utils.admin import leftovers
from utils.admin.archive.archive import Archive
from utils.admin.browser import Browser
from utils.admin.health import Health
from utils.admin.job_runs import JobRuns
from utils.admin.statistics import StatisticsCollector
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.common.errors import (
    DatabaseError,
    KithError,
    MessagesLost,
    ModelUnreachable,
)
from utils.conversation import output_filter
from utils.conversation.conversation import Conversation
from utils.conversation.personas import PersonaService
from utils.conversation.speaking_first import SpeakingFirst
from utils.database.core.engine import Database
from utils.guilds.account_links import AccountLinkService
from utils.guilds.known_members import KnownMembers
from utils.guilds.model_choices import ModelChoiceService
from utils.guilds.settings import GuildSettingsService
from utils.guilds.speaking_places import SpeakingPlaces
from utils.llm.client import LanguageModel
from utils.memory.attachments.links import LinkReader
from utils.memory.attachments.reader import AttachmentReader
from utils.memory.episodes.episode_service import EpisodeSummarizer
from utils.memory.evaluation.drift import DriftMonitor
from utils.memory.evaluation.policy_trials import PolicyTrials
from utils.memory.evaluation.policy_versions import RecallPolicyVersions
from utils.memory.evaluation.shadow import ShadowEvaluator
from utils.memory.history.import_service import HistoryImporter
from utils.memory.ingestion.recorder import Recorder
from utils.memory.member_data.editor import MemoryService
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.member_data.reminders import Reminders
from utils.memory.member_data.review import ReviewQueue
from utils.memory.member_data.search import MemorySearch
from utils.memory.member_data.statements import Statements
from utils.memory.member_data.view import MemberData
from utils.memory.privacy.answer_removals import AnswerRemovals
from utils.memory.privacy.end_notices import EndNotices
from utils.memory.privacy.erasure_ledger_file import ErasureLedger
from utils.memory.privacy.large_erasures import InterruptedErasures, finish_interrupted
from utils.memory.recall import query
from utils.memory.recall.reader import Reader
from utils.memory.recall.search import RankedSearch
from utils.memory.safety import filter
from utils.runtime.allocator import use_one_arena
from utils.runtime.counters import EventCounters
from utils.runtime.metrics import Metrics
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure
from utils.sentiment.alert_service import AlertService
from utils.sentiment.channel_summary import ChannelSummarizer
from utils.sentiment.tension_tracker import TensionTracker
from utils.sentiment.watched_channels import WatchedChannelService
from utils.sentiment.watcher import Watcher

if TYPE_CHECKING:  # they need optional dependencies: of MCP_SERVERS, of EMBEDDING_MODEL
    from utils.mcp.mcp_tools import McpTools
    from utils.memory.recall.embedding_worker import EmbeddingWorker

CLOSE_TIMEOUT_S = 33.0  # for storing and extracting the last messages
EXTRACTION_TIMEOUT_S = 4.0  # of these, for extracting them
COLLECTION_THRESHOLDS = (2500, 4, 100)  # Python's own are 700, 10, 10 (2000 from 3.13 on)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RuntimeServices:
    """Counters, metrics, and the infrastructure of background loops."""

    infrastructure: Infrastructure
    counters: EventCounters
    metrics: Metrics


@dataclass(frozen=True, slots=True)
class MemoryServices:
    """Writing, recalling and changing memory. ``embedding`` is None without an embedding model.

    ``links`` is None where no pages are read.
    """

    recorder: Recorder
    reader: Reader
    member_data: MemberData
    editor: MemoryService
    search: MemorySearch
    ranked_search: RankedSearch
    statements: Statements
    loops: OpenLoops
    reminders: Reminders
    reviews: ReviewQueue
    episodes: EpisodeSummarizer
    attachments: AttachmentReader
    links: LinkReader | None
    history: HistoryImporter
    removals: AnswerRemovals
    end_notices: EndNotices
    interrupted_erasures: InterruptedErasures
    signals: MemorySignals
    embedding: "EmbeddingWorker | None"


@dataclass(frozen=True, slots=True)
class RecallPolicyServices:
    """The recall policy: its versions, trials on recorded exchanges, drift, and the shadow."""

    versions: RecallPolicyVersions
    trials: PolicyTrials
    drift: DriftMonitor
    shadow: ShadowEvaluator


@dataclass(frozen=True, slots=True)
class GuildServices:
    """Servers' settings, personas, chosen models, channels in which Kith may speak first, known
    members and linked accounts."""

    settings: GuildSettingsService
    personas: PersonaService
    models: ModelChoiceService
    speaking: SpeakingPlaces
    members: KnownMembers
    links: AccountLinkService


@dataclass(frozen=True, slots=True)
class SentimentServices:
    """Passive watching: watched channels, tension, alerts, and summaries of a channel."""

    channels: WatchedChannelService
    tension: TensionTracker
    watcher: Watcher
    alerts: AlertService
    summarizer: ChannelSummarizer


@dataclass(frozen=True, slots=True)
class AdminServices:
    """The operator's view."""

    job_runs: JobRuns
    health: Health
    statistics: StatisticsCollector
    browser: Browser
    archive: Archive
    ledger: ErasureLedger


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
    mcp: "McpTools | None" = None

    async def start(self) -> None:
        """Open the database, migrate it, and resume the work that was waiting.

        Raises DatabaseUnusable or DatabaseUnavailable with what to do.
        """
        use_one_arena()
        await self.database.open()
        self.database.scrub_after_interruption()
        await finish_interrupted(self.database, self.clock)
        await leftovers.remove_all(self.database, self.clock, self.settings.database_url)
        memory, writes = self.memory, not self.settings.memory_read_only
        memory.interrupted_erasures.start()
        await memory.recorder.start()
        if self.settings.attachments and writes:
            memory.attachments.start()
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
        await asyncio.to_thread(filter.load_words)
        await asyncio.to_thread(output_filter.load)
        await asyncio.to_thread(query.load_words)
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
        await memory.episodes.close()
        await memory.interrupted_erasures.close()
        for finish, words in (
            (memory.recorder.close, "when members were last seen was not written"),
            (memory.reader.write_uses, "use counts were not written"),
            (self.conversation.close, "tokens that were spent were not counted"),
            (self.runtime.counters.write, "the last counts were not written"),
            (self.policies.shadow.write, "the shadow policy's last results were not written"),
            (self.admin.ledger.mirror, "the last erasures are not in the ledger's file yet"),
        ):
            try:
                await finish()
            except KithError as error:
                _log.warning("%s: %s", words, type(error).__name__)
        await memory.attachments.close()
        if memory.embedding is not None:
            await memory.embedding.close()
        if self.model is not None:
            await self.model.close()
        await self.database.close()
        if backlog.lost:  # also what was still being recorded when the backlog closed
            raise MessagesLost(backlog.lost)
