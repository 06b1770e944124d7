"""What an agent may use: a member's memory in one server, or what everyone there can read."""

import hashlib
import hmac
from dataclasses import dataclass

from utils.common.errors import SettingsError
from utils.models.memory import Member

MIN_TOKEN_LENGTH = 24
NO_TOKENS = (
    "MCP_TOKENS is not set. Give each agent a token there, as docs/mcp.md says; or name --guild, "
    "and the agent that starts this program talks to it directly."
)
WRONG = (
    "Please fix MCP_TOKENS in .env: entry {number} is not a token of {length} characters or more, "
    "= and a server's id, or a server's and a member's: TOKEN=111/222."
)


class AgentRefused(Exception):
    """An agent's call is refused; the text says why, for the agent."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What an agent may use: a member's memory in a server; without one, what everyone can read."""

    guild_id: int
    user_id: int | None = None

    @property
    def member(self) -> Member | None:
        """The member in this server, if there is one."""
        return None if self.user_id is None else Member(self.guild_id, self.user_id)


class Grants:
    """Grants by token; only the tokens' digests stay in memory."""

    def __init__(self, text: str) -> None:
        """Read MCP_TOKENS. Raises SettingsError, which names the entry and not the token."""
        self._grants: dict[bytes, Grant] = {}
        entries = [part.strip() for part in text.split(",") if part.strip()]
        if not entries:
            raise SettingsError(NO_TOKENS)
        for number, entry in enumerate(entries, start=1):
            token, _, ids = (part.strip() for part in entry.rpartition("="))
            parts = ids.split("/")  # of a server, or of a server and a member
            are_numbers = all(part.isascii() and part.isdecimal() for part in parts)
            numbers = [int(part) for part in parts] if are_numbers else [0]
            are_ids = len(numbers) <= 2 and all(0 < number < 1 << 63 for number in numbers)
            if not are_ids or len(token) < MIN_TOKEN_LENGTH or not token.isascii():
                raise SettingsError(WRONG, number=number, length=MIN_TOKEN_LENGTH)
            if _digest(token) in self._grants:
                raise SettingsError(
                    "Please fix MCP_TOKENS in .env: entry {number} repeats a token.", number=number
                )
            self._grants[_digest(token)] = Grant(*numbers)

    def __len__(self) -> int:
        return len(self._grants)

    def of(self, token: str) -> Grant | None:
        """Return what a token grants, comparing in constant time."""
        digest, granted = _digest(token), None
        for known_digest, grant in self._grants.items():
            if hmac.compare_digest(known_digest, digest):
                granted = grant
        return granted


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
