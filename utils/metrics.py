"""What happens, counted as it happens: for Prometheus by process, for the charts by server and day.

Every place that has something to count says it here, once; a ``Metrics`` of nobody's counts for
itself alone. Labels are of few kinds: no server, no member, nobody's words. Counting costs
microseconds and waits for nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from prometheus_client import (
    CollectorRegistry,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client import Counter as Total

from utils.clock import Clock
from utils.errors import KithError
from utils.model.llm import Usage
from utils.model.memory import Kind
from utils.model.operator import Counted
from utils.model.plan import Plan
from utils.tally import Tally

MODEL, PLAIN = "model", "plain"
DONE, FAILED = "done", "failed"
CHAT, PASSIVE = "chat", "passive"
BROKEN_OFF, UNFORESEEN = "broken off", "unforeseen"
ELSEWHERE = frozenset(
    {"embedding", "attachment"}
)  # purposes that may have an endpoint of their own
PURPOSES = ("chat", "extraction", "episode", "watch", "summary", "preview", *sorted(ELSEWHERE))
FAILURES = ("ModelUnreachable", "ModelRefused", "ModelMalformed", "BudgetSpent")
UNANSWERED = frozenset({"ModelUnreachable", "ModelRefused"})
SIZES = (0, 3, 8, 15)
# Recall takes milliseconds, a model seconds, and a line of waiting messages up to minutes.
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160)
STALLS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)

disable_created_metrics()  # type: ignore[no-untyped-call]  # when each series began is of no use here, and doubles what is scraped


class Stage(StrEnum):
    """What an answer waits for, one after another."""

    QUEUEING = "queueing"  # other answers in the same channel
    RECALL = "recall"
    FIRST_WORDS = "first_token"  # of an answer that is heard while it is written
    MODEL = "model"  # the whole of it, with the tools it calls
    SENDING = "sending"


@dataclass(frozen=True, slots=True)
class LastCalls:
    """How the model's last calls ended: ``failed`` of them in a row, the last at ``at``."""

    at: float = float("-inf")  # the clock's monotonic seconds
    failed: int = 0
    error: str = ""


class Metrics:
    """Counts what happens; ``tally`` is told as well, where servers are told apart."""

    def __init__(self, clock: Clock, tally: Tally | None = None) -> None:
        self.registry = CollectorRegistry()
        self.last_calls = LastCalls()
        self._clock = clock
        self._tally = tally
        ProcessCollector(registry=self.registry)
        self._messages = self._total("messages", "Messages heard: chat or passive.", "how")
        self._replies = self._total("replies", "Answers: model, plain, or an error.", "outcome")
        self._stages = self._histogram(
            "reply_stage_seconds", "What answers wait for.", SECONDS, "stage"
        )
        self._calls = self._total("model_calls", "Calls of a model that were allowed.", "purpose")
        self._errors = self._total(
            "model_errors", "Calls of a model without an answer.", "purpose", "error"
        )
        self._tokens = self._total("model_tokens", "Tokens spent.", "purpose", "direction")
        self._call_s = self._histogram(
            "model_call_seconds", "Whole calls of a model.", SECONDS, "purpose"
        )
        self._learnt = self._total("memories_learnt", "Memories written.", "kind")
        self._refused = self._total("memories_refused", "What was not kept, and why.", "reason")
        counts = (0, 1, 2, 3, 5, 8, 10, 15, 20)
        self._rows = self._histogram(
            "recall_rows", "Memories in a prompt, beside the profile.", counts
        )
        self._quotes = self._histogram("recall_messages", "Messages quoted in a prompt.", counts)
        tokens = (0, 50, 100, 200, 300, 400, 500, 600)
        self._block = self._histogram("recall_tokens", "Estimated tokens of a block.", tokens)
        self._pruned = self._total("pruned_rows", "Rows that pruning removed or merged.", "reason")
        self._read = self._total("attachments_read", "Attachments.", "kind", "state")
        self._stalls = self._histogram(
            "loop_stall_seconds", "How late the event loop was, measured twice a second.", STALLS
        )
        self._jobs = self._total("job_runs", "Runs of jobs: done or failed.", "name", "outcome")
        self._succeeded = self._gauge(
            "job_last_success_timestamp_seconds", "When a job last succeeded.", "name"
        )
        self._away = self._gauge("database_away", "1 while the database is away.", "work")
        self._requests = self._total(
            "dashboard_requests", "Requests to dashboard and API.", "route", "method", "status"
        )
        self._drift = self._gauge("drift_breaches", "What the last look for drift found too far.")
        self._begin()
        self._figures = {
            "healthy": self._gauge("healthy", "1 while nothing is wrong (/api/memory/health)."),
            "database_s": self._gauge("database_round_trip_seconds", "A small read, whole."),
            "gateway_s": self._gauge("gateway_latency_seconds", "Of Discord's slowest shard."),
            "model": self._gauge("model_reachable", "1 while the language model answers."),
            "queue": self._gauge("queue_events", "Messages that wait to be read for memories."),
            "queue_s": self._gauge("queue_oldest_seconds", "How long the oldest of them waits."),
            "backlog": self._gauge("backlog_messages", "Messages that only process memory has."),
            "late_jobs": self._gauge("jobs_late", "Jobs that are overdue."),
        }

    def _begin(self) -> None:
        """Begin the counts of labels that are known beforehand: a rise from nothing at all is none
        to Prometheus."""
        for how in (CHAT, PASSIVE):
            self._messages.labels(how)
        for outcome in (MODEL, PLAIN, UNFORESEEN, *FAILURES):
            self._replies.labels(outcome)
        for kind in Kind:
            self._learnt.labels(kind)
        for purpose, error in product(PURPOSES, (*FAILURES, UNFORESEEN)):
            self._calls.labels(purpose)
            self._errors.labels(purpose, error)

    # --- hearing and answering -----------------------------------------------------------------

    def heard(self, guild_id: int, how: str) -> None:
        """Count a message that was heard: "chat" or "passive"."""
        self._messages.labels(how).inc()
        self._note(guild_id, Counted.MESSAGES, how)

    def replied(self, guild_id: int, outcome: str | BaseException) -> None:
        """Count an answer: MODEL, PLAIN, or the error that was answered with."""
        label = outcome if isinstance(outcome, str) else kind_of(outcome)
        self._replies.labels(label).inc()
        self._note(guild_id, Counted.REPLIES, label)

    @contextmanager
    def stage(self, stage: Stage) -> Iterator[None]:
        """Measure how long an answer waits for the block, unless that fails."""
        began_at = self._clock.monotonic()
        yield
        self.took(stage, began_at)

    def took(self, stage: Stage, began_at: float) -> None:
        """Note that a stage is over that began at that time of the monotonic clock."""
        self._stages.labels(stage).observe(self._clock.monotonic() - began_at)

    def until_first(self, on_text: Callable[[str], None]) -> Callable[[str], None]:
        """Measure from now on how long it takes until the first words come."""
        began_at, has_begun = self._clock.monotonic(), False

        def hear(text: str) -> None:
            nonlocal has_begun
            if not has_begun:
                has_begun = True
                self.took(Stage.FIRST_WORDS, began_at)
            on_text(text)

        return hear

    def recalled(self, guild_id: int, rows: int, messages: int, tokens: int) -> None:
        """Count what a prompt was given: memories, quoted messages, and the block's tokens."""
        self._rows.observe(rows)
        self._quotes.observe(messages)
        self._block.observe(tokens)
        self._note(guild_id, Counted.RECALLED, size_of(rows + messages))

    # --- the model -----------------------------------------------------------------------------

    @contextmanager
    def model_call(self, purpose: str, usage: Callable[[], Usage]) -> Iterator[None]:
        """Measure a call of a model, and count what it cost in the end."""
        began_at = self._clock.monotonic()
        error: BaseException | None = None
        try:
            yield
        except BaseException as failure:
            error = failure
            raise
        finally:
            now, spent = self._clock.monotonic(), usage()
            self._calls.labels(purpose).inc()
            self._call_s.labels(purpose).observe(now - began_at)
            self._tokens.labels(purpose, "prompt").inc(spent.prompt_tokens)
            self._tokens.labels(purpose, "completion").inc(spent.completion_tokens)
            label = kind_of(error) if error is not None else ""
            if label:
                self._errors.labels(purpose, label).inc()
            if purpose not in ELSEWHERE and label not in (BROKEN_OFF, UNFORESEEN):
                failed = self.last_calls.failed + 1 if label in UNANSWERED else 0
                self.last_calls = LastCalls(now, failed, label)

    def model_spared(self, purpose: str, error: KithError) -> None:
        """Count a call that was not allowed."""
        self._errors.labels(purpose, kind_of(error)).inc()

    # --- memory --------------------------------------------------------------------------------

    def learnt(self, guild_id: int, plan: Plan) -> None:
        """Count what a plan that was carried out has written, and what it refused."""
        for kind, count in Counter(one.kind for one in plan.inserts).items():
            self._learnt.labels(kind).inc(count)
            self._note(guild_id, Counted.LEARNT, kind, count)
        self.refused(guild_id, plan.refused)

    def refused(self, guild_id: int, reasons: Mapping[str, int]) -> None:
        """Count what was not kept, by reason."""
        for reason, count in reasons.items():
            self._refused.labels(reason).inc(count)
            self._note(guild_id, Counted.REFUSED, reason, count)

    def pruned(self, removed: Mapping[str, Mapping[int, int]]) -> None:
        """Count the rows that pruning removed or merged, by reason and server.

        Of a server that was erased, no count is begun anew.
        """
        erased = removed.get("servers", {})
        for reason, by_guild in removed.items():
            self._pruned.labels(reason).inc(sum(by_guild.values()))
            for guild_id in by_guild.keys() - erased.keys():
                self._note(guild_id, Counted.PRUNED, reason, by_guild[guild_id])

    def attachment_read(self, kind: str, state: str) -> None:
        """Count an attachment, and what became of it."""
        self._read.labels(kind, state).inc()

    # --- the house -----------------------------------------------------------------------------

    def stalled(self, seconds: float) -> None:
        """Note how late the event loop was."""
        self._stalls.observe(seconds)

    def expect_pruned(self, reasons: Iterable[str]) -> None:
        """Begin the counts of what pruning may remove."""
        for reason in reasons:
            self._pruned.labels(reason)

    def drifted(self, breaches: int) -> None:
        """Note how much the last look for drift found too far."""
        self._drift.set(breaches)

    def expect_job(self, name: str) -> None:
        """Begin a job's counts, so that its first run is seen as a rise."""
        for outcome in (DONE, FAILED):
            self._jobs.labels(name, outcome)

    def job_ended(self, name: str, error: BaseException | None = None) -> None:
        """Count a job that was done, or failed."""
        self._jobs.labels(name, DONE if error is None else FAILED).inc()

    def job_succeeded(self, name: str, at: float) -> None:
        """Note when a job last succeeded, in any process, in seconds since 1970."""
        self._succeeded.labels(name).set(at)

    def requested(self, route: str, method: str, status: int) -> None:
        """Count a request to the dashboard; ``route`` is its pattern, never what was asked for."""
        self._requests.labels(route, method, str(status)).inc()

    def set_figures(self, figures: Mapping[str, float | None], away: Mapping[str, bool]) -> None:
        """Take over what health knows; what is not known is no number."""
        for name, gauge in self._figures.items():
            value = figures.get(name)
            gauge.set(float("nan") if value is None else value)
        for work, is_away in away.items():
            self._away.labels(work).set(is_away)

    def _note(self, guild_id: int, name: Counted, label: str, count: int = 1) -> None:
        if self._tally is not None and count:
            self._tally.add(guild_id, name, label, count)

    def _total(self, name: str, words: str, *labels: str) -> Total:
        return Total(f"kith_{name}", words, labels, registry=self.registry)

    def _gauge(self, name: str, words: str, *labels: str) -> Gauge:
        return Gauge(f"kith_{name}", words, labels, registry=self.registry)

    def _histogram(
        self, name: str, words: str, buckets: tuple[float, ...], *labels: str
    ) -> Histogram:
        return Histogram(f"kith_{name}", words, labels, buckets=buckets, registry=self.registry)


def kind_of(error: BaseException) -> str:
    """Return an error's label: ours by name, whatever else there is as one. Pure."""
    if isinstance(error, KithError):
        return type(error).__name__
    return BROKEN_OFF if isinstance(error, asyncio.CancelledError) else UNFORESEEN


def size_of(count: int) -> str:
    """Return the label of a count: "0", "1-3", "4-8", "9-15" or "16+". Pure."""
    for below, most in zip((-1, *SIZES), SIZES, strict=False):
        if count <= most:
            return str(most) if most == below + 1 else f"{below + 1}-{most}"
    return f"{SIZES[-1] + 1}+"
