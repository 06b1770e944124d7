"""Infrastructure: what every background service works with."""

from dataclasses import dataclass

from utils.common.clock import Clock
from utils.database.core.engine import Database
from utils.runtime.backoff import Backoff
from utils.runtime.leases import Leases
from utils.runtime.metrics import Metrics
from utils.runtime.worker import Step, Worker, WorkerTiming


@dataclass(frozen=True, slots=True)
class Infrastructure:
    """The database, the clock, this process's leases and its metrics."""

    database: Database
    clock: Clock
    leases: Leases
    metrics: Metrics

    def worker(
        self,
        name: str,
        step: Step,
        *,
        interval_s: float | None,
        backoff: Backoff | None = None,
        gather_s: float = 0.0,
    ) -> Worker:
        """Return a worker that is not started yet; see :class:`WorkerTiming` for its timing."""
        return Worker(
            name,
            step,
            self.clock,
            self.metrics,
            WorkerTiming(interval_s, gather_s, backoff),
        )
