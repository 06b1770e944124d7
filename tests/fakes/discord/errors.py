"""How the loopback Discord says no: to the bot, to a waiting test, to a test that asks too much."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """A REST answer that is not a success: HTTP status, Discord's own code, and its message."""

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        *,
        errors: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.headers = headers or {}
        self.extra = extra or {}

    def body(self) -> dict[str, Any]:
        """Return the JSON that Discord would send."""
        body: dict[str, Any] = {"message": self.message, "code": self.code, **self.extra}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


class FakeTimeout(AssertionError):
    """Something a test waited for did not happen; the text says what did."""


class CannotDo(AssertionError):
    """A test asked a person to do what Discord would not let that person do."""


def unauthorized() -> ApiError:
    """Return the answer to a wrong token."""
    return ApiError(401, 0, "401: Unauthorized")


def missing_access() -> ApiError:
    """Return the answer for something the bot cannot see."""
    return ApiError(403, 50001, "Missing Access")


def missing_permissions() -> ApiError:
    """Return the answer for something the bot sees but may not do."""
    return ApiError(403, 50013, "Missing Permissions")


UNKNOWN = {
    "channel": 10003,
    "guild": 10004,
    "member": 10007,
    "message": 10008,
    "role": 10011,
    "user": 10013,
    "emoji": 10014,
    "webhook": 10015,
    "interaction": 10062,
    "tag": 10087,
    "application command": 10063,
}


def unknown(what: str) -> ApiError:
    """Return the 404 for a thing that is not there, such as ``unknown("channel")``."""
    return ApiError(404, UNKNOWN[what], f"Unknown {what.capitalize()}")


def bad_form(field: str, code: str, message: str) -> ApiError:
    """Return a 400 "Invalid Form Body" (50035) that blames one field, given as a dotted path."""
    errors: dict[str, Any] = {"_errors": [{"code": code, "message": message}]}
    for part in reversed(field.split(".")):
        errors = {part: errors}
    return ApiError(400, 50035, "Invalid Form Body", errors=errors)
