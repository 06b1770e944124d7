"""Metrics: Prometheus series of this process, and event counts by server and day for the charts.

Every caller reports an event here once. Labels have few values: no server, no member, no message
text. Counting takes microseconds and never waits.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from prometheus_client import (
    CollectorRegistry,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client import Counter as Total

from utils.common.clock import Clock
from utils.common.errors import KithError
from utils.models.extraction import Judgement
from utils.models.llm import Usage
from utils.models.memory import Form, Kind
from utils.models.operator import CounterName
from utils.models.plan import Plan
from utils.runtime.counters import EventCounters

MODEL, PLAIN = "model", "plain"
DONE, FAILED, REFUSED = "done", "failed", "refused"
CHAT, PASSIVE = "chat", "passive"
QUOTE = "quote"
CANCELLED, UNFORESEEN = "broken off", "unforeseen"
OTHER_ENDPOINTS = frozenset(
    {"embedding", "attachment"}
)  # purposes that may have an endpoint of their own
PURPOSES = (
    "chat",
    "extraction",
    "verification",
    "episode",
    "watch",
    "summary",
    "preview",
    "speaking",
    *sorted(OTHER_ENDPOINTS),
)
FAILURES = (
    "ModelUnreachable",
    "ModelRefused",
    "ModelMalformed",
    "ModelUnusable",
    "OutOfRoom",
    "BudgetSpent",
)
UNANSWERED = frozenset({"ModelUnreachable", "ModelRefused"})
SIZES = (0, 3, 8, 15)
# Recall takes milliseconds, a model seconds, and a line of waiting messages up to minutes.
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160)
STALLS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)

disable_created_metrics()  # type: ignore[no-untyped-call]  # when each series began is of no use here, and doubles what is scraped


class Stage(StrEnum):
    """The stages of an answer, in their order."""

    QUEUEING = "queueing"  # behind other answers in the same channel
    RECALL = "recall"
    FIRST_WORDS = "first_token"  # of a streamed answer; the wait for its turn counts, as below
    MODEL = "model"  # from the wait for the model to the end of the call, with recall and tools
    SENDING = "sending"


@dataclass(frozen=True, slots=True)
class LastCalls:
    """How the last model calls ended: ``failed`` in a row, the last one at ``at``."""

    at: float = float("-inf")  # the clock's monotonic seconds
    failed: int = 0
    error: str = ""


class Metrics:
    """Counts and measures; ``counters`` also counts by server, if given.

    What one caller counts, by itself, it counts in a public series of prometheus_client's.
    """

    def __init__(self, clock: Clock, counters: EventCounters | None = None) -> None:
        self._registry = CollectorRegistry()
        self.last_calls = LastCalls()
        self.thought_tokens = 0  # of all calls
        self._clock = clock
        self._counters = counters
        ProcessCollector(registry=self._registry)
        total = partial(Total, namespace="kith", registry=self._registry)
        gauge = partial(Gauge, namespace="kith", registry=self._registry)
        histogram = partial(Histogram, namespace="kith", registry=self._registry)
        self._messages = total("messages", "Messages received: chat or passive.", ["how"])
        self._replies = total("replies", "Answers: model, plain, or an error.", ["outcome"])
        self._stages = histogram(
            "reply_stage_seconds", "Time per stage of an answer.", ["stage"], buckets=SECONDS
        )
        self._calls = total("model_calls", "Calls of a model that were allowed.", ["purpose"])
        self.model_errors = total(
            "model_errors", "Calls of a model without an answer.", ["purpose", "error"]
        )
        self._tokens = total("model_tokens", "Tokens spent.", ["purpose", "direction"])
        self._endpoints = total(
            "model_endpoint_calls",
            "Calls by endpoint: main, or a name of MODEL_ENDPOINTS.",
            ["endpoint", "outcome"],
        )
        self.mcp_calls = total(
            "mcp_calls",
            "Calls of MCP servers' tools: done, failed, or refused.",
            ["service", "outcome"],
        )
        self._call_s = histogram(
            "model_call_seconds", "Whole calls of a model.", ["purpose"], buckets=SECONDS
        )
        self._learnt = total("memories_learnt", "Memories written.", ["kind"])
        self._refused = total("memories_refused", "What was not kept, and why.", ["reason"])
        self._verdicts = total("verdicts", "Verdicts on notes.", ["judgement"])
        counts = (0, 1, 2, 3, 5, 8, 10, 15, 20)
        self._rows = histogram(
            "recall_rows", "Memories in a prompt, beside the profile.", buckets=counts
        )
        self._quotes = histogram("recall_messages", "Messages quoted in a prompt.", buckets=counts)
        self._block = histogram(
            "recall_tokens",
            "Estimated tokens of a block.",
            buckets=(0, 50, 100, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000),
        )
        self.pruned = total("pruned_rows", "Rows that pruning removed.", ["reason"])
        self.attachments = total("attachments_read", "Attachments.", ["kind", "state"])
        self.stalls = histogram(
            "loop_stall_seconds",
            "How late the event loop was, measured twice a second.",
            buckets=STALLS,
        )
        self.jobs = total("job_runs", "Runs of jobs: done or failed.", ["name", "outcome"])
        self.worker_failures = total(
            "worker_failures", "Background steps that failed and are tried again.", ["worker"]
        )
        self.job_successes = gauge(
            "job_last_success_timestamp_seconds", "When a job last succeeded.", ["name"]
        )
        self._away = gauge("database_away", "1 while the database is away.", ["work"])
        self.requests = total(
            "dashboard_requests", "Requests to dashboard and API.", ["route", "method", "status"]
        )
        self.drift_breaches = gauge("drift_breaches", "1 if the last check found drift.")
        self._figures = {
            "healthy": gauge("healthy", "1 while nothing is wrong (/api/memory/health)."),
            "database_s": gauge("database_round_trip_seconds", "A small read, whole."),
            "gateway_s": gauge("gateway_latency_seconds", "Of Discord's slowest shard."),
            "model": gauge("model_reachable", "1 while the language model answers."),
            "queue": gauge("queue_events", "Messages that wait to be read for memories."),
            "queue_s": gauge("queue_oldest_seconds", "How long the oldest of them waits."),
            "backlog": gauge("backlog_messages", "Messages that only process memory has."),
            "late_jobs": gauge("jobs_late", "Jobs that are overdue."),
        }

    @property
    def registry(self) -> CollectorRegistry:
        """Return everything that is counted and measured."""
        # Known labels begin with 0: to Prometheus a first value is no rise. Here, because at the
        # start it would take milliseconds.
        for mode in (CHAT, PASSIVE):
            self._messages.labels(mode)
        for outcome in (MODEL, PLAIN, UNFORESEEN, *FAILURES):
            self._replies.labels(outcome)
        for kind in Kind:
            self._learnt.labels(kind)
        for judgement in Judgement:
            self._verdicts.labels(judgement)
        for purpose in PURPOSES:
            self._calls.labels(purpose)
            for error in (*FAILURES, UNFORESEEN):
                self.model_errors.labels(purpose, error)
        return self._registry

    # --- messages and answers ------------------------------------------------------------------

    def count_message(self, guild_id: int, mode: str) -> None:
        """Count a received message: CHAT or PASSIVE."""
        self._count_each(guild_id, self._messages, CounterName.MESSAGES, {mode: 1})

    def count_reply(self, guild_id: int, outcome: str | BaseException) -> None:
        """Count an answer: MODEL, PLAIN, or the error that the person was told."""
        label = outcome if isinstance(outcome, str) else error_label(outcome)
        self._count_each(guild_id, self._replies, CounterName.REPLIES, {label: 1})

    @contextmanager
    def measure_stage(self, stage: Stage) -> Iterator[None]:
        """Measure how long the block takes, unless it raises."""
        began_at = self._clock.monotonic()
        yield
        self.observe_stage(stage, began_at)

    def observe_stage(self, stage: Stage, began_at: float) -> None:
        """Observe a stage that began at ``began_at`` (monotonic seconds) and ends now."""
        self._stages.labels(stage).observe(self._clock.monotonic() - began_at)

    def observe_recall(self, guild_id: int, rows: int, messages: int, tokens: int) -> None:
        """Observe a recall: its memories, its quoted messages, and its block's tokens."""
        self._rows.observe(rows)
        self._quotes.observe(messages)
        self._block.observe(tokens)
        self._count(guild_id, CounterName.RECALLED, size_label(rows + messages))

    # --- the model -----------------------------------------------------------------------------

    @contextmanager
    def measure_model_call(self, purpose: str, usage: Callable[[], Usage]) -> Iterator[None]:
        """Measure a model call and count its tokens; ``usage`` is read when the block ends."""
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
            self._tokens.labels(purpose, "thought").inc(spent.thought_tokens)
            self.thought_tokens += spent.thought_tokens
            label = error_label(error) if error is not None else ""
            if label:
                self.model_errors.labels(purpose, label).inc()
            if purpose not in OTHER_ENDPOINTS and label not in (CANCELLED, UNFORESEEN):
                failed = self.last_calls.failed + 1 if label in UNANSWERED else 0
                self.last_calls = LastCalls(now, failed, label)

    def count_endpoint_call(self, endpoint: str, outcome: str) -> None:
        """Count a call of an endpoint: DONE, or the error's label."""
        self._endpoints.labels(endpoint or "main", outcome).inc()

    # --- memory --------------------------------------------------------------------------------

    def count_plan(self, guild_id: int, plan: Plan) -> None:
        """Count what an applied plan wrote and what it refused."""
        kinds = Counter(
            new.kind if new.form is Form.NOTE else QUOTE
            for new in (*plan.inserts, *plan.server_facts)
        )
        self._count_each(guild_id, self._learnt, CounterName.LEARNT, kinds)
        self.count_refusals(guild_id, plan.refused)

    def count_refusals(self, guild_id: int, reasons: Mapping[str, int]) -> None:
        """Count refused memories by reason."""
        self._count_each(guild_id, self._refused, CounterName.REFUSED, reasons)

    def count_verdicts(self, guild_id: int, judgements: Mapping[str, int]) -> None:
        """Count a verifier's verdicts by judgement."""
        self._count_each(guild_id, self._verdicts, CounterName.VERDICTS, judgements)

    def count_pruned(self, removed: Mapping[str, Mapping[int, int]]) -> None:
        """Count the rows that pruning removed, by reason and server.

        An erased server gets no new counts.
        """
        erased = removed.get("servers", {})
        for reason, by_guild in removed.items():
            self.pruned.labels(reason).inc(sum(by_guild.values()))
            for guild_id in by_guild.keys() - erased.keys():
                self._count(guild_id, CounterName.PRUNED, reason, by_guild[guild_id])

    # --- the process ---------------------------------------------------------------------------

    def set_health_figures(
        self, figures: Mapping[str, float | None], away: Mapping[str, bool]
    ) -> None:
        """Set the gauges of the health check; an unknown figure (None) becomes NaN."""
        for name, gauge in self._figures.items():
            value = figures.get(name)
            gauge.set(float("nan") if value is None else value)
        for work, is_away in away.items():
            self._away.labels(work).set(is_away)

    def _count_each(
        self, guild_id: int, series: Total, name: CounterName, counts: Mapping[str, int]
    ) -> None:
        """Count events by label, in a series and by server."""
        for label, count in counts.items():
            series.labels(label).inc(count)
            self._count(guild_id, name, label, count)

    def _count(self, guild_id: int, name: CounterName, label: str, count: int = 1) -> None:
        if self._counters is not None and count:
            self._counters.add(guild_id, name, label, count)


def error_label(error: BaseException) -> str:
    """Return an error's label: our own by class name, all others as one. Pure."""
    if isinstance(error, KithError):
        return type(error).__name__
    return CANCELLED if isinstance(error, asyncio.CancelledError) else UNFORESEEN


def size_label(count: int) -> str:
    """Return a count's label: "0", "1-3", "4-8", "9-15" or "16+". Pure."""
    for below, upper in zip((-1, *SIZES), SIZES, strict=False):
        if count <= upper:
            return str(upper) if upper == below + 1 else f"{below + 1}-{upper}"
    return f"{SIZES[-1] + 1}+"
