"""Which model of a list is asked: the first whose endpoint answers.

A failure pauses the endpoint, or only the model if the failure is the model's own. Pauses double
from 5 seconds to 5 minutes; after each, one call tries again.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from utils.common.clock import Clock
from utils.common.errors import (
    ModelError,
    ModelRefused,
    ModelUnreachable,
    ModelUnusable,
    OutOfRoom,
    RequestRefused,
)
from utils.common.model_lists import parse_models
from utils.llm.endpoint import Endpoint, EndpointRefused, busy, is_busy
from utils.models.llm import Completion, ModelEntry, ToolResult, Usage
from utils.runtime.backoff import Backoff
from utils.runtime.metrics import DONE, error_label

Answer = TypeVar("Answer", Completion, ToolResult)
MODEL_STATUSES = (402, 403, 404, 429)  # the endpoint's other models may answer
MAX_RETRIES = 2  # while no other model is left
MAX_WAIT_S = 15.0  # for a free place; after that, the person is told that Kith is busy
SLOTS_PER_CALL = 4  # prompts that are held for each call that may run: the next is ready at once

_log = logging.getLogger(__name__)


class Circuit:
    """Open after a failure, until its pause ends and one call succeeds."""

    def __init__(self, clock: Clock) -> None:
        self._pause = Backoff(clock)
        self._is_open = False
        self._is_probed = False

    @property
    def admits(self) -> bool:
        """Whether a call should be sent: the circuit is closed, or the call probes it."""
        return not self._is_open or not (self._is_probed or self._pause.is_on())

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Send a call in this block; while it probes, no other does."""
        probes = self._is_open and self.admits
        self._is_probed |= probes
        try:
            yield
        finally:
            if probes:
                self._is_probed = False

    def close(self) -> None:
        """Admit calls again."""
        self._is_open = False
        self._pause.forget()

    def open(self) -> float:
        """Begin a pause. Returns its length in seconds, 0 if one was running."""
        if self._is_open and self._pause.is_on():
            return 0.0
        self._is_open = True
        return self._pause.begin()


@dataclass(eq=False, repr=False, slots=True)
class PromptSlot:
    """One of the prompts that may be held for the models at once, within ``async with``.

    Yields a function that gives the slot up early.

    It is no generator: those take ten times the memory, and hundreds of questions may wait.
    """

    _slots: asyncio.Semaphore
    _before_waiting: Callable[[], Awaitable[None]]
    _is_held: bool = field(default=False, init=False)

    async def __aenter__(self) -> Callable[[], None]:
        if self._slots.locked():
            await self._before_waiting()
        try:
            async with asyncio.timeout(MAX_WAIT_S):
                await self._slots.acquire()
        except TimeoutError:
            raise busy() from None
        self._is_held = True
        return self.release

    async def __aexit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Let the next prompt in, once."""
        if self._is_held:
            self._is_held = False
            self._slots.release()


class ModelRoutes:
    """Sends a call to the models of a list in turn.

    Args:
        endpoints: by their names; MAIN_ENDPOINT is among them.
        max_retries: of a call for which no other model is left.
        observe: called with an endpoint's name and DONE or an error's label after each call.
    """

    def __init__(
        self,
        endpoints: Mapping[str, Endpoint],
        clock: Clock,
        observe: Callable[[str, str], None] | None,
        max_retries: int = MAX_RETRIES,
    ) -> None:
        self.endpoints = dict(endpoints)
        self._observe = observe
        self._max_retries = max_retries
        self._lists: dict[str, tuple[ModelEntry, ...]] = {}
        self._circuits: defaultdict[ModelEntry | str, Circuit] = defaultdict(
            partial(Circuit, clock)
        )
        # The last of each that refuses, and whether it concerned one request, as others then pass.
        self._refusals: dict[tuple[ModelEntry, bool], str] = {}
        calls = sum(endpoint.concurrency for endpoint in self.endpoints.values())
        self._slots = asyncio.Semaphore(SLOTS_PER_CALL * calls)

    def slot(self, before_waiting: Callable[[], Awaitable[None]]) -> PromptSlot:
        """Wait until a prompt is worth preparing: few more are held than calls may run.

        What is recalled then is nearly as new as the answer, and whoever waits takes little memory.
        ``before_waiting`` is called if none is free; what it raises ends the wait. Raises
        ModelUnreachable after MAX_WAIT_S.
        """
        return PromptSlot(self._slots, before_waiting)

    def entries(self, models: str) -> tuple[ModelEntry, ...]:
        """Return the models of a list; each list is read once."""
        if models not in self._lists:
            self._lists[models] = parse_models(models, [name for name in self.endpoints if name])
        return self._lists[models]

    async def ask(
        self,
        models: str,
        send: Callable[[ModelEntry, int], Awaitable[Answer]],
        prefer: Sequence[str] = (),
    ) -> Answer:
        """Return the first answer; its ``usage`` says by model what all calls cost.

        ``send`` gets the model and the number of retries. Paused models are asked last, those in
        ``prefer`` before the others. Raises the last ModelError; its ``usage`` is the cost of all
        calls, its ``partial`` what was shown last.
        """
        order: Sequence[ModelEntry] = self.entries(models)
        attempt = self._observed
        if len(order) > 1:
            attempt = self._attempt
            ranks = [*prefer, *map(str, order)]
            order = sorted(
                order,
                key=lambda entry: (
                    not (self._circuits[entry.endpoint].admits and self._circuits[entry].admits),
                    ranks.index(str(entry)),
                ),
            )
        wasted, partial = Usage(), ""
        for entry in order:
            is_last = entry is order[-1]
            try:
                answer = await attempt(entry, self._max_retries if is_last else 0, send)
            except ModelError as error:
                wasted += (error.usage or Usage()).of(str(entry))
                error.usage = wasted
                partial = error.partial = error.partial or partial
                if is_last or not _may_go_on(error):
                    raise
            else:
                return replace(answer, usage=wasted + answer.usage.of(str(entry)))
        raise AssertionError("a list has at least one model")

    async def probe(self, models: str, timeout_s: float) -> None:
        """Check that an endpoint of a list answers, without asking any model.

        Raises ModelUnreachable, or ModelRefused if the last of them rejects the key.
        """
        names = list(dict.fromkeys(entry.endpoint for entry in self.entries(models)))
        for name in names:
            try:
                await _probe(self.endpoints[name], timeout_s)
                return
            except ModelError:
                if name == names[-1]:
                    raise

    async def _attempt(
        self,
        entry: ModelEntry,
        retries: int,
        send: Callable[[ModelEntry, int], Awaitable[Answer]],
    ) -> Answer:
        """Ask one model, and open or close its circuits by how it ends."""
        circuits = [self._circuits[entry.endpoint], self._circuits[entry]]
        with ExitStack() as attempts:
            for circuit in circuits:
                attempts.enter_context(circuit.attempt())
            try:
                answer = await self._observed(entry, retries, send)
            except ModelError as error:
                is_own = isinstance(error, OutOfRoom | ModelUnusable)  # other calls may succeed
                if _may_go_on(error) and not (is_busy(error) or is_own):
                    concerns_model = error.status in MODEL_STATUSES
                    pause_s = circuits[concerns_model].open()
                    if pause_s:
                        name = type(error).__name__
                        _log.warning("%s failed (%s); paused for %.0f s", entry, name, pause_s)
                raise
        for circuit in circuits:
            circuit.close()
        return answer

    async def _observed(
        self,
        entry: ModelEntry,
        retries: int,
        send: Callable[[ModelEntry, int], Awaitable[Answer]],
    ) -> Answer:
        outcome = DONE
        try:
            answer = await send(entry, retries)
            self._refusals.pop((entry, False), None)
            return answer
        except BaseException as error:
            outcome = error_label(error)
            if isinstance(error, ModelUnreachable | ModelRefused):
                reason = f"{error.for_operator} ({outcome}, {error.status or 'no answer'})"
                key = (entry, isinstance(error, RequestRefused))
                if self._refusals.get(key) != reason:
                    self._refusals[key] = reason
                    _log.warning("%s: %s", entry, reason)
            raise
        finally:
            if self._observe is not None:
                self._observe(entry.endpoint, outcome)


async def _probe(endpoint: Endpoint, timeout_s: float) -> None:
    try:
        await endpoint.list_models(timeout_s)
    except EndpointRefused as error:
        if error.status == 401:  # 403 may concern the list of models only
            raise ModelRefused from None
        if error.status >= 500:
            raise ModelUnreachable from None


def _may_go_on(error: ModelError) -> bool:
    """Whether another model may answer: this one is away, or refuses every request."""
    gives_none = isinstance(error, ModelUnreachable | ModelRefused | ModelUnusable | OutOfRoom)
    return gives_none and not isinstance(error, RequestRefused)
