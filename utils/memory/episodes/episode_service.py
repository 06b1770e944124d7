"""EpisodeSummarizer splits each channel's conversation into episodes and summarises them.

It works in the background, channel by channel, under the channel's lease, so several processes
share the work. All progress is in the database, so work that a crash interrupts is repeated.
Without a model, episodes are split and closed, but not summarised until there is one.
"""

import asyncio
import logging
from collections import Counter
from dataclasses import replace
from functools import partial

from utils.common.errors import (
    BudgetSpent,
    DatabaseError,
    ModelError,
    ModelMalformed,
    RequestRefused,
    StaleFence,
)
from utils.database.core.engine import Connection
from utils.database.messages import episodes
from utils.database.messages.episodes import ChannelKey
from utils.llm import prompts
from utils.llm.client import LanguageModel
from utils.llm.token_budget import EPISODE, TokenBudget
from utils.memory.episodes import candidate_units, episode_units, lore, summarizer
from utils.memory.episodes.segmentation import DEFAULT_BOUNDARIES
from utils.memory.episodes.summarizer import SummaryJob, SummaryResult
from utils.memory.policy.write_policy import WriteRules
from utils.memory.verification.candidate_verifier import CandidateVerifier
from utils.models.episode import SummaryPart
from utils.models.memory import DIRECT_MESSAGES, SERVER_USER_ID, Member
from utils.models.plan import Plan
from utils.runtime.backoff import Backoff, KeyedBackoff
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure, InfrastructureService, Worker

SWEEP_EVERY_S = 30.0
GATHER_S = 10.0  # each time costs a lease and nine statements a channel
ANSWER_TOKENS = {SummaryPart.RUNNING: 700, SummaryPart.CHUNK: 2000, SummaryPart.FINAL: 2000}
CHANNEL_PAUSE_S = 600.0
MAX_STEPS = 200  # for one channel before it is another's turn
MAX_TRIES = 3  # for a summary that the model refuses, or whose candidates cannot be applied
MAX_CONCURRENT = 2

_log = logging.getLogger(__name__)


class EpisodeSummarizer(InfrastructureService):
    """Maintains the episodes of every channel; ``model`` None: only their boundaries."""

    def __init__(
        self,
        infrastructure: Infrastructure,
        rules: WriteRules,
        model: LanguageModel | None,
        budget: TokenBudget,
        verifier: CandidateVerifier,
        signals: MemorySignals,
    ) -> None:
        super().__init__(infrastructure)
        self._rules = rules
        self._model = model
        self._budget = budget
        self._verifier = verifier
        self._signals = signals
        self.worker = Worker(
            infrastructure,
            "episode summaries",
            self.catch_up,
            interval_s=SWEEP_EVERY_S,
            gather_s=GATHER_S,
        )
        signals.recorded.connect(self.worker.wake)
        self._one_at_a_time = asyncio.Lock()
        self._backoff = Backoff(self._clock)
        self._channel_backoff: KeyedBackoff[ChannelKey] = KeyedBackoff(self._clock)
        self._undecided: dict[ChannelKey, int] = {}
        self._pending: set[ChannelKey] | None = None
        self._tries: Counter[tuple[int, int]] = Counter()
        self.refused: Counter[str] = Counter()

    def start(self) -> None:
        """Continue what an earlier run left; does nothing if memory is read-only."""
        if not self._rules.read_only:
            self.worker.start()

    async def catch_up(self) -> None:
        """Segment and summarise everything that is due, except in channels other processes lease.

        Raises DatabaseError.
        """
        if self._rules.read_only:
            return
        async with self._one_at_a_time:
            remaining, errors = iter(await self._due_channels()), list[BaseException]()

            async def process() -> None:
                for channel in remaining:
                    try:
                        await self._process_channel(channel)
                    except DatabaseError as error:
                        errors.append(error)

            # With return_exceptions, gather ends only when all of them have, even if cancelled.
            processing = [process() for _ in range(MAX_CONCURRENT)]
            results = await asyncio.gather(*processing, return_exceptions=True)
            for error in (*errors, *filter(None, results)):
                raise error

    # --- which channels ------------------------------------------------------------------------

    async def _due_channels(self) -> list[ChannelKey]:
        """Return the channels with new turns to segment or episodes to summarise."""
        silent_since = self._clock.now() - DEFAULT_BOUNDARIES.max_gap
        is_first, pending = self._pending is None, self._pending or set()
        has_model = self._model is not None and not self._backoff.is_on()

        def unit(
            connection: Connection,
        ) -> tuple[dict[ChannelKey, int], set[ChannelKey], set[ChannelKey]]:
            unassigned = episodes.unassigned_channels(connection)
            waiting = {
                channel: last for channel, (last, at) in unassigned.items() if at > silent_since
            }
            silent = {*unassigned.keys() - waiting.keys()}
            silent.update(episodes.channels(connection, episodes.SILENT, since=silent_since))
            to_summarise = set(pending)
            if has_model:
                to_summarise.update(episodes.channels(connection, episodes.CLOSED))
            if has_model and is_first:
                to_summarise.update(episodes.channels(connection, episodes.GROWN))
            return waiting, silent, to_summarise

        waiting, due, to_summarise = await self._database.read(unit)
        if has_model:
            self._pending = set()
            due.update(channel for channel in to_summarise if not self._is_backing_off(channel))
            self._pending.update(pending - due)
        due.update(
            channel for channel, last in waiting.items() if self._undecided.get(channel) != last
        )
        self._undecided = waiting
        return sorted(due)

    # --- one channel ---------------------------------------------------------------------------

    async def _process_channel(self, channel: ChannelKey) -> None:
        """Bring the episodes of a channel up to date, unless another process has its lease."""
        try:
            name = _lease(channel)
            segment = partial(
                episode_units.segment_new_turns, channel=channel, now=self._clock.now()
            )
            async with self._leases.hold_with(name, segment) as held:
                if held is None:
                    self._undecided.pop(channel, None)
                    return
                fence, is_more = held
                while is_more:
                    is_more = await self._leases.write(name, fence, segment)
                for _ in range(MAX_STEPS):
                    if self._is_backing_off(channel) or not await self._summarise_next(
                        channel, fence
                    ):
                        break
        except StaleFence:
            _log.info("another process took over an episode; this one wrote nothing")
        except DatabaseError:
            self._undecided.pop(channel, None)
            raise
        except Exception:
            self._postpone(channel)
            _log.exception("an episode could not be processed; it is tried again")

    async def _summarise_next(self, channel: ChannelKey, fence: int) -> bool:
        """Write the next summary of a channel; False if none is due."""
        if self._model is None:
            return False
        job = await self._leases.write(
            _lease(channel),
            fence,
            episode_units.next_job,
            channel=channel,
            now=self._clock.now(),
        )
        if job is None:
            return False
        try:
            result = await self._summarise(self._model, job)
        except (RequestRefused, ModelMalformed) as error:
            if not self._count_failure(job):
                self._postpone(channel)
                return False
            _log.warning("an episode stays without a summary: %s", type(error).__name__)
            result = SummaryResult("")
        except BudgetSpent:  # it is one server's, so only this channel pauses
            self._postpone(channel)
            return False
        except ModelError as error:
            self._mark_pending(channel)
            pause_s = self._backoff.begin()
            _log.warning("episode summaries pause for %.0f s: %s", pause_s, type(error).__name__)
            return False
        self._backoff.forget()
        await self._store(channel, fence, job, result)
        return True

    async def _store(
        self, channel: ChannelKey, fence: int, job: SummaryJob, result: SummaryResult
    ) -> None:
        """Apply the candidates, then store the summary, if the job is still valid."""
        if not await self._leases.write(
            _lease(channel), fence, episode_units.is_valid, job=job, now=self._clock.now()
        ):
            return
        refused = Counter(result.refused)
        try:
            await self._apply_candidates(channel, fence, job, result, refused)
        except StaleFence:
            raise
        except Exception:  # each attempt costs a model call
            if not self._count_failure(job):
                raise
            _log.exception("the candidates of an episode could not be applied")
        await self._note_lore(channel, fence, job, result)
        if await self._leases.write(
            _lease(channel),
            fence,
            episode_units.store,
            job=job,
            result=result,
            model=result.model,
            now=self._clock.now(),
        ):
            self._tries.pop(_attempt_key(job), None)
            # Counted only now, because a repeated attempt counts its refusals again.
            self.refused.update(refused)
            self._metrics.count_refusals(channel[0], refused)

    async def _summarise(self, model: LanguageModel, job: SummaryJob) -> SummaryResult:
        """Ask the model for a summary. Raises ModelError, or BudgetSpent before the call."""
        messages = summarizer.build_messages(job)
        answer = await self._budget.ask(
            _budget_member(job),
            EPISODE,
            messages,
            ANSWER_TOKENS[job.part],
            model.call_tool,
            tool=job.tool,
        )
        result = summarizer.parse(answer.arguments, job, self._rules.forbidden)
        return replace(result, model=answer.model)

    async def _apply_candidates(
        self,
        channel: ChannelKey,
        fence: int,
        job: SummaryJob,
        result: SummaryResult,
        refused: Counter[str],
    ) -> None:
        """Apply each member's candidates in a unit of work; adds the refusals to ``refused``."""
        subject_ids = {candidate.subject_id for candidate in result.candidates}
        subject_ids |= {loop.user_id for loop in result.loops}
        extracted = [
            candidate_units.extracted_notes(
                Member(channel[0], user_id), job, result, self._rules.forbidden, result.model
            )
            for user_id in sorted(subject_ids & job.people.keys())
        ]
        if not extracted:
            return
        judged = await self._verifier.judge_together(extracted)
        for notes, extraction in zip(extracted, judged, strict=True):
            plan: Plan = await self._leases.write(
                _lease(channel),
                fence,
                candidate_units.apply_candidates,
                notes=replace(notes, extraction=extraction),
                job=job,
                result=result,
                write_policy=self._rules.policy,
                now=self._clock.now(),
            )
            refused.update(plan.refused)
            self._metrics.count_plan(channel[0], replace(plan, refused=Counter()))
            self._signals.propose(channel[0], plan.proposed)

    async def _note_lore(
        self, channel: ChannelKey, fence: int, job: SummaryJob, result: SummaryResult
    ) -> None:
        """Have the stories of a closed episode judged, and store those that may be kept."""
        is_here = job.part is SummaryPart.FINAL and channel[0] != DIRECT_MESSAGES
        summarised = [chunk.text for chunk in job.chunks]
        checked = [
            lore.check(candidate, job.turns, self._rules.forbidden, summarised)
            for candidate in result.lore
        ]
        stories, model = [story for story in checked if story is not None], self._model
        if model is None or not (is_here and stories):
            return
        messages = lore.build_messages(stories)
        try:
            answer = await self._budget.ask(
                _budget_member(job),
                EPISODE,
                messages,
                lore.ANSWER_TOKENS,
                model.call_tool,
                tool=lore.JUDGE,
                temperature=0.0,
                model=model.verify_model,
            )
        except (ModelError, BudgetSpent) as error:
            _log.info("stories are not judged: %s", type(error).__name__)
            return
        for story in lore.kept(answer.arguments, stories):
            proposed_id = await self._leases.write(
                _lease(channel),
                fence,
                lore.store_story,
                guild_id=channel[0],
                story=story,
                write_policy=self._rules.policy,
                model=result.model,
                prompt_hash=job.prompt.hash,
                verifier_model=answer.model,
                verifier_hash=prompts.load("lore_judged").hash,
                now=self._clock.now(),
            )
            if proposed_id is not None:
                self._signals.propose(channel[0], (proposed_id,))

    # --- backing off ---------------------------------------------------------------------------

    def _count_failure(self, job: SummaryJob) -> bool:
        """Count a failed attempt; returns whether it was the last one."""
        self._tries[_attempt_key(job)] += 1
        return self._tries[_attempt_key(job)] >= MAX_TRIES

    def _postpone(self, channel: ChannelKey) -> None:
        self._mark_pending(channel)
        self._channel_backoff.begin(channel, CHANNEL_PAUSE_S)

    def _mark_pending(self, channel: ChannelKey) -> None:
        self._pending = {*(self._pending or ()), channel}

    def _is_backing_off(self, channel: ChannelKey) -> bool:
        return self._backoff.is_on() or channel in self._channel_backoff


def _lease(channel: ChannelKey) -> str:
    return f"episode:{channel[0]}:{channel[1]}"


def _attempt_key(job: SummaryJob) -> tuple[int, int]:
    return job.episode.id, job.last_id


def _budget_member(job: SummaryJob) -> Member:
    """Return whose tokens a summary uses: the server's, or the member's in direct messages."""
    if job.episode.guild_id != DIRECT_MESSAGES:
        return Member(job.episode.guild_id, SERVER_USER_ID)
    return Member(DIRECT_MESSAGES, next(iter(job.people), SERVER_USER_ID))
