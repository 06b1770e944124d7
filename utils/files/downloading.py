"""Download attachments: only from Discord's CDN, and only up to a size limit."""

from collections.abc import Collection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from utils.files.unreadable import UnreadableFile

if TYPE_CHECKING:
    from aiohttp import ClientResponse

DISCORD = frozenset({"https://cdn.discordapp.com", "https://media.discordapp.net"})
TIMEOUT_S = 30.0
CHUNK_SIZE = 65_536

ELSEWHERE = "it is not stored by Discord"
GONE = "Discord no longer has it"
TOO_LARGE = "it is too large"


class DownloadFailed(Exception):
    """Discord did not answer in time; a later retry can help."""


class Downloader:
    """Downloads files of at most ``max_bytes`` from certain origins, one connection each."""

    def __init__(self, max_bytes: int, origins: Collection[str] = DISCORD) -> None:
        self._max_bytes = max_bytes
        self._origins = frozenset(origins)

    def check(self, url: str, size: int) -> None:
        """Raise UnreadableFile for a file that may not be downloaded."""
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" not in self._origins:
            raise UnreadableFile(ELSEWHERE, is_refused=True)
        if size > self._max_bytes:
            raise UnreadableFile(TOO_LARGE, is_refused=True)

    async def fetch(self, url: str, size: int) -> bytes:
        """Return a file's bytes as sent: nothing is decompressed, so the size limit holds.

        Raises UnreadableFile or DownloadFailed.
        """
        self.check(url, size)
        import aiohttp  # imported with the first attachment

        timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
        try:
            async with (
                aiohttp.ClientSession(
                    timeout=timeout, auto_decompress=False, headers={"Accept-Encoding": "identity"}
                ) as session,
                session.get(url, allow_redirects=False) as response,
            ):
                if response.status in (403, 404, 410):  # the URL has expired
                    raise UnreadableFile(GONE)
                if response.status != 200:
                    raise DownloadFailed
                return await body_of(response, self._max_bytes, is_refused=True)
        except (TimeoutError, aiohttp.ClientError, OSError):
            raise DownloadFailed from None


async def body_of(response: "ClientResponse", max_bytes: int, *, is_refused: bool = False) -> bytes:
    """Return a response's body. Raises UnreadableFile as soon as it has more bytes."""
    body = bytearray()
    async for chunk in response.content.iter_chunked(CHUNK_SIZE):
        body += chunk
        if len(body) > max_bytes:
            raise UnreadableFile(TOO_LARGE, is_refused=is_refused)
    return bytes(body)
