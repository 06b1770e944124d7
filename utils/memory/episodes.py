"""The chronicler: divides what is said in each channel into chapters, and writes down what they
were about.

It works in the background, a channel at a time, under the channel's lease: several processes share
the work, and what a crash breaks off is taken up again, since all that says how far it has come is
in the database. Without a model chapters are divided and closed, and nothing is written of them;
once there is one, it is.
"""

import asyncio
import logging
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Protocol

from utils.budget import TokenBudget
from utils.clock import Clock
from utils.database import episodes
from utils.database.engine import Database, Session
from utils.database.episodes import Place
from utils.errors import (
    BudgetSpent,
    DatabaseError,
    ModelError,
    ModelMalformed,
    RequestRefused,
    StaleFence,
)
from utils.leases import Leases
from utils.memory import chapters, summarising
from utils.memory.alarm import Alarm
from utils.memory.boundaries import BoundaryPolicy
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.pauses import Pause, Rests
from utils.memory.proposals import Proposals
from utils.memory.summarising import Draft, Written
from utils.metrics import Metrics
from utils.model.episode import Part
from utils.model.llm import ChatMessage, ToolDefinition, ToolResult
from utils.model.memory import DIRECT_MESSAGES, SERVER_ITSELF, Member
from utils.model.plan import Plan
from utils.model.policy import WritePolicy
from utils.text import estimate_tokens

PURPOSE = "episode"
ANSWER_TOKENS = {Part.RUNNING: 700, Part.CHUNK: 2000, Part.FINAL: 2000}
REST_S = 600.0
MOST_PLACES = 2_000
MOST_STEPS = 200  # of one channel before the others have their turn
MOST_TRIES = 3  # of a summary that the model refuses, or of which nothing can be learnt
AT_ONCE = 2

_log = logging.getLogger(__name__)


class Writer(Protocol):
    """The model that writes summaries: LanguageModel, or a test's."""

    triage_model: str

    async def call_tool(
        self, messages: list[ChatMessage], tool: ToolDefinition, *, max_tokens: int
    ) -> ToolResult:
        """Return the arguments with which the model calls the tool. Raises ModelError."""


class Chronicler:
    """Keeps the chapters of every channel; ``model`` None: their boundaries only."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        leases: Leases,
        model: Writer | None,
        budget: TokenBudget,
        *,
        write_policy: WritePolicy | None = None,
        boundaries: BoundaryPolicy | None = None,
        forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
        proposals: Proposals | None = None,
        metrics: Metrics | None = None,
        read_only: bool = False,
    ) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases
        self._model = model
        self._budget = budget
        self._write_policy = write_policy or WritePolicy()
        self._boundaries = boundaries or BoundaryPolicy()
        self._forbidden = forbidden
        self._proposals = proposals or Proposals()
        self._metrics = metrics or Metrics(clock)
        self._read_only = read_only
        self._task: asyncio.Task[None] | None = None
        self._alarm = Alarm(clock)
        self._one_at_a_time = asyncio.Lock()
        self._pause = Pause(clock)
        self._rests: Rests[Place] = Rests(clock)
        self._undecided: dict[Place, int] = {}
        self._behind: set[Place] | None = None
        self._tries: Counter[tuple[int, int]] = Counter()
        self.refused: Counter[str] = Counter()

    async def start(self) -> None:
        """Take up what an earlier run left, and begin to work; not where nothing may be written."""
        if not self._read_only:
            self._task = asyncio.create_task(self._work_for_ever(), name="chronicler")

    def wake(self) -> None:
        """Say that something was heard, so that it is not left to the next sweep."""
        self._alarm.ring()

    async def close(self) -> None:
        """Stop working; what is under way is broken off and done after the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def catch_up(self) -> None:
        """Divide and write down all that is due now, but for what other processes are at.

        Raises DatabaseError.
        """
        if self._read_only:
            return
        async with self._one_at_a_time:
            places = await self._places()
            free = asyncio.Semaphore(AT_ONCE)

            async def tend(place: Place) -> None:
                async with free:
                    await self._tend(place)

            # With return_exceptions it ends, even when cancelled, only when all of them have.
            done = await asyncio.gather(*map(tend, places), return_exceptions=True)
            for error in filter(None, done):
                raise error

    # --- when ----------------------------------------------------------------------------------

    async def _work_for_ever(self) -> None:
        while True:
            try:
                await self.catch_up()
            except DatabaseError as error:
                _log.warning("chapters wait for the database: %s", type(error).__name__)
            except Exception:
                _log.exception("keeping chapters failed and is tried again")
            await self._alarm.rest()

    async def _places(self) -> list[Place]:
        """Return the channels in which there may be something to do."""
        silent_since = self._clock.now() - self._boundaries.longest_gap
        is_first, behind = self._behind is None, self._behind or set()
        has_model = self._model is not None and not self._pause.is_on()

        def unit(session: Session) -> tuple[dict[Place, int], set[Place], set[Place]]:
            heard = episodes.undivided_places(session, MOST_PLACES)
            waiting = {place: last for place, (last, at) in heard.items() if at > silent_since}
            silent = {*heard.keys() - waiting.keys()}
            silent.update(episodes.silent_places(session, silent_since, MOST_PLACES))
            to_write = set(behind)
            if has_model:
                to_write.update(episodes.unsummarised_places(session, MOST_PLACES))
            if has_model and is_first:
                to_write.update(episodes.open_places(session, MOST_PLACES))
            return waiting, silent, to_write

        waiting, found, to_write = await self._database.read(unit)
        if has_model:
            self._behind = set()
            found.update(place for place in to_write if not self._is_left_alone(place))
            self._behind.update(behind - found)
        found.update(place for place, last in waiting.items() if self._undecided.get(place) != last)
        self._undecided = waiting
        return sorted(found)

    # --- what ----------------------------------------------------------------------------------

    async def _tend(self, place: Place) -> None:
        """Bring the chapters of a channel up to date, if no other process is at it."""
        try:
            name = _lease(place)
            async with self._leases.hold(name) as fence:
                if fence is None:
                    self._undecided.pop(place, None)
                    return
                unit = partial(chapters.divide_new, place=place, boundaries=self._boundaries)
                while await self._leases.write(name, fence, partial(unit, now=self._clock.now())):
                    pass
                for _ in range(MOST_STEPS):
                    if self._is_left_alone(place) or not await self._write_next(place, fence):
                        break
        except StaleFence:
            _log.info("another process took over a chapter; this one wrote nothing")
        except DatabaseError:
            self._undecided.pop(place, None)
            raise
        except Exception:
            self._let_rest(place)
            _log.exception("a chapter could not be kept; it is tried again")

    async def _write_next(self, place: Place, fence: int) -> bool:
        """Have the next summary of a channel written; False if there is none now."""
        if self._model is None:
            return False
        take_up = partial(chapters.next_draft, place=place, now=self._clock.now())
        draft = await self._leases.write(_lease(place), fence, take_up)
        if draft is None:
            return False
        try:
            written = await self._ask(self._model, draft)
        except (RequestRefused, ModelMalformed) as error:
            if not self._is_given_up(draft):
                self._let_rest(place)
                return False
            _log.warning("a chapter stays without its summary: %s", type(error).__name__)
            written = Written("")
        except (ModelError, BudgetSpent) as error:
            self._leave_alone(place, error)
            return False
        self._pause.forget()
        await self._keep(place, fence, draft, written, self._model.triage_model)
        return True

    async def _keep(
        self, place: Place, fence: int, draft: Draft, written: Written, model: str
    ) -> None:
        """Learn from what was written, then store it, if the draft still holds."""
        holds = partial(chapters.holds, draft=draft, now=self._clock.now())
        if not await self._leases.write(_lease(place), fence, holds):
            return
        refused = Counter(written.refused)
        try:
            await self._learn(place, fence, draft, written, model, refused)
        except StaleFence:
            raise
        except Exception:  # each try costs a call of the model
            if not self._is_given_up(draft):
                raise
            _log.exception("nothing could be learnt of a chapter")
        now = self._clock.now()
        store = partial(chapters.store, draft=draft, written=written, model=model, now=now)
        if await self._leases.write(_lease(place), fence, store):
            self._tries.pop(_tried(draft), None)
            # Only now: a chapter that is tried again is written, and refused, anew.
            self.refused.update(refused)
            self._metrics.refused(place[0], refused)

    async def _ask(self, model: Writer, draft: Draft) -> Written:
        """Raises ModelError, or BudgetSpent before anything is sent."""
        messages = summarising.request(draft)
        tokens = sum(estimate_tokens(message.text) for message in messages)
        most = ANSWER_TOKENS[draft.part]
        async with self._budget.hold(_charged(draft), PURPOSE, tokens, most) as hold:
            result = await model.call_tool(messages, draft.tool, max_tokens=most)
            hold.usage = result.usage
        return summarising.read(result.arguments, draft, self._forbidden)

    async def _learn(
        self,
        place: Place,
        fence: int,
        draft: Draft,
        written: Written,
        model: str,
        refused: Counter[str],
    ) -> None:
        """Let each member's part of it be learnt, each in a unit of work of its own; adds to what
        was ``refused``."""
        learnt_of = {one.subject_id for one in written.candidates}
        learnt_of |= {one.user_id for one in written.loops}
        for user_id in sorted(learnt_of & draft.people.keys()):
            plan: Plan = await self._leases.write(
                _lease(place),
                fence,
                partial(
                    chapters.learn,
                    member=Member(place[0], user_id),
                    draft=draft,
                    written=written,
                    write_policy=self._write_policy,
                    forbidden=self._forbidden,
                    model=model,
                    now=self._clock.now(),
                ),
            )
            refused.update(plan.refused)
            self._metrics.learnt(place[0], replace(plan, refused=Counter()))
            self._proposals.tell(place[0], plan.proposed)

    # --- resting -------------------------------------------------------------------------------

    def _is_given_up(self, draft: Draft) -> bool:
        """Count a refusal; whether it was the last that is waited for."""
        self._tries[_tried(draft)] += 1
        return self._tries[_tried(draft)] >= MOST_TRIES

    def _leave_alone(self, place: Place, error: Exception) -> None:
        """Leave the model alone for a while, longer each time it does not answer.

        A spent budget is one server's: only its channels rest.
        """
        if isinstance(error, BudgetSpent):
            self._let_rest(place)
            return
        self._stay_behind(place)
        _log.warning(
            "summaries of chapters wait for %.0f s: %s", self._pause.begin(), type(error).__name__
        )

    def _let_rest(self, place: Place) -> None:
        self._stay_behind(place)
        self._rests.begin(place, REST_S)

    def _stay_behind(self, place: Place) -> None:
        self._behind = {*(self._behind or ()), place}

    def _is_left_alone(self, place: Place) -> bool:
        return self._pause.is_on() or place in self._rests


def _lease(place: Place) -> str:
    return f"episode:{place[0]}:{place[1]}"


def _tried(draft: Draft) -> tuple[int, int]:
    return draft.episode.id, draft.last_id


def _charged(draft: Draft) -> Member:
    """Return whose day's tokens a summary takes: the server's, or in direct messages the person's,
    a fifth of a server's day each."""
    if draft.episode.guild_id != DIRECT_MESSAGES:
        return Member(draft.episode.guild_id, SERVER_ITSELF)
    return Member(DIRECT_MESSAGES, next(iter(draft.people), SERVER_ITSELF))
