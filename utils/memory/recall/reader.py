"""Recalls: finds the memories that match a message and composes the block for the prompt.

Recall never writes on the reply path. Only prepared memories are cached, with the MemoryVersion
that each recall reads again. Consent, status, expiry and audience are applied after the cache.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, TypeAlias
from zoneinfo import ZoneInfo

from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.errors import DatabaseError
from utils.database.admin import history_import
from utils.database.core.engine import Connection, Database
from utils.database.core.queries import run_all
from utils.database.memories import memories, recall_policies
from utils.database.messages import changes, summaries
from utils.llm.token_calibration import TokenCalibration
from utils.memory.member_data.loop_offers import LoopOffers
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.write_policy import WriteRules
from utils.memory.recall import channel_context, prepared_cache
from utils.memory.recall.active_policy import PoliciesInUse, PolicyCache
from utils.memory.recall.channel_context import (
    NO_PAST_EPISODES,
    PastEpisodes,
    RecallRequest,
    ServerContextCache,
)
from utils.memory.recall.explain import RecallTrace, RecordedRecall
from utils.memory.recall.pipeline import Material, Rules, compose
from utils.memory.recall.prepared_cache import LoadedMemory, PreparedCache
from utils.memory.recall.query import Query, without_names
from utils.memory.safety.filter import refusal_reason
from utils.models.episode import OpenLoop
from utils.models.guild import GuildSettings
from utils.models.memory import SERVER_USER_ID, Audience, Event, Member
from utils.models.provenance import Provenance
from utils.models.recall import (
    NOTHING_SIMILAR,
    Person,
    QuotedMessage,
    Recall,
)
from utils.nlp import stemming

if TYPE_CHECKING:  # loaded only where something is embedded
    from utils.memory.recall.similarity import SimilarityIndex

MAX_PREPARED = 20_000  # documents (MEMBER_SIZE): some 15 MB
MAX_RANKED_ON_LOOP = 3_000  # for fewer, handing it to a thread and back costs more than ranking
MAX_SAFETY_RESULTS = 50_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _LoadedMaterial:
    """What one read loads for a recall.

    Attributes:
        turns: the channel's last turns, oldest first.
        visible_ids: the message that asks, and those that the prompt shows as turns.
        may_quote: nothing says that the message replied to is erased; True if there is none.
        quoted_event_id: its database id, if it is stored.
    """

    policies: PoliciesInUse
    memory: LoadedMemory
    episodes: PastEpisodes
    turns: list[Event]
    visible_ids: frozenset[int]
    may_quote: bool = True
    quoted_event_id: int | None = None


RecallObserver: TypeAlias = Callable[[Material, PoliciesInUse, Rules, Recall, float], None]
"""Takes a recall with what it was composed from, and the milliseconds it took; returns at once."""


class Reader:
    """Finds the memories that match a message and that the readers of the answer may see."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        rules: WriteRules,
        calibration: TokenCalibration,
        similar: "SimilarityIndex | None" = None,
        shadow: RecallObserver | None = None,
        standard: RecallPolicy | None = None,
    ) -> None:
        """``similar`` is None without an embedding model. ``shadow`` observes each recall while a
        policy runs in the shadow. ``standard`` applies while no other policy does."""
        self._database = database
        self._clock = clock
        self._read_only = rules.read_only
        self._forbidden = rules.forbidden
        self._similar = similar
        self.policies = PolicyCache(standard)
        self._shadow = shadow
        self._prepared = PreparedCache(MAX_PREPARED)
        self._server_context = ServerContextCache()
        self._uses: dict[int, tuple[int, datetime]] = {}
        self._safety_results: BoundedDict[int, bool] = BoundedDict(MAX_SAFETY_RESULTS)
        self.loop_offers = LoopOffers(database)
        self._rules = Rules(
            rules.policy,
            self._may_tell,
            self.loop_offers.is_settled,
            calibration,
        )

    async def recall(
        self,
        audience: Audience,
        people: Sequence[Person],
        text: str,
        *,
        settings: GuildSettings,
        speaks_first: bool = False,
    ) -> Recall:
        """Return what matches the message, about ``people``, the speaker first.

        ``speaks_first``: Kith speaks unasked, so that nobody hears what was told in confidence.
        Raises DatabaseError when the database does not answer.
        """
        recall, _ = await self.recall_with_turns(
            audience, people, text, settings=settings, speaks_first=speaks_first
        )
        return recall

    async def nearest(self, question: str, language: str, guild_id: int, of: Person) -> list[int]:
        """Return the ids of a person's messages that mean what is asked, nearest first.

        None without an embedding model, or if it is not known what is near for it.
        """
        if self._similar is None:
            return []
        text = without_names(question, [of.name])
        return await self._similar.nearest(text, language, Member(guild_id, of.user_id))

    async def recall_with_turns(
        self,
        audience: Audience,
        people: Sequence[Person],
        text: str,
        *,
        settings: GuildSettings,
        channel_topics: Sequence[str] = (),
        exclude_id: int = 0,
        quoted: QuotedMessage | None = None,
        trace: RecallTrace | None = None,
        speaks_first: bool = False,
        with_turns: bool = False,
    ) -> tuple[Recall, list[Event]]:
        """Return the result of :meth:`recall` and the channel's last ten turns from one read.

        Args:
            exclude_id: the message that asks; it and later messages are left out.
            quoted: the message that it replies to.
            trace: records how the recall was made; the memories then do not count as used.
            speaks_first: as in :meth:`recall`.
            with_turns: the last turns may be recalled too, because no prompt shows them.
        """
        now = self._clock.now()
        guild_id = audience.guild_id
        about = {Member(guild_id, person.user_id): person for person in people}
        names = [person.name for person in people]
        load = partial(
            self._load,
            audience=audience,
            about=about,
            exclude_id=exclude_id,
            quoted=quoted,
            now=now,
            with_turns=with_turns,
        )
        if self._similar is None:
            loaded, similarities = await self._database.read(load), NOTHING_SIMILAR
        else:
            everybody = [*about, Member(guild_id, SERVER_USER_ID)]
            loaded, similarities = await asyncio.gather(
                self._database.read(load),
                self._similar.to(without_names(text, names), everybody),
            )
        for member, (_, prepared) in loaded.memory.people.items():
            self._prepared.put(member, prepared)
        self._server_context.keep(guild_id, loaded.memory.server, loaded.episodes)
        zone = ZoneInfo(settings.time_zone)
        request = RecallRequest(
            audience=audience,
            query=Query.of(text, names, channel_topics, now, zone),
            similarities=similarities,
            now=now,
            zone=zone,
            visible_ids=loaded.visible_ids,
            exclude_id=exclude_id,
            speaks_first=speaks_first,
        )
        material = Material(request, about, loaded.memory, loaded.episodes, loaded.turns, settings)
        policy = loaded.policies.active.policy
        cuts = None if trace is None else trace.cuts
        compose_recall = partial(compose, material, policy, self._rules, cuts)
        started = self._clock.monotonic()
        is_long = len(material) > MAX_RANKED_ON_LOOP
        recall = await asyncio.to_thread(compose_recall) if is_long else compose_recall()
        recall = _with_quote(recall, loaded.may_quote, loaded.quoted_event_id)
        if trace is not None:
            trace.recorded = RecordedRecall(material, policy, self._rules, recall, started)
            return recall, loaded.turns
        if loaded.policies.shadow is not None and self._shadow is not None:
            took_ms = (self._clock.monotonic() - started) * 1000
            self._shadow(material, loaded.policies, self._rules, recall, took_ms)
        for row in recall.rows:
            times, _ = self._uses.get(row.id, (0, now))
            self._uses[row.id] = (times + 1, now)
        return recall, loaded.turns

    def _load(
        self,
        connection: Connection,
        audience: Audience,
        about: Mapping[Member, Person],
        exclude_id: int,
        quoted: QuotedMessage | None,
        now: datetime,
        with_turns: bool,
    ) -> _LoadedMaterial:
        """Load what a recall is made of; of what is cached, only what has changed."""
        guild_id = audience.guild_id
        uses, newest_turns, last_summary_id, *stamps = run_all(
            connection,
            [
                recall_policies.uses(),
                channel_context.newest_turns(guild_id, audience.channel_id, now),
                summaries.newest_summary_id(guild_id),
                *prepared_cache.stamps(guild_id, about),
            ],
        )
        policies = self.policies.load(connection, uses, now)
        turns = channel_context.shown_turns(connection, newest_turns, exclude_id, now)
        visible_ids = frozenset(
            [exclude_id, *(turn.message_id for turn in turns if not with_turns)]
        )
        lore = self._server_context.lore.get(guild_id)
        memory = prepared_cache.load(
            connection, guild_id, about, stamps, self._prepared.get, lore, now, visible_ids
        )
        episodes = channel_context.load_episodes(
            connection,
            audience,
            self._server_context.past.get(guild_id, NO_PAST_EPISODES),
            memory.server_version,
            last_summary_id,
            now,
        )
        loaded = _LoadedMaterial(policies, memory, episodes, turns, visible_ids)
        if quoted is None:
            return loaded
        erased = history_import.last_erased(connection, guild_id, [quoted.author_id])
        may_quote, event_id = changes.check_quote(
            connection, guild_id, quoted, erased.get(quoted.author_id)
        )
        return replace(loaded, may_quote=may_quote, quoted_event_id=event_id)

    async def note_offers(self, offered: Sequence[OpenLoop], asked: Sequence[OpenLoop]) -> None:
        """Record which open loops a sent answer was offered, and which it asked about.

        What it asked about is stored at once, or a killed process would have it asked again.
        """
        self.loop_offers.note(offered, asked, self._clock.now())
        if asked and not self._read_only:
            try:
                await self.loop_offers.write()
            except DatabaseError as error:  # write_uses() stores it later
                _log.debug("a question stays to be stored: %s", type(error).__name__)

    async def write_uses(self) -> None:
        """Store use counts and times since the last call, except under MEMORY_READ_ONLY.

        Raises DatabaseError if they cannot be stored; the next call stores them.
        """
        uses, self._uses = self._uses, {}
        if self._read_only:
            return
        if uses:
            try:
                await self._database.write(memories.record_use, uses=uses)
            except DatabaseError:
                for memory_id, (times, used_at) in uses.items():  # for the next call
                    later, last_used_at = self._uses.get(memory_id, (0, used_at))
                    self._uses[memory_id] = (times + later, max(used_at, last_used_at))
                raise
        await self.loop_offers.write()

    def forget_prepared(self) -> None:
        """Drop what was prepared of texts: some of them were erased.

        Python drops the patterns that were made of words in them.
        """
        stemming.forget_words()
        re.purge()
        self._prepared.clear()
        self._server_context.clear()
        self._safety_results.clear()
        if self._similar is not None:
            self._similar.queries.clear()

    def _may_tell(self, text: str) -> bool:
        """Whether the current safety rules allow a text, even if it was stored before.

        Results are cached by hash, so that the cache holds no text.
        """
        key = hash(text)
        may_tell = self._safety_results.get(key)  # another thread may drop it at any time
        if may_tell is None:
            may_tell = self._safety_results[key] = refusal_reason(text, self._forbidden) is None
        return may_tell


def _with_quote(recall: Recall, may_quote: bool, event_id: int | None) -> Recall:
    """Return a recall that knows whether the message replied to may be quoted, and its id."""
    if not may_quote or event_id is None:
        return replace(recall, may_quote=may_quote)
    quoted = Provenance(event_ids=(event_id,))
    return replace(recall, provenance=Provenance.merged((recall.provenance, quoted)))
