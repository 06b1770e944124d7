"""Fetches attachments: from Discord's CDN alone, whatever an address says, and never too much."""

from collections.abc import Collection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from utils.files.unreadable import UnreadableFile

if TYPE_CHECKING:
    import aiohttp

DISCORD = frozenset({"https://cdn.discordapp.com", "https://media.discordapp.net"})
TIMEOUT_S = 30.0
PIECE = 65_536

ELSEWHERE = "it does not lie with Discord"
GONE = "Discord does not have it any more"
TOO_LARGE = "it is larger than I read"


class DownloadFailed(Exception):
    """Discord did not answer, or not in time: trying later can help."""


class Downloader:
    """Fetches files of at most ``most_bytes`` from these origins, one connection each."""

    def __init__(self, most_bytes: int, origins: Collection[str] = DISCORD) -> None:
        self._most_bytes = most_bytes
        self._origins = frozenset(origins)

    def check(self, url: str, size: int) -> None:
        """Raise UnreadableFile for a file that is not to be fetched at all."""
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" not in self._origins:
            raise UnreadableFile(ELSEWHERE, is_refused=True)
        if size > self._most_bytes:
            raise UnreadableFile(TOO_LARGE, is_refused=True)

    async def fetch(self, url: str, size: int) -> bytes:
        """Return a file's bytes as they are sent: none is unpacked to more than was counted.

        Raises UnreadableFile or DownloadFailed.
        """
        self.check(url, size)
        import aiohttp  # where no attachment comes, nobody waits for it

        timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
        try:
            async with (
                aiohttp.ClientSession(
                    timeout=timeout, auto_decompress=False, headers={"Accept-Encoding": "identity"}
                ) as session,
                session.get(url, allow_redirects=False) as response,
            ):
                if response.status in (403, 404, 410):  # the address has expired
                    raise UnreadableFile(GONE)
                if response.status != 200:
                    raise DownloadFailed
                return await self._body(response)
        except (TimeoutError, aiohttp.ClientError, OSError):
            raise DownloadFailed from None

    async def _body(self, response: "aiohttp.ClientResponse") -> bytes:
        found = bytearray()
        async for piece in response.content.iter_chunked(PIECE):
            found += piece
            if len(found) > self._most_bytes:
                raise UnreadableFile(TOO_LARGE, is_refused=True)
        return bytes(found)
