"""Every service Kith has, in groups that build themselves from the settings.

utils/build.py builds each group once.
"""

from collections import Counter
from collections.abc import Collection
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from utils.admin.archive.archive import Archive
from utils.admin.browser import Browser
from utils.admin.health import Health
from utils.admin.job_runs import JobRuns
from utils.admin.recall_explainer import RecallExplainer
from utils.admin.statistics import StatisticsCollector
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.common.errors import MCP_MISSING, SettingsError
from utils.conversation.personas import PersonaService
from utils.database.core.engine import Database
from utils.guilds.account_links import AccountLinkService
from utils.guilds.known_members import KnownMembers
from utils.guilds.model_choices import ModelChoiceService
from utils.guilds.settings import GuildSettingsService
from utils.guilds.speaking_places import SpeakingPlaces
from utils.guilds.who_else import WhoElse
from utils.llm.client import LanguageModel
from utils.llm.token_budget import TokenBudget
from utils.llm.token_calibration import TokenCalibration
from utils.memory.attachments.links import LinkReader
from utils.memory.attachments.reader import AttachmentReader
from utils.memory.attachments.tool_results import ToolResults
from utils.memory.episodes.episode_service import EpisodeSummarizer
from utils.memory.evaluation.comparison import PolicyComparisons
from utils.memory.evaluation.drift import DriftMonitor
from utils.memory.evaluation.policy_versions import RecallPolicyVersions
from utils.memory.evaluation.shadow import ShadowEvaluator
from utils.memory.extraction.extraction_workers import ExtractionWorkers
from utils.memory.extraction.llm_extractor import ModelExtractor
from utils.memory.extraction.rule_extractor import RuleExtractor
from utils.memory.history.import_service import HistoryImporter
from utils.memory.ingestion.ephemeral_turns import EphemeralTurns
from utils.memory.ingestion.passive_queue import PassiveNotes
from utils.memory.ingestion.recorder import Recorder
from utils.memory.member_data.editor import MemoryEditor
from utils.memory.member_data.note_marks import NoteMarks
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.member_data.receipts import Receipts
from utils.memory.member_data.reminders import Reminders
from utils.memory.member_data.review import ReviewQueue
from utils.memory.member_data.search import MemorySearch
from utils.memory.member_data.view import MemberData
from utils.memory.policy.categories import Category, parse_categories
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.write_policy import WriteRules
from utils.memory.privacy.answer_removals import AnswerRemovals
from utils.memory.privacy.end_notices import EndNotices
from utils.memory.privacy.erasure_ledger_file import ErasureLedger
from utils.memory.privacy.large_erasures import interrupted_erasures
from utils.memory.privacy.retention import Retention
from utils.memory.recall.ranked_search import RankedSearch
from utils.memory.recall.reader import Reader
from utils.memory.verification.candidate_verifier import CandidateVerifier
from utils.models.policy import WritePolicy
from utils.models.sentiment import Prefilter
from utils.runtime.counters import EventCounters
from utils.runtime.leases import Leases
from utils.runtime.metrics import Metrics
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure
from utils.sentiment import llm_analysis
from utils.sentiment.alert_service import AlertService
from utils.sentiment.batch_processor import BatchProcessor
from utils.sentiment.channel_summary import ChannelSummarizer
from utils.sentiment.tension_tracker import TensionTracker
from utils.sentiment.watched_channels import WatchedChannelService
from utils.sentiment.watcher import Watcher

if TYPE_CHECKING:  # they need optional dependencies: of MCP_SERVERS, of EMBEDDING_MODEL
    from utils.mcp.mcp_tools import McpTools
    from utils.memory.recall.embedding_worker import EmbeddingWorker


class RuntimeServices:
    """What every group is built on: settings, database, counters, rules, and the model if any."""

    def __init__(self, settings: Settings, clock: Clock, model: LanguageModel | None) -> None:
        """Raise SettingsError for a setting that makes no sense."""
        self.settings, self.clock = settings, clock
        self.database = database = Database(
            settings.database_url, pool_size=settings.database_pool_size, clock=clock
        )
        self.counters = EventCounters(database, clock)
        self.metrics = metrics = Metrics(clock, self.counters)
        self.infrastructure = Infrastructure(database, clock, Leases(database, clock), metrics)
        if model is None and settings.has_model:
            model = LanguageModel.from_settings(settings, clock, metrics.count_endpoint_call)
        self.model = model
        self.budget = TokenBudget(
            database, clock, settings.daily_token_budget, TokenCalibration(), metrics
        )
        self.rules = WriteRules(
            policy=WritePolicy(cap=settings.memory_cap),
            forbidden=forbidden_categories(settings),
            read_only=settings.memory_read_only,
        )
        self.recall_policy = RecallPolicy(block_tokens=settings.block_tokens)
        self.signals = MemorySignals()


class GuildServices:
    """Servers' settings, personas, chosen models, channels in which Kith may speak first, known
    members, who else told something, and linked accounts."""

    def __init__(self, base: RuntimeServices) -> None:
        database, clock = base.database, base.clock
        self.settings = GuildSettingsService(database, clock, base.rules.policy)
        self.personas = PersonaService(database, clock, self.settings)
        self.models = ModelChoiceService(self.settings, base.settings)
        self.speaking = SpeakingPlaces(database, clock)
        self.members = KnownMembers(database, clock)
        self.who_else = WhoElse(database, clock, self.members, base.rules.policy)
        self.links = AccountLinkService(database, clock)


class RecallPolicyServices:
    """The recall policy: its versions, comparisons on recorded exchanges, drift, and the shadow."""

    def __init__(self, base: RuntimeServices) -> None:
        database, clock, rules = base.database, base.clock, base.rules
        self.versions = RecallPolicyVersions(database, clock, base.recall_policy)
        self.comparisons = PolicyComparisons(database, clock, forbidden=rules.forbidden)
        self.drift = DriftMonitor(clock, self.versions, base.counters, base.metrics)
        self.shadow = ShadowEvaluator(database, clock, rules.read_only)


class MemoryServices:
    """Writing, recalling and changing memory, all of it under the same rules.

    ``embedding`` is None without an embedding model, ``links`` where no pages are read.
    """

    def __init__(
        self,
        base: RuntimeServices,
        verifier: CandidateVerifier,
        shadow: ShadowEvaluator,
        origins: Collection[str],
        page_addresses: Collection[tuple[str, int]],
    ) -> None:
        """Build the services, and connect their signals."""
        settings, infrastructure = base.settings, base.infrastructure
        rules, signals = base.rules, base.signals
        database, clock, model, budget = base.database, base.clock, base.model, base.budget
        extractor = RuleExtractor() if model is None else ModelExtractor(model, budget)
        ephemeral_turns = EphemeralTurns(clock)
        self.signals = signals
        extraction = ExtractionWorkers(
            infrastructure,
            rules,
            extractor,
            verifier,
            signals,
            quiet_s=settings.burst_quiet_s,
            workers=settings.extraction_workers,
        )
        self.recorder = Recorder(infrastructure, rules, extraction, signals, ephemeral_turns)
        self.embedding = build_embedding(base)
        similar = self.embedding.index if self.embedding else None
        self.reader = Reader(
            database, clock, rules, budget.calibration, similar, shadow.expect, base.recall_policy
        )
        self.search = MemorySearch(database, clock)
        self.ranked_search = RankedSearch(database, clock, similar)
        self.member_data = MemberData(database, clock)
        self.editor = MemoryEditor(
            database,
            clock,
            rules,
            verifier,
            signals,
            ephemeral_turns,
            base.metrics,
            Retention(database, clock),
        )
        self.loops = OpenLoops(database, clock, rules)
        self.reminders = Reminders(database, clock, rules)
        self.reviews = ReviewQueue(database, clock)
        self.episodes = EpisodeSummarizer(infrastructure, rules, model, budget, verifier, signals)
        self.attachments = AttachmentReader.from_settings(
            settings, infrastructure, budget, model, origins
        )
        self.links = LinkReader.from_settings(settings, infrastructure, model, page_addresses)
        self.history = HistoryImporter(
            infrastructure,
            rules,
            extractor,
            verifier,
            workers=settings.extraction_workers,
            asks_model=model is not None,
        )
        self.removals = AnswerRemovals(database, clock)
        self.note_marks = NoteMarks(database, clock)
        self.receipts = Receipts(database, clock, rules)
        self.end_notices = EndNotices()
        self.interrupted_erasures = interrupted_erasures(infrastructure)
        signals.attachments.connect(self.attachments.expect)
        signals.removals.connect(self.reader.forget_prepared)
        signals.erasures.connect(self.recorder.offline_writer.erase)
        signals.shortened.connect(self.end_notices.expect)
        signals.erasures.connect(self.end_notices.erase)


class SentimentServices:
    """Passive watching: watched channels, tension, alerts, and summaries of a channel.

    Without a model nothing is analysed.
    """

    def __init__(
        self,
        base: RuntimeServices,
        verifier: CandidateVerifier,
        guild_settings: GuildSettingsService,
    ) -> None:
        settings, infrastructure = base.settings, base.infrastructure
        database, clock, model, budget = base.database, base.clock, base.model, base.budget
        self.channels = WatchedChannelService(database, clock)
        self.tension = TensionTracker(database, clock)
        counts: Counter[str] = Counter()
        processor = None
        if model is not None:
            processor = BatchProcessor(
                infrastructure,
                self.channels,
                guild_settings,
                self.tension,
                PassiveNotes(infrastructure, base.rules, verifier, base.signals, counts),
                partial(llm_analysis.analyse, model, budget),
                Prefilter(settings.watch_prefilter),
                counts,
            )
        self.watcher = Watcher(infrastructure, self.channels, processor, counts)
        base.signals.erasures.connect(self.watcher.erase)
        self.alerts = AlertService(database, clock)
        self.summarizer = ChannelSummarizer(database, model, budget)


class AdminServices:
    """The operator's view."""

    def __init__(
        self, base: RuntimeServices, guilds: GuildServices, memory: MemoryServices
    ) -> None:
        infrastructure, database, clock = base.infrastructure, base.database, base.clock
        rules, ledger_file = base.rules, base.settings.ledger_file
        self.job_runs = JobRuns(infrastructure, rules)
        self.health = Health(
            infrastructure,
            base.budget,
            memory.recorder.offline_writer,
            base.model,
            read_only=rules.read_only,
        )
        self.statistics = StatisticsCollector(database, clock)
        self.browser = Browser(database, clock, rules, memory.editor, guilds.members)
        self.explainer = RecallExplainer(clock, guilds.settings, memory.reader)
        self.archive = Archive(database, clock, rules, ledger_file)
        self.ledger = ErasureLedger(database, ledger_file)


def build_embedding(base: RuntimeServices) -> "EmbeddingWorker | None":
    """Build the embedding worker, or return None if EMBEDDING_MODEL is not set.

    Raises SettingsError when its packages, its directory or its endpoint are missing.
    """
    settings = base.settings
    directory = settings.embedding_directory
    if settings.embedding_model is None:
        return None
    from utils.llm.embeddings import EmbeddingEndpoint
    from utils.llm.local_embeddings import PACKAGES, LocalEmbedder
    from utils.memory.recall.embedding_worker import EmbeddingWorker

    if directory is None:
        endpoint = EmbeddingEndpoint.from_settings(settings)
        return EmbeddingWorker(base.infrastructure, endpoint, base.budget, base.signals)
    if not directory.is_dir():
        raise SettingsError(f"EMBEDDING_MODEL names {directory}, which is no directory.")
    if not all(map(find_spec, PACKAGES)):
        raise SettingsError(
            "EMBEDDING_MODEL names a local model, which needs more packages: run "
            "`pip install -r requirements-embeddings.txt`."
        )
    return EmbeddingWorker(base.infrastructure, LocalEmbedder(directory), None, base.signals)


def build_mcp(base: RuntimeServices) -> "McpTools | None":
    """Build the connections to the operator's MCP servers, or return None if MCP_SERVERS is unset.

    Raises SettingsError when the list is wrong or the package is missing.
    """
    file = base.settings.mcp_servers
    if file is None:
        return None
    if find_spec("mcp") is None:
        raise SettingsError(MCP_MISSING.format(what="MCP_SERVERS is set, which"))
    from utils.mcp.mcp_tools import McpTools
    from utils.mcp.server_list import load_server_list

    return McpTools(
        load_server_list(file),
        base.clock,
        ToolResults(base.database, base.clock, base.rules),
        base.metrics,
    )


def forbidden_categories(settings: Settings) -> frozenset[Category]:
    """Return the categories that are never stored. Raises SettingsError for an unknown one."""
    try:
        return parse_categories(settings.forbidden_categories)
    except ValueError as error:
        raise SettingsError(
            f"Please fix this setting in .env: FORBIDDEN_CATEGORIES, {error}."
        ) from None
