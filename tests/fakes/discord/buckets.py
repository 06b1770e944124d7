"""Discord's rate limits: so many requests of a kind in a channel, then 429 for a while."""

from __future__ import annotations

from dataclasses import dataclass, field

from .clock import Clock
from .errors import ApiError

# Method and route -> requests, and the seconds of their window. Discord names them in headers only.
LIMITS = {
    ("POST", "/channels/{channel_id}/messages"): (5, 5.0),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"): (5, 5.0),
    ("DELETE", "/channels/{channel_id}/messages/{message_id}"): (5, 1.0),
    ("POST", "/channels/{channel_id}/typing"): (5, 5.0),
    ("PUT", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me"): (1, 0.25),
}
OLD_AFTER_S = 3600.0
HOUR_S = 3600.0


def too_many(
    message: str, retry_after_s: float, *, code: int = 0, headers: dict[str, str] | None = None
) -> ApiError:
    """Return a 429 as Discord sends it; without ``Via`` discord.py takes it for a ban."""
    return ApiError(
        429,
        code,
        message,
        headers={
            "Via": "1.1 google",
            "Retry-After": str(max(1, round(retry_after_s))),
            "X-RateLimit-Scope": "user",
            **(headers or {}),
        },
        extra={"retry_after": round(retry_after_s, 3), "global": False},
    )


@dataclass(slots=True)
class Bucket:
    """The requests of a kind in one channel, in the window that is open."""

    limit: int
    ends_at_s: float = 0.0
    used: int = 0


@dataclass(slots=True)
class Buckets:
    """All buckets of a bot, whichever process the requests are from.

    ``pace`` shortens the windows: at 0.01, five messages may be posted in a twentieth of a second.
    ``old_edits_an_hour`` is how many edits of messages older than an hour a channel allows; Discord
    does not tell its own number.
    """

    clock: Clock
    pace: float = 0.01
    old_edits_an_hour: int = 30
    buckets: dict[tuple[str, str, str], Bucket] = field(default_factory=dict)
    old_edits: dict[int, list[float]] = field(default_factory=dict)

    def count(self, method: str, route: str, channel: str) -> dict[str, str]:
        """Count a request and return the headers that tell of it.

        Raises
        ------
        ApiError
            429 if the window's requests are used up.
        """
        if (method, route) not in LIMITS:
            return {}
        limit, window_s = LIMITS[method, route]
        bucket = self.buckets.setdefault((method, route, channel), Bucket(limit))
        now = self.clock.now_s()
        if now >= bucket.ends_at_s:
            bucket.used, bucket.ends_at_s = 0, now + window_s * self.pace
        bucket.used += 1
        left_s = bucket.ends_at_s - now
        headers = {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - bucket.used)),
            "X-RateLimit-Reset": f"{bucket.ends_at_s:.3f}",
            "X-RateLimit-Reset-After": f"{left_s:.3f}",
            "X-RateLimit-Bucket": f"{abs(hash((method, route))):x}",
        }
        if bucket.used > limit:
            raise too_many("You are being rate limited.", left_s, headers=headers)
        return headers

    def count_old_edit(self, channel_id: int, written_at_s: float) -> None:
        """Count an edit of a message if that is older than an hour.

        Raises
        ------
        ApiError
            30046 if the channel had too many of these in the last hour.
        """
        now = self.clock.now_s()
        if now - written_at_s <= OLD_AFTER_S:
            return
        edits = [at_s for at_s in self.old_edits.get(channel_id, []) if at_s > now - HOUR_S]
        self.old_edits[channel_id] = edits
        if len(edits) >= self.old_edits_an_hour:
            left_s = (edits[0] if edits else now) + HOUR_S - now
            message = "Maximum number of edits to messages older than 1 hour reached."
            raise too_many(f"{message} Try again later", left_s, code=30046)
        edits.append(now)
