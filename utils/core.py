"""What bot.py has built, handed on whole to an edge: Discord's client or the terminal."""

import asyncio
import gc
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from utils.acquaintances import Acquaintances
from utils.archive import Archive
from utils.browsing.browser import Browser
from utils.browsing.census import CensusTaker
from utils.clock import Clock
from utils.config import Settings
from utils.conversation import Conversation
from utils.database.engine import Database
from utils.drama_tracker import DramaTracker
from utils.drift import Drift
from utils.errors import DatabaseError, KithError, MessagesLost, ModelUnreachable
from utils.guild_book import GuildBook
from utils.health import Health
from utils.ledger import Ledger
from utils.link_book import LinkBook
from utils.llm_client import LanguageModel
from utils.memory.artifacts import ArtifactReader
from utils.memory.episodes import Chronicler
from utils.memory.erasures import Erasures
from utils.memory.history_import import HistoryImporter
from utils.memory.keeper import Keeper
from utils.memory.proposals import Proposals
from utils.memory.reader import Reader
from utils.memory.recorder import Recorder
from utils.memory.review_queue import ReviewQueue
from utils.memory.search import Searcher
from utils.memory.shadow import ShadowRoom
from utils.metrics import Metrics
from utils.persona_book import PersonaBook
from utils.policy_trials import PolicyTrials
from utils.read_policies import ReadPolicies
from utils.tally import Tally
from utils.upkeep import Upkeep
from utils.watching.alert_book import AlertBook
from utils.watching.book import WatchBook
from utils.watching.summarist import Summarist
from utils.watching.watcher import Watcher

if TYPE_CHECKING:  # it needs numpy, which only EMBEDDING_MODEL asks for
    from utils.memory.embedding import EmbeddingMaker

LAST_READING_S = 8.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Core:
    """Every object there is one of.

    ``model`` is None where no language model is configured, ``embedding`` where no embedding model.
    """

    settings: Settings
    clock: Clock
    database: Database
    model: LanguageModel | None
    recorder: Recorder
    chronicler: Chronicler
    reader: Reader
    keeper: Keeper
    searcher: Searcher
    erasures: Erasures
    guilds: GuildBook
    personas: PersonaBook
    acquaintances: Acquaintances
    proposals: Proposals
    reviews: ReviewQueue
    conversation: Conversation
    upkeep: Upkeep
    watch: WatchBook
    drama: DramaTracker
    watcher: Watcher
    alerts: AlertBook
    summarist: Summarist
    history: HistoryImporter
    links: LinkBook
    artifacts: ArtifactReader
    tally: Tally
    metrics: Metrics
    health: Health
    read_policies: ReadPolicies
    trials: PolicyTrials
    drift: Drift
    shadow: ShadowRoom
    ledger: Ledger
    archive: Archive
    browser: Browser
    census: CensusTaker
    embedding: "EmbeddingMaker | None" = None

    async def start(self) -> None:
        """Open the database, bring it up to date, and take up waiting work.

        Raises DatabaseUnusable or DatabaseUnavailable with what to do.
        """
        await self.database.open()
        await self.recorder.start()
        if self.settings.attachments and not self.settings.memory_read_only:
            await self.artifacts.start()
        await self.chronicler.start()
        if self.embedding is not None and not self.settings.memory_read_only:
            await self.embedding.start()

    async def warm_up(self) -> None:
        """Make the first answers quick: load the model's client, and spare the garbage collector.

        What was loaded until now stays for good: without ``freeze``, every full collection would
        look through 180,000 objects again, and hold up the event loop for 140 ms. Only from now on
        is the loop watched: what held it up at the start held up nobody.
        """
        if self.model is not None:
            with suppress(ModelUnreachable):  # closed meanwhile
                await self.model.open()
        if not gc.get_freeze_count():  # a reconnect is no new start
            gc.freeze()
        self.health.start()

    async def close(self) -> None:
        """Write and read what still waits, for 25 and 8 seconds at most, then let everything go.

        The rest is durable. Raises MessagesLost, at the end, where it is not: the database is still
        away.
        """
        backlog = self.recorder.backlog
        await self.health.close()
        await backlog.close()
        try:
            async with asyncio.timeout(LAST_READING_S):
                await self.recorder.settle()
        except (TimeoutError, DatabaseError):
            _log.info("what could not be read yet is read at the next start")
        await self.chronicler.close()
        for finish, words in (
            (self.recorder.close, "when members were last seen was not written"),
            (self.reader.write_uses, "use counts were not written"),
            (self.conversation.close, "tokens that were spent were not counted"),
            (self.tally.write, "what happened last was not counted"),
            (self.shadow.write, "what the policy in the shadow showed last was not written"),
            (self.ledger.mirror, "what was erased last is not in the ledger's file yet"),
        ):
            try:
                await finish()
            except KithError as error:
                _log.warning("%s: %s", words, type(error).__name__)
        await self.artifacts.close()
        if self.embedding is not None:
            await self.embedding.close()
        if self.model is not None:
            await self.model.close()
        await self.database.close()
        if backlog.lost:  # also what was still being recorded when the backlog closed
            raise MessagesLost(backlog.lost)
