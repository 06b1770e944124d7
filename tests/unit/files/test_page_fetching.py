"""Fetching pages: hostile addresses, names and sites, against one real site on the loopback."""

import gzip
import socket
from functools import partial

import pytest
from aiohttp import ThreadedResolver
from aiohttp.abc import AbstractResolver

from tests.fakes.site import FakeSite, page, redirect
from utils.files import downloading, page_fetching
from utils.files.page_fetching import PageFetcher
from utils.files.unreadable import UnreadableFile

PATIENCE_S = 60.0  # no test waits for it
PRIVATE = [
    *("127.0.0.1", "localhost", "LOCALHOST", "localhost.", "127.1", "2130706433", "0x7f000001"),
    *("0x7f.0.0.1", "0177.0.0.1", "0.0.0.0", "127.0.0.2", "10.0.0.1", "172.16.0.1", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("１２７.０.０.１", "①②⑦.0.0.1", "127。0。0。1"),
    *("[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[fe80::1]"),
    *("[fd00::1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::a00:1]", "[2002:7f00:1::]", "[ff02::1]"),
    *("[2001:0:7f00:1::1]", "[2001:db8::1]", "[fec0::1]"),
    *("inside.example", "mixed.example", "xn--bcher-kva.example", "bücher.example"),
]
NAMES = {
    "site.example": ["127.0.0.1"],
    "other.example": ["127.0.0.1"],
    "localhost": ["127.0.0.1"],
    "localhost.": ["127.0.0.1"],
    "inside.example": ["10.0.0.7"],
    "mixed.example": ["10.0.0.7", "fd00::7"],
    "xn--bcher-kva.example": ["192.168.7.7"],
}


class FakeNames(AbstractResolver):
    """Answers for names of NAMES, once each from ``next_answers`` if they have any there; a host
    that is an address in disguise is left to the system, which asks nobody about it."""

    def __init__(self) -> None:
        self.next_answers: dict[str, list[list[str]]] = {}

    async def resolve(self, host, port=0, family=socket.AF_INET):
        answers = self.next_answers.get(host)
        addresses = answers.pop(0) if answers else NAMES.get(host)
        if addresses == []:
            raise OSError("Name or service not known")
        if addresses is None:
            return await ThreadedResolver().resolve(host, port, family)
        return [
            {
                "hostname": host,
                "host": address,
                "port": port,
                "family": socket.AF_INET6 if ":" in address else socket.AF_INET,
                "proto": 0,
                "flags": socket.AI_NUMERICHOST,
            }
            for address in addresses
        ]

    async def close(self):
        pass


@pytest.fixture
async def site():
    async with FakeSite() as opened:
        yield opened


@pytest.fixture
def names():
    return FakeNames()


@pytest.fixture
def fetcher(site, names):
    return PageFetcher([site.address], resolver=names, time_limit_s=PATIENCE_S)


async def why_not(fetcher, url):
    with pytest.raises(UnreadableFile) as refused:
        await fetcher.fetch(url)
    return str(refused.value)


async def test_a_page_is_fetched_under_its_name_and_kith_says_who_asks(site, fetcher):
    site.responses["/a?b=1"] = page("<p>Grüße", "text/html; charset=UTF-8")
    fetched = await fetcher.fetch(site.url("/a?b=1#part", "site.example"))
    assert (fetched.data.decode(), fetched.is_html, fetched.charset) == ("<p>Grüße", True, "UTF-8")
    assert fetched.host == "site.example"
    (head,) = site.requests
    assert "User-Agent: Kith/" in head
    assert "Cookie" not in head
    site.responses["/plain"] = page("hello", "text/plain")
    assert not (await fetcher.fetch(site.url("/plain"))).is_html


async def test_no_spelling_of_a_private_address_is_reached(site, names):
    """The port is allowed, of another address: each of these is refused for where it leads."""
    fetcher = PageFetcher([("192.0.2.1", site.port)], resolver=names, time_limit_s=PATIENCE_S)
    reasons = {host: await why_not(fetcher, site.url("/", host)) for host in PRIVATE}
    old_spellings = {host: reasons.pop(host) for host in ("127.1", "2130706433", "0177.0.0.1")}
    assert set(old_spellings.values()) <= {page_fetching.NOT_A_PAGE, page_fetching.NOT_PUBLIC}
    assert {h: why for h, why in reasons.items() if why != page_fetching.NOT_PUBLIC} == {}
    assert site.requests == []


async def test_only_web_addresses_without_names_and_on_usual_ports_are_asked_for(site, fetcher):
    at = f"127.0.0.1:{site.port}"
    for url in (
        *(f"ftp://{at}/", f"file://{at}/etc/passwd", "file:///etc/passwd", f"gopher://{at}/"),
        *("javascript:alert(1)", "data:text/html,hi", f"//{at}/", at, "", "http://", "http:///a"),
        *(f"http://user@{at}/", f"http://user:password@{at}/", f"http://:password@{at}/"),
        *(f"http://site.example@{at}/", f"http://{at}@site.example/", "http://127.0.0.1:22/"),
        *("http://127.0.0.1:99999/", "http://127.0.0.1:x/", "http://[::1/"),
    ):
        assert await why_not(fetcher, url) == page_fetching.NOT_A_PAGE, url
    own = PageFetcher([site.address], own_hosts=["127.0.0.1"], time_limit_s=PATIENCE_S)
    assert await why_not(own, site.url("/members/link/abc")) == page_fetching.NOT_A_PAGE
    assert site.requests == []


async def test_a_name_that_answers_differently_the_second_time_is_left(site, names, fetcher):
    site.responses["/"] = redirect("/again")
    names.next_answers["site.example"] = [["127.0.0.1"], ["127.0.0.9"]]
    assert await why_not(fetcher, site.url("/", "site.example")) == page_fetching.NOT_PUBLIC
    assert len(site.requests) == 1


async def test_one_redirect_on_the_same_host_is_followed_and_no_other(site, fetcher):
    site.responses |= {
        "/moved": redirect("/new"),
        "/new": page("<p>here"),
        "/elsewhere": redirect(f"http://other.example:{site.port}/new"),
        "/inside": redirect(f"http://10.0.0.7:{site.port}/"),
        "/file": redirect("file:///etc/passwd"),
        "/loop": redirect("/loop", status=307),
        "/twice": redirect("/moved", status=308),
        "/nowhere": page("", "text/html", status=301),
    }
    ask = site.url("", "site.example")
    assert (await fetcher.fetch(f"{ask}/moved")).data == b"<p>here"
    assert await why_not(fetcher, f"{ask}/elsewhere") == page_fetching.OTHER_SITE
    assert await why_not(fetcher, f"{ask}/inside") == page_fetching.OTHER_SITE
    assert await why_not(fetcher, f"{ask}/file") == page_fetching.NOT_A_PAGE
    assert await why_not(fetcher, f"{ask}/loop") == page_fetching.REDIRECTED
    assert await why_not(fetcher, f"{ask}/twice") == page_fetching.REDIRECTED
    assert await why_not(fetcher, f"{ask}/nowhere") == page_fetching.BAD_ANSWER
    assert all("Host: site.example" in head for head in site.requests)


async def endless(begin, more, _, writer):
    writer.write(b"HTTP/1.1 200 OK\r\n" + begin)
    while True:
        writer.write(more)
        await writer.drain()


HTML = b"Content-Type: text/html\r\n\r\n"


async def nothing_more(reader, _):
    await reader.read()  # until the other side hangs up


async def half(begin, reader, writer):
    writer.write(b"HTTP/1.1 200 OK\r\n" + begin)
    await reader.read()


async def test_a_hostile_site_costs_no_more_than_the_limits(site, fetcher):
    bomb = gzip.compress(b"<p>" + b"\0" * 10_000_000)
    hostile = {
        "/bomb": (page(bomb, "text/html", "Content-Encoding: gzip"), page_fetching.COMPRESSED),
        "/deflate": (page(bomb, "text/html", "Content-Encoding: br"), page_fetching.COMPRESSED),
        "/endless": (partial(endless, HTML, b"x" * 65_536), downloading.TOO_LARGE),
        "/large": (page(b"x" * 2_000_001), downloading.TOO_LARGE),
        "/headers": (partial(endless, b"", b"X-Filler: x\r\n" * 1000), page_fetching.BAD_ANSWER),
        "/line": (page("", "text/html", f"X-Long: {'x' * 100_000}"), page_fetching.BAD_ANSWER),
        "/no-http": (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", page_fetching.BAD_ANSWER),
        "/picture": (page(b"\x89PNG", "image/png"), page_fetching.NOT_TEXT),
        "/program": (page(b"MZ", "application/octet-stream"), page_fetching.NOT_TEXT),
        "/untyped": (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", page_fetching.NOT_TEXT),
        "/closed": (b"", page_fetching.UNREACHABLE),
        "/error": (page("oh", status=503), page_fetching.ERROR_STATUS.format(status=503)),
        "/gone": (page("oh", status=404), page_fetching.ERROR_STATUS.format(status=404)),
    }
    site.responses |= {path: response for path, (response, _) in hostile.items()}
    reasons = {path: await why_not(fetcher, site.url(path)) for path in hostile}
    assert reasons == {path: reason for path, (_, reason) in hostile.items()}


async def test_a_site_that_keeps_kith_waiting_is_given_up(site, names):
    impatient = PageFetcher([site.address], resolver=names, time_limit_s=0.05)
    site.responses |= {
        "/silent": nothing_more,
        "/half": partial(half, HTML + b"<p>"),
        "/header": partial(half, b"Content-Ty"),
    }
    for path in ("/silent", "/half", "/header"):
        assert await why_not(impatient, site.url(path)) == page_fetching.TOO_SLOW
