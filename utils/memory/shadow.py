"""Trying a policy in the shadow: once a reply was sent, the same is recalled by the candidate, and
the ids of both are written down in batches. Never on the reply path; bounded; no words are kept.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import partial

from utils.clock import Clock
from utils.database import shadows
from utils.database.engine import Database
from utils.memory.composing import Material, Rules, compose
from utils.memory.policies_in_force import InForce, Versioned
from utils.memory.shadow_report import shown_ids
from utils.model.read_policy import ShadowRow
from utils.model.recall import Recall
from utils.text import estimate_tokens

LONGEST_REPLY_S = 600.0  # after that, what was recalled is let go of
MOST_EXPECTED = 50  # recalls whose reply was not sent yet
MOST_COMPARING = 4
MOST_UNWRITTEN = 1_000

_log = logging.getLogger(__name__)


class ShadowRoom:
    """Holds what was recalled until its reply is sent, compares, and writes in batches.

    What is too much is left out: a sample of recalls will do.
    """

    def __init__(self, database: Database, clock: Clock, *, read_only: bool = False) -> None:
        self._database = database
        self._clock = clock
        self._read_only = read_only
        self._expected: OrderedDict[int, tuple[float, Callable[[], ShadowRow]]] = OrderedDict()
        self._comparing: set[asyncio.Task[None]] = set()
        self._rows: list[ShadowRow] = []

    def expect(
        self, material: Material, in_force: InForce, rules: Rules, recall: Recall, took_ms: float
    ) -> None:
        """Hold what was recalled for a message by the policy that holds."""
        message_id = material.asked.but
        shadow = in_force.shadow
        if self._read_only or shadow is None or not message_id or not material.about:
            return
        compare = partial(
            self._compared,
            material,
            (in_force.active.version, shadow),
            as_of_now(rules, material),
            recall,
            took_ms,
        )
        self._expected[message_id] = self._clock.monotonic() + LONGEST_REPLY_S, compare
        while len(self._expected) > MOST_EXPECTED:
            self._expected.popitem(last=False)

    def replied(self, message_id: int) -> None:
        """Compare, in a thread, what was recalled for a message whose reply was sent."""
        expected = self._expected.pop(message_id, None)
        if expected is None or len(self._rows) >= MOST_UNWRITTEN:
            return
        if len(self._comparing) < MOST_COMPARING:
            task = asyncio.create_task(self._compare(expected[1]), name="shadow")
            self._comparing.add(task)
            task.add_done_callback(self._comparing.discard)

    async def write(self) -> None:
        """Store what was compared since the last time. Raises DatabaseError, and keeps it then.

        What was recalled for replies that never came is let go of.
        """
        now = self._clock.monotonic()
        while self._expected and next(iter(self._expected.values()))[0] <= now:
            self._expected.popitem(last=False)
        await asyncio.gather(*self._comparing, return_exceptions=True)
        rows, self._rows = self._rows, []
        if not rows:
            return
        try:
            await self._database.write(partial(shadows.add, rows=rows))
        except BaseException:
            self._rows = [*rows, *self._rows][:MOST_UNWRITTEN]
            raise

    async def _compare(self, compare: Callable[[], ShadowRow]) -> None:
        try:
            self._rows.append(await asyncio.to_thread(compare))
        except Exception as error:
            _log.error("a policy in the shadow failed: %s", type(error).__name__)

    def _compared(
        self,
        material: Material,
        versions: tuple[int, Versioned],
        rules: Rules,
        recall: Recall,
        took_ms: float,
    ) -> ShadowRow:
        active_version, shadow = versions
        begun = self._clock.monotonic()
        other = compose(material, shadow.policy, rules)
        other_ms = (self._clock.monotonic() - begun) * 1000
        speaker = next(iter(material.about))
        return ShadowRow(
            at=material.asked.now,
            guild_id=speaker.guild_id,
            user_id=speaker.user_id,
            message_id=material.asked.but,
            active_version=active_version,
            shadow_version=shadow.version,
            active_ids=shown_ids(recall),
            shadow_ids=shown_ids(other),
            active_tokens=estimate_tokens(recall.block) if recall.block else 0,
            shadow_tokens=estimate_tokens(other.block) if other.block else 0,
            active_ms=took_ms,
            shadow_ms=other_ms,
        )


def as_of_now(rules: Rules, material: Material) -> Rules:
    """Return rules that stay as they are: what the reply itself brings up, and what is learnt of
    token counts meanwhile, must not make the other policy differ."""
    loops = [loop for _, one in material.loaded.people.values() for loop in one.loops]
    raised = frozenset(loop.id for loop in loops if rules.is_raised(loop))
    return replace(
        rules,
        is_raised=lambda loop: loop.id in raised,
        calibration=deepcopy(rules.calibration),
    )
