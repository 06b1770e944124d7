"""The larger parts that bot.py puts together: memory's doors, the watcher, the embeddings."""

from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec

from utils.budget import TokenBudget
from utils.clock import Clock
from utils.config import Settings
from utils.database.engine import Database
from utils.errors import SettingsError
from utils.leases import Leases
from utils.llm_client import LanguageModel
from utils.memory.artifacts import ArtifactReader
from utils.memory.categories import Category, parse_categories
from utils.memory.embedding import EmbeddingMaker
from utils.memory.erasures import Erasures
from utils.memory.keeper import Keeper
from utils.memory.open_loops import OpenLoops
from utils.memory.proposals import Proposals
from utils.memory.reader import Reader
from utils.memory.recorder import Extractor, Recorder
from utils.memory.shadow import ShadowRoom
from utils.metrics import Metrics
from utils.model.policy import WritePolicy
from utils.model.watch import Prefilter
from utils.watching.analysis import Analyst
from utils.watching.examiner import Books, Examiner
from utils.watching.queues import Pace
from utils.watching.watcher import Watcher


def memory_doors(
    settings: Settings,
    clock: Clock,
    database: Database,
    leases: Leases,
    budget: TokenBudget,
    write_policy: WritePolicy,
    extractor: Extractor,
    proposals: Proposals,
    embedding: EmbeddingMaker | None,
    artifacts: ArtifactReader,
    shadow: ShadowRoom,
    on_news: Callable[[], object],
    metrics: Metrics,
) -> tuple[Recorder, Reader, Keeper, OpenLoops, Erasures]:
    """Build the doors to memory, all under the same rules."""
    forbidden = forbidden_categories(settings)
    recorder = Recorder(
        database,
        clock,
        leases,
        extractor,
        write_policy=write_policy,
        quiet_s=settings.burst_quiet_s,
        workers=settings.extraction_workers,
        forbidden=forbidden,
        proposals=proposals,
        read_only=settings.memory_read_only,
        on_news=on_news,
        on_attached=artifacts.expect,
        metrics=metrics,
    )
    reader = Reader(
        database,
        clock,
        write_policy=write_policy,
        read_only=settings.memory_read_only,
        forbidden=forbidden,
        similar=embedding.index if embedding else None,
        calibration=budget.calibration,
        shadow=shadow,
    )
    erasures = Erasures(recorder.backlog.let_go)
    read_only = settings.memory_read_only
    keeper = Keeper(
        database,
        clock,
        write_policy,
        forbidden=forbidden,
        proposals=proposals,
        read_only=read_only,
        on_erasing=erasures,
        fleeting=recorder.fleeting,
        metrics=metrics,
    )
    loops = OpenLoops(database, clock, forbidden=forbidden, read_only=read_only)
    return recorder, reader, keeper, loops, erasures


def watcher(
    settings: Settings,
    clock: Clock,
    database: Database,
    leases: Leases,
    books: Books,
    model: LanguageModel | None,
    budget: TokenBudget,
    metrics: Metrics,
) -> Watcher:
    """Build what hears and examines watched channels; without a model it examines nothing."""

    counts: Counter[str] = Counter()
    examiner = None
    if model is not None:
        examiner = Examiner(
            database,
            clock,
            leases,
            books,
            Analyst(model, budget),
            batch=settings.watch_batch,
            prefilter=Prefilter(settings.watch_prefilter),
            counts=counts,
        )
    pace = Pace(settings.watch_batch, settings.watch_quiet_s, settings.watch_patience_s)
    return Watcher(
        database,
        clock,
        books.watch,
        books.drama,
        examiner,
        pace=pace,
        counts=counts,
        metrics=metrics,
    )


def embedding_maker(
    settings: Settings, clock: Clock, database: Database, leases: Leases, budget: TokenBudget
) -> EmbeddingMaker | None:
    """Build what EMBEDDING_MODEL asks for; None where it is not set.

    Raises SettingsError when its packages, its directory or its endpoint are missing.
    """
    directory = settings.embedding_directory
    if settings.embedding_model is None:
        return None
    if directory is not None and find_spec("model2vec") is None:
        raise SettingsError(
            "EMBEDDING_MODEL names a directory, which needs more packages: run "
            "`pip install -r requirements-embeddings.txt`."
        )
    if directory is not None and not directory.is_dir():
        raise SettingsError(f"EMBEDDING_MODEL names {directory}, which is no directory.")
    from utils.llm_embeddings import EmbeddingEndpoint
    from utils.llm_local import LocalEmbedder

    if directory is None:
        endpoint = EmbeddingEndpoint.from_settings(settings)
        return EmbeddingMaker(database, clock, leases, endpoint, budget)
    return EmbeddingMaker(database, clock, leases, LocalEmbedder(directory), budget=None)


def forbidden_categories(settings: Settings) -> "frozenset[Category]":
    """Return what nobody may have kept. Raises SettingsError for a category that does not exist."""

    try:
        return parse_categories(settings.forbidden_categories)
    except ValueError as error:
        raise SettingsError(
            f"Please mend this setting in .env: FORBIDDEN_CATEGORIES, {error}."
        ) from None
