"""How this endpoint counts tokens: a factor on our estimates, learnt from what it reports.

The factor is the slope of reported over estimated tokens, not their ratio: what every prompt costs
besides its text (tools, the template around it) is the same for long ones and for short ones, and
so does not count. Old reports fade; what can only be wrong is ignored. Does no input or output.
"""

import math
from dataclasses import dataclass

LOWEST, HIGHEST = 0.8, 2.0
TOKENS_PER_MESSAGE = 4  # the marks around each message
FADING = 0.98  # by each report: the last fifty or so count
DOUBT = 500_000.0  # tokens squared; about two reports, of prompts 500 tokens apart, that say 1
MAX_TIMES, MIN_TIMES = 3.0, 0.25  # of the estimate, that a report can be true
MAX_OVERHEAD = 1_000  # tokens of tools and template that are believed


@dataclass(slots=True)
class _Reports:
    """Faded sums over prompts of one shape: how many, their means, and how they vary together."""

    weight: float = 0.0
    estimated: float = 0.0
    reported: float = 0.0
    variance: float = 0.0
    covariance: float = 0.0

    def add(self, estimated: float, reported: float) -> None:
        """Add one report (West's incremental weighted covariance)."""
        self.weight = self.weight * FADING + 1
        from_mean = estimated - self.estimated
        self.estimated += from_mean / self.weight
        self.reported += (reported - self.reported) / self.weight
        self.variance = self.variance * FADING + from_mean * (estimated - self.estimated)
        self.covariance = self.covariance * FADING + from_mean * (reported - self.reported)


class TokenCalibration:
    """The factor between estimated and real tokens: 1 until an endpoint has said otherwise.

    The factor stays within 0.8 and 2, so that no endpoint's report can more than halve a budget, or
    stretch it by more than a quarter.
    """

    def __init__(self) -> None:
        self._shapes = {False: _Reports(), True: _Reports()}

    @property
    def factor(self) -> float:
        """How many real tokens an estimated one stands for."""
        variance = DOUBT + sum(reports.variance for reports in self._shapes.values())
        covariance = DOUBT + sum(reports.covariance for reports in self._shapes.values())
        return min(max(covariance / variance, LOWEST), HIGHEST)

    def observe(self, estimated: int, reported: int, *, messages: int, has_tools: bool) -> None:
        """Learn from one prompt: the estimate of its texts, and what the endpoint reported.

        Reports that cannot be true (none, below a quarter or above three times the estimate and
        what tools may cost) are ignored.
        """
        text_tokens = reported - TOKENS_PER_MESSAGE * messages
        overhead = MAX_OVERHEAD if has_tools else 0
        if estimated <= 0 or not (
            MIN_TIMES * estimated <= text_tokens <= MAX_TIMES * estimated + overhead
        ):
            return
        self._shapes[has_tools].add(estimated, text_tokens)

    def real(self, estimated: int) -> int:
        """Return how many tokens an estimate stands for here, rounded up."""
        return math.ceil(estimated * self.factor)

    def room(self, tokens: int) -> int:
        """Return how many estimated tokens fit into a budget of real ones."""
        return math.floor(tokens / self.factor)
