"""Evaluates a shadow policy: after each reply, it repeats the recall with the shadow policy.

The ids of both results are stored in batches, without any text. The work is bounded and never on
the reply path.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import fmean

from utils.common.bounded import BoundedDict
from utils.common.errors import Logged
from utils.common.text import estimate_tokens
from utils.database.core.engine import DatabaseService
from utils.database.memories import evaluation_data
from utils.memory.recall.active_policy import PoliciesInUse, VersionedPolicy
from utils.memory.recall.pipeline import Material, Rules, compose
from utils.models.recall import Recall
from utils.models.recall_policy import ShadowReport, ShadowRow
from utils.runtime.stopping import start_kept

MAX_REPLY_S = 600.0  # after this time an unanswered recall is dropped
MAX_EXPECTED = 50  # recalls whose reply is not sent yet
MAX_COMPARING = 4
MAX_UNWRITTEN = 1_000

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class ShadowEvaluator(DatabaseService):
    """Keeps each recall until its reply is sent, compares it, and stores results in batches.

    Recalls beyond the limits are dropped: a sample is enough.
    """

    _read_only: bool
    _expected: BoundedDict[int, tuple[float, Callable[[], ShadowRow]]] = field(
        default_factory=lambda: BoundedDict(MAX_EXPECTED), init=False
    )
    _comparing: set[asyncio.Task[None]] = field(default_factory=set, init=False)
    _rows: list[ShadowRow] = field(default_factory=list, init=False)

    def expect(
        self,
        material: Material,
        in_force: PoliciesInUse,
        rules: Rules,
        recall: Recall,
        took_ms: float,
    ) -> None:
        """Keep what the active policy recalled for a message."""
        message_id = material.request.exclude_id
        shadow = in_force.shadow
        if self._read_only or shadow is None or not message_id or not material.about:
            return
        # Loops that the reply itself mentions, and later token calibration, must not change the
        # shadow's result.
        loops = [loop for _, prepared in material.loaded.people.values() for loop in prepared.loops]
        now = material.request.now
        settled = frozenset(loop.id for loop in loops if rules.is_settled(loop, now))
        compare = partial(
            self._compared,
            material,
            in_force.active.version,
            shadow,
            replace(
                rules,
                is_settled=lambda loop, now: loop.id in settled,
                calibration=deepcopy(rules.calibration),
            ),
            recall,
            took_ms,
        )
        self._expected[message_id] = self._clock.monotonic() + MAX_REPLY_S, compare

    def replied(self, message_id: int) -> None:
        """Start the comparison for a message whose reply was sent; it runs in a thread."""
        expected = self._expected.pop(message_id, None)
        if expected is None or len(self._rows) >= MAX_UNWRITTEN:
            return
        if len(self._comparing) < MAX_COMPARING:
            start_kept(self._compare(expected[1]), "shadow", self._comparing)

    async def write(self) -> None:
        """Store the new comparisons. Raises DatabaseError and keeps them then.

        Recalls whose replies never came are dropped.
        """
        now = self._clock.monotonic()
        while self._expected and next(iter(self._expected.values()))[0] <= now:
            self._expected.popitem(last=False)
        await asyncio.gather(*self._comparing, return_exceptions=True)
        rows, self._rows = self._rows, []
        if not rows:
            return
        try:
            await self._database.write(evaluation_data.add_comparisons, rows=rows)
        except BaseException:
            self._rows = [*rows, *self._rows][:MAX_UNWRITTEN]
            raise

    async def _compare(self, compare: Callable[[], ShadowRow]) -> None:
        with Logged(_log.error, "the shadow policy failed", Exception):
            self._rows.append(await asyncio.to_thread(compare))

    def _compared(
        self,
        material: Material,
        active_version: int,
        shadow: VersionedPolicy,
        rules: Rules,
        recall: Recall,
        took_ms: float,
    ) -> ShadowRow:
        started = self._clock.monotonic()
        shadow_recall = compose(material, shadow.policy, rules)
        shadow_ms = (self._clock.monotonic() - started) * 1000
        speaker = next(iter(material.about))
        return ShadowRow(
            at=material.request.now,
            guild_id=speaker.guild_id,
            user_id=speaker.user_id,
            message_id=material.request.exclude_id,
            active_version=active_version,
            shadow_version=shadow.version,
            active_ids=shown_ids(recall),
            shadow_ids=shown_ids(shadow_recall),
            active_tokens=estimate_tokens(recall.block) if recall.block else 0,
            shadow_tokens=estimate_tokens(shadow_recall.block) if shadow_recall.block else 0,
            active_ms=took_ms,
            shadow_ms=shadow_ms,
        )


def shown_ids(recall: Recall) -> tuple[int, ...]:
    """Return the ids of the memories in a block, and the negative ids of its messages."""
    return (*(row.id for row in recall.rows), *(-quote.message_id for quote in recall.quotes))


def report_of(version: int, rows: Sequence[ShadowRow]) -> ShadowReport:
    """Return means over recalls, by name.

    ``overlap`` is the Jaccard index of what both policies showed, ``differs`` the share of recalls
    with another result.
    """
    figures: list[dict[str, float]] = []
    for row in rows:
        active, shadow = set(row.active_ids), set(row.shadow_ids)
        figures.append(
            {
                "overlap": len(active & shadow) / len(active | shadow) if active | shadow else 1.0,
                "differs": float(active != shadow),
                "items, active": len(row.active_ids),
                "items, shadow": len(row.shadow_ids),
                "tokens, active": row.active_tokens,
                "tokens, shadow": row.shadow_tokens,
                "ms, active": row.active_ms,
                "ms, shadow": row.shadow_ms,
            }
        )
    return ShadowReport(
        version=version,
        recalls=len(rows),
        members=len({(row.guild_id, row.user_id) for row in rows}),
        values={name: fmean(row[name] for row in figures) for name in (figures[0] if rows else ())},
    )
