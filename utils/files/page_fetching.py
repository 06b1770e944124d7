"""Fetch a web page that a member names: from public addresses only, and within limits.

Every connection is made to an address that was checked when its socket was opened. So a name that
resolves differently the second time, or an address in any spelling, reaches nothing private.
"""

import asyncio
import socket
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Any

from utils.common.program import VERSION
from utils.files.downloading import body_of
from utils.files.unreadable import UnreadableFile
from utils.files.web_pages import NOT_TEXT

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession
    from aiohttp.abc import AbstractResolver
    from yarl import URL

USER_AGENT = f"Kith/{VERSION} (Discord bot; reads a page when a member asks about its link)"
HTML = ("text/html", "application/xhtml+xml")
PLAIN = ("text/plain", "text/markdown")
PORTS = frozenset({80, 443})
MAX_BYTES = 2_000_000
MAX_REDIRECTS = 1
REDIRECTS = frozenset({301, 302, 303, 307, 308})
TIME_LIMIT_S = 10.0

NOT_A_PAGE = "its address is not that of a public web page"
NOT_PUBLIC = "its address does not belong to the public internet"
UNREACHABLE = "its site could not be reached"
TOO_SLOW = "its site did not answer in time"
BAD_ANSWER = "its site gave an answer that I do not understand"
ERROR_STATUS = "its site answered with an error ({status})"
COMPRESSED = "its site sent it compressed, which I do not read"
OTHER_SITE = "it leads to another site, which I do not follow; its own link can be sent to me"
REDIRECTED = "it leads from one address to the next"

# Global unicast; 6to4 and Teredo addresses have an IPv4 address in them.
_PUBLIC_IPV6 = IPv6Network("2000::/3")
_TUNNELS = (IPv6Network("2001::/32"), IPv6Network("2002::/16"))


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page as its site sent it.

    ``host`` is ASCII, also of a name in other letters. ``charset`` is what the site says, or empty.
    """

    host: str
    data: bytes
    is_html: bool
    charset: str = ""


class PageFetcher:
    """Fetches pages of at most MAX_BYTES, one connection each, without cookies.

    Args:
        allowed: addresses with a port that may be reached besides public ones: a test's server.
        own_hosts: hosts of the dashboard, whose one-time links are not for Kith.
        resolver: answers what addresses a name has, instead of the system.
    """

    def __init__(
        self,
        allowed: Collection[tuple[str, int]],
        *,
        own_hosts: Collection[str] = (),
        time_limit_s: float = TIME_LIMIT_S,
        resolver: "AbstractResolver | None" = None,
    ) -> None:
        self._allowed = frozenset(allowed)
        self._own_hosts = frozenset(own_hosts)
        self._ports = PORTS.union(port for _, port in self._allowed)
        self._time_limit_s = time_limit_s
        self._resolver = resolver

    async def fetch(self, url: str) -> WebPage:
        """Return a page. Raises UnreadableFile with the reason."""
        import aiohttp  # imported with the first page

        refused: list[str] = []
        connector = aiohttp.TCPConnector(
            resolver=self._resolver,
            socket_factory=lambda info: self._open_socket(info, refused),
            use_dns_cache=False,
            force_close=True,
        )
        try:
            async with (
                asyncio.timeout(self._time_limit_s),
                aiohttp.ClientSession(
                    connector=connector,
                    cookie_jar=aiohttp.DummyCookieJar(),
                    auto_decompress=False,
                    headers={"Accept-Encoding": "identity", "User-Agent": USER_AGENT},
                ) as session,
            ):
                return await self._follow(session, self._checked(url))
        except TimeoutError:
            raise UnreadableFile(TOO_SLOW) from None
        except (aiohttp.ClientConnectionError, OSError):
            if refused:
                raise UnreadableFile(NOT_PUBLIC, is_refused=True) from None
            raise UnreadableFile(UNREACHABLE) from None
        except aiohttp.InvalidURL:  # also addresses in old spellings, such as 127.1
            raise UnreadableFile(NOT_A_PAGE, is_refused=True) from None
        except (aiohttp.ClientError, ValueError):
            raise UnreadableFile(BAD_ANSWER) from None

    def _checked(self, url: str) -> "URL":
        """Return an address that may be asked for. Raises UnreadableFile for any other."""
        from yarl import URL

        try:
            address = URL(url)
            is_plain = address.user is None and address.password is None
            is_page = address.scheme in ("http", "https") and bool(address.host)
            is_own = (address.raw_host or "").rstrip(".") in self._own_hosts
            if is_plain and is_page and not is_own and address.port in self._ports:
                return address.with_fragment(None)
        except ValueError:
            pass
        raise UnreadableFile(NOT_A_PAGE, is_refused=True)

    def _open_socket(self, info: tuple[Any, ...], refused: list[str]) -> socket.socket:
        """Open a socket for an address that may be reached. Raises OSError for any other."""
        family, kind, protocol, _, (host, port, *_) = info
        if not is_public(host) and (host, port) not in self._allowed:
            refused.append(host)
            raise OSError(NOT_PUBLIC)
        return socket.socket(family=family, type=kind, proto=protocol)

    async def _follow(self, session: "ClientSession", address: "URL") -> WebPage:
        from yarl import URL

        for _ in range(MAX_REDIRECTS + 1):
            async with session.get(address, allow_redirects=False) as response:
                if response.status not in REDIRECTS:
                    return await _page(response)
                location = response.headers.get("Location")
                if not location:
                    raise UnreadableFile(BAD_ANSWER)
                target = self._checked(str(address.join(URL(location))))
            if target.host != address.host or (address.scheme, target.scheme) == ("https", "http"):
                raise UnreadableFile(OTHER_SITE)
            address = target
        raise UnreadableFile(REDIRECTED)


def is_public(host: str) -> bool:
    """Whether an address, as text, is one of the public internet."""
    address: IPv4Address | IPv6Address = ip_address(host.partition("%")[0])
    if isinstance(address, IPv6Address):
        is_tunnel = any(address in network for network in _TUNNELS)
        if address not in _PUBLIC_IPV6 or is_tunnel:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


async def _page(response: "ClientResponse") -> WebPage:
    """Return a page from its response; a compressed response is refused. Raises UnreadableFile."""
    if response.status != 200:
        raise UnreadableFile(ERROR_STATUS.format(status=response.status))
    if response.content_type not in (*HTML, *PLAIN):
        raise UnreadableFile(NOT_TEXT, is_refused=True)
    if response.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise UnreadableFile(COMPRESSED)
    body = await body_of(response, MAX_BYTES)
    is_html = response.content_type in HTML
    return WebPage(response.url.raw_host or "", body, is_html, response.charset or "")
