"""A web site on the loopback that answers each path with the bytes that a test chose."""

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

Respond = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def page(
    body: bytes | str,
    content_type: str = "text/html; charset=utf-8",
    *headers: str,
    status: int = 200,
) -> bytes:
    """A whole response."""
    data = body.encode() if isinstance(body, str) else body
    head = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {content_type}", *headers]
    return "\r\n".join([*head, f"Content-Length: {len(data)}", "", ""]).encode() + data


def redirect(to: str, status: int = 302) -> bytes:
    """A response that leads elsewhere."""
    return page("", "text/html", f"Location: {to}", status=status)


class FakeSite:
    """Answers with ``responses``, by path; ``requests`` are the heads of what was asked for."""

    def __init__(self) -> None:
        self.responses: dict[str, bytes | Respond] = {}
        self.requests: list[str] = []
        self.port = 0

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        return "127.0.0.1", self.port

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """Return the address of a path, under a name of the site."""
        return f"http://{host}:{self.port}{path}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.requests.append(head)
            response = self.responses.get(head.split()[1], page("gone", status=404))
            if isinstance(response, bytes):
                writer.write(response)
                await writer.drain()
            else:
                await response(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):  # the other side has had enough
            pass
        finally:
            writer.close()
