"""Scripted misfortunes: rate limits, failures, lost answers, late and held requests."""

from __future__ import annotations

from .errors import ApiError
from .rest import Misfortune, Rest


class Misfortunes:
    """What a test can make go wrong with REST; each method returns the misfortune it scripted."""

    rest: Rest

    def _script(self, misfortune: Misfortune) -> Misfortune:
        self.rest.misfortunes.append(misfortune)
        return misfortune

    def rate_limit(
        self,
        method: str,
        path: str,
        *,
        times: int = 1,
        retry_after: float = 0.01,
        via: bool = True,
        everywhere: bool = False,
    ) -> Misfortune:
        """Answer 429 to the next requests on a path like ``/channels/*/messages``."""
        headers = {
            "Retry-After": str(retry_after),
            "X-RateLimit-Scope": "global" if everywhere else "user",
        }
        if via:
            headers["Via"] = "1.1 google"
        extra = {"retry_after": retry_after, "global": everywhere}
        return self._script(
            Misfortune(
                method,
                path,
                times,
                ApiError(429, 0, "You are being rate limited.", headers=headers, extra=extra),
            )
        )

    def fail(
        self,
        method: str,
        path: str,
        *,
        times: int = 1,
        status: int = 500,
        code: int = 0,
        message: str = "scripted",
        after: bool = False,
    ) -> Misfortune:
        """Answer an error to the next requests; ``after`` they take effect, if asked."""
        return self._script(Misfortune(method, path, times, ApiError(status, code, message), after))

    def cut(self, method: str, path: str, *, times: int = 1, after: bool = False) -> Misfortune:
        """Cut the line of the next requests; ``after`` they take effect, if asked."""
        return self._script(Misfortune(method, path, times, after=after, cut=True))

    def hold(self, method: str, path: str, *, times: int = 1) -> Misfortune:
        """Keep the next requests waiting until ``release()``; ``reached`` is set when one comes."""
        return self._script(Misfortune(method, path, times, held=True))
