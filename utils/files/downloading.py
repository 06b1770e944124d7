"""Download attachments: only from Discord's CDN, and only up to a size limit."""

from collections.abc import Collection
from urllib.parse import urlsplit

from utils.files.unreadable import UnreadableFile

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
                body = bytearray()
                async for chunk in response.content.iter_chunked(CHUNK_SIZE):
                    body += chunk
                    if len(body) > self._max_bytes:
                        raise UnreadableFile(TOO_LARGE, is_refused=True)
                return bytes(body)
        except (TimeoutError, aiohttp.ClientError, OSError):
            raise DownloadFailed from None
