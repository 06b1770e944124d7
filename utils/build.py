"""Builds every service from the settings, in one place.

bot.py builds an :class:`App` once and hands it to an edge: Discord, the terminal, the dashboard or
a command.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from utils.admin.archive.archive import Archive
from utils.admin.browser import Browser
from utils.admin.health import Health
from utils.admin.job_runs import JobRuns
from utils.admin.statistics import StatisticsCollector
from utils.app import (
    AdminServices,
    App,
    GuildServices,
    MemoryServices,
    RecallPolicyServices,
    RuntimeServices,
    SentimentServices,
)
from utils.common.clock import Clock
from utils.common.config import Settings
from utils.common.errors import MCP_MISSING, SettingsError
from utils.conversation.conversation import Conversation, TurnServices
from utils.conversation.personas import PersonaService
from utils.conversation.speaking_first import SpeakingFirst
from utils.conversation.tools import ChatTools
from utils.database.core.engine import Database
from utils.guilds.account_links import AccountLinkService
from utils.guilds.known_members import KnownMembers
from utils.guilds.model_choices import ModelChoiceService
from utils.guilds.settings import GuildSettingsService
from utils.guilds.speaking_places import SpeakingPlaces
from utils.llm.client import LanguageModel
from utils.llm.token_budget import TokenBudget
from utils.llm.token_calibration import TokenCalibration
from utils.memory.attachments.links import LinkReader
from utils.memory.attachments.reader import AttachmentReader
from utils.memory.attachments.tool_results import ToolResults
from utils.memory.episodes.episode_service import EpisodeSummarizer
from utils.memory.episodes.segmentation import BoundaryPolicy
from utils.memory.evaluation.drift import DriftMonitor
from utils.memory.evaluation.policy_trials import PolicyTrials
from utils.memory.evaluation.policy_versions import RecallPolicyVersions
from utils.memory.evaluation.shadow import ShadowEvaluator
from utils.memory.extraction.llm_extractor import ModelExtractor
from utils.memory.extraction.rule_extractor import RuleExtractor
from utils.memory.history.import_service import HistoryImporter
from utils.memory.ingestion.ephemeral_turns import EphemeralTurns
from utils.memory.ingestion.passive_queue import PassiveNotes
from utils.memory.ingestion.recorder import ExtractionPace, Recorder
from utils.memory.member_data.editor import MemoryService
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.member_data.reminders import Reminders
from utils.memory.member_data.review import ReviewQueue
from utils.memory.member_data.search import MemorySearch
from utils.memory.member_data.statements import Statements
from utils.memory.member_data.view import MemberData
from utils.memory.policy.categories import Category, parse_categories
from utils.memory.policy.write_policy import WriteRules
from utils.memory.privacy.answer_removals import AnswerRemovals
from utils.memory.privacy.end_notices import EndNotices
from utils.memory.privacy.erasure_ledger_file import ErasureLedger
from utils.memory.privacy.large_erasures import InterruptedErasures
from utils.memory.recall.reader import Reader
from utils.memory.recall.search import RankedSearch
from utils.memory.verification.candidate_verifier import CandidateVerifier
from utils.memory.verification.model_verifier import ModelVerifier
from utils.models.policy import WritePolicy
from utils.models.sentiment import Prefilter
from utils.runtime.counters import EventCounters
from utils.runtime.leases import Leases
from utils.runtime.metrics import Metrics
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure
from utils.sentiment.alert_service import AlertService
from utils.sentiment.batch_processor import BatchProcessor, BatchServices
from utils.sentiment.batch_schedule import BatchTiming
from utils.sentiment.channel_summary import ChannelSummarizer
from utils.sentiment.llm_analysis import MessageAnalyzer
from utils.sentiment.tension_tracker import TensionTracker
from utils.sentiment.watched_channels import WatchedChannelService
from utils.sentiment.watcher import Watcher

if TYPE_CHECKING:  # they need optional dependencies: of MCP_SERVERS, of EMBEDDING_MODEL
    from utils.mcp.mcp_tools import McpTools
    from utils.memory.recall.embedding_worker import EmbeddingWorker


@dataclass(frozen=True, slots=True)
class _Foundation:
    """The parts that several ``build_*`` functions need."""

    settings: Settings
    infrastructure: Infrastructure
    counters: EventCounters
    rules: WriteRules
    signals: MemorySignals
    model: LanguageModel | None
    budget: TokenBudget

    @property
    def database(self) -> Database:
        return self.infrastructure.database

    @property
    def clock(self) -> Clock:
        return self.infrastructure.clock


def build(
    settings: Settings,
    clock: Clock,
    *,
    origins: Collection[str] = (),
    page_addresses: Collection[tuple[str, int]] = (),
    model: LanguageModel | None = None,
) -> App:
    """Build every service. Raises KithError when a setting makes no sense.

    Args:
        origins: further addresses that attachments may be fetched from: a test's own Discord.
        page_addresses: addresses and ports of sites to read besides public ones: a test's own.
        model: used instead of the one in the settings: the demo's.
    """
    base = build_foundation(settings, clock, model)
    database, metrics = base.database, base.infrastructure.metrics
    policies = build_policies(base)
    guild_settings = GuildSettingsService(database, clock, base.rules.policy)
    guilds = GuildServices(
        settings=guild_settings,
        personas=PersonaService(database, clock, guild_settings),
        models=ModelChoiceService(guild_settings, settings),
        speaking=SpeakingPlaces(database, clock),
        members=KnownMembers(database, clock),
        links=AccountLinkService(database, clock),
    )
    verifier = build_verifier(base, guilds.members)
    links = LinkReader.from_settings(settings, base.infrastructure, base.model, page_addresses)
    memory = build_memory(base, verifier, policies.shadow, origins, links)
    mcp = build_mcp(base)
    turn_services = TurnServices(
        recorder=memory.recorder,
        reader=memory.reader,
        tools=ChatTools(
            memory.editor,
            memory.reader,
            memory.member_data,
            memory.loops,
            memory.search,
            clock,
            memory.reminders,
            mcp,
            links,
        ),
        personas=guilds.personas,
        attachments=memory.attachments,
        links=links,
    )
    return App(
        settings=settings,
        clock=clock,
        database=database,
        model=base.model,
        runtime=RuntimeServices(base.infrastructure, base.counters, metrics),
        memory=memory,
        policies=policies,
        guilds=guilds,
        conversation=Conversation(
            turn_services, base.budget, base.model, clock, metrics, settings.answer_links
        ),
        speaking=SpeakingFirst(
            base.infrastructure, base.rules, memory.reader, base.model, base.budget, guilds.members
        ),
        sentiment=build_sentiment(base, verifier, guild_settings),
        admin=build_admin(base, guilds, memory),
        mcp=mcp,
    )


def build_foundation(
    settings: Settings, clock: Clock, model: LanguageModel | None = None
) -> _Foundation:
    """Build the database, the metrics, the model and the rules. Raises SettingsError."""
    database = Database(settings.database_url, pool_size=settings.database_pool_size, clock=clock)
    counters = EventCounters(database, clock)
    metrics = Metrics(clock, counters)
    if model is None and settings.has_model:
        model = LanguageModel.from_settings(settings, clock, metrics.count_endpoint_call)
    return _Foundation(
        settings=settings,
        infrastructure=Infrastructure(database, clock, Leases(database, clock), metrics),
        counters=counters,
        rules=WriteRules(
            policy=WritePolicy(cap=settings.memory_cap),
            forbidden=forbidden_categories(settings),
            read_only=settings.memory_read_only,
        ),
        signals=MemorySignals(),
        model=model,
        budget=TokenBudget(
            database, clock, settings.daily_token_budget, TokenCalibration(), metrics
        ),
    )


def build_policies(base: _Foundation) -> RecallPolicyServices:
    """Build the versions, trials, drift monitor and shadow of recall policies."""
    database, clock, rules = base.database, base.clock, base.rules
    versions = RecallPolicyVersions(database, clock)
    return RecallPolicyServices(
        versions=versions,
        trials=PolicyTrials(database, clock, forbidden=rules.forbidden),
        drift=DriftMonitor(database, clock, versions, base.counters, base.infrastructure.metrics),
        shadow=ShadowEvaluator(database, clock, read_only=rules.read_only),
    )


def build_memory(
    base: _Foundation,
    verifier: CandidateVerifier,
    shadow: ShadowEvaluator,
    origins: Collection[str],
    links: LinkReader | None,
) -> MemoryServices:
    """Build memory, all of it under the same rules, and connect its signals."""
    settings, infrastructure = base.settings, base.infrastructure
    rules, signals = base.rules, base.signals
    database, clock, model, budget = base.database, base.clock, base.model, base.budget
    extractor = RuleExtractor() if model is None else ModelExtractor(model, budget)
    attachments = AttachmentReader.from_settings(settings, infrastructure, budget, model, origins)
    episodes = EpisodeSummarizer(
        infrastructure, rules, model, budget, verifier, signals, BoundaryPolicy()
    )
    embedding = build_embedding(base)
    similar = embedding.index if embedding else None
    ephemeral_turns = EphemeralTurns(clock)
    pace = ExtractionPace(settings.burst_quiet_s, settings.extraction_workers)
    recorder = Recorder(infrastructure, rules, extractor, verifier, pace, signals, ephemeral_turns)
    signals.attachments.connect(attachments.expect)
    signals.erasures.connect(recorder.offline_writer.erase)
    end_notices = EndNotices()
    signals.shortened.connect(end_notices.expect)
    signals.erasures.connect(end_notices.erase)
    return MemoryServices(
        recorder=recorder,
        reader=Reader(database, clock, rules, budget.calibration, similar, shadow),
        member_data=MemberData(database, clock),
        editor=MemoryService(
            database, clock, rules, verifier, signals, ephemeral_turns, infrastructure.metrics
        ),
        search=MemorySearch(database, clock),
        ranked_search=RankedSearch(database, clock, similar),
        statements=Statements(database, clock, rules, verifier, signals),
        loops=OpenLoops(database, clock, rules),
        reminders=Reminders(database, clock, rules),
        reviews=ReviewQueue(database, clock),
        episodes=episodes,
        attachments=attachments,
        links=links,
        history=HistoryImporter(
            infrastructure,
            rules,
            extractor,
            verifier,
            workers=settings.extraction_workers,
            asks_model=model is not None,
        ),
        end_notices=end_notices,
        interrupted_erasures=InterruptedErasures(infrastructure),
        removals=AnswerRemovals(database, clock),
        signals=signals,
        embedding=embedding,
    )


def build_verifier(base: _Foundation, members: KnownMembers) -> CandidateVerifier:
    """Build what checks and verifies candidates; without a model, built-in rules do it."""
    model = None if base.model is None else ModelVerifier(base.model, base.budget)
    return CandidateVerifier(model, base.clock, base.infrastructure.metrics, members)


def build_embedding(base: _Foundation) -> "EmbeddingWorker | None":
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


def build_mcp(base: _Foundation) -> "McpTools | None":
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

    results = ToolResults(base.database, base.clock, base.rules)
    return McpTools(load_server_list(file), base.clock, results, base.infrastructure.metrics)


def build_sentiment(
    base: _Foundation, verifier: CandidateVerifier, guild_settings: GuildSettingsService
) -> SentimentServices:
    """Build passive watching; without a model nothing is analysed."""
    settings, infrastructure = base.settings, base.infrastructure
    database, clock, model, budget = base.database, base.clock, base.model, base.budget
    channels, tension = WatchedChannelService(database, clock), TensionTracker(database, clock)
    counts: Counter[str] = Counter()
    processor = notes = None
    if model is not None:
        notes = PassiveNotes(infrastructure, base.rules, verifier, base.signals, counts)
        processor = BatchProcessor(
            BatchServices(infrastructure, channels, guild_settings, tension, notes),
            MessageAnalyzer(model, budget),
            batch_size=settings.watch_batch,
            prefilter=Prefilter(settings.watch_prefilter),
            counts=counts,
        )
    timing = BatchTiming(settings.watch_batch, settings.watch_quiet_s, settings.watch_patience_s)
    watcher = Watcher(infrastructure, channels, tension, processor, notes, timing, counts)
    base.signals.erasures.connect(watcher.erase)
    return SentimentServices(
        channels=channels,
        tension=tension,
        watcher=watcher,
        alerts=AlertService(database, clock),
        summarizer=ChannelSummarizer(database, model, budget),
    )


def build_admin(base: _Foundation, guilds: GuildServices, memory: MemoryServices) -> AdminServices:
    """Build the operator's view."""
    infrastructure, rules, ledger_file = base.infrastructure, base.rules, base.settings.ledger_file
    database, clock = base.database, base.clock
    return AdminServices(
        job_runs=JobRuns(infrastructure, rules),
        health=Health(
            infrastructure,
            base.budget,
            memory.recorder.offline_writer,
            base.model,
            read_only=rules.read_only,
        ),
        statistics=StatisticsCollector(database, clock, infrastructure.leases),
        browser=Browser(
            database,
            clock,
            rules,
            guilds.settings,
            memory.editor,
            memory.reader,
            guilds.members,
        ),
        archive=Archive(database, clock, rules, ledger_file),
        ledger=ErasureLedger(database, ledger_file),
    )


def forbidden_categories(settings: Settings) -> frozenset[Category]:
    """Return the categories that are never stored. Raises SettingsError for an unknown one."""
    try:
        return parse_categories(settings.forbidden_categories)
    except ValueError as error:
        raise SettingsError(
            f"Please fix this setting in .env: FORBIDDEN_CATEGORIES, {error}."
        ) from None
