"""Serves the tools to the agents of MCP_TOKENS on a loopback address, or to one on stdin."""

import asyncio
import json
import logging
import socket
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)
from pydantic import AnyHttpUrl

from cogs.mcp_server.agent_tools import SCHEMAS, AgentTools
from cogs.mcp_server.grants import NO_TOKENS, AgentRefused, Grant, Grants
from cogs.mcp_server.readers import AgentReaders
from utils.app import App
from utils.common.errors import KithError, SettingsError, unexpected_error_message
from utils.common.program import VERSION
from utils.runtime.stopping import closed_after, on_signals

HOST = "127.0.0.1"
SERVING = "Agents reach memory at {url} with their tokens (MCP_TOKENS). Ctrl-C ends this."

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class _Tokens:
    """Checks bearer tokens for the ``mcp`` package."""

    _grants: Grants

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return who an agent is, if its token is one of MCP_TOKENS."""
        grant = self._grants.of(token)
        if grant is None:
            return None
        return AccessToken(
            token=token,
            client_id=f"{grant.guild_id}/{grant.user_id or 'everyone'}",
            scopes=[],
            claims={"guild": grant.guild_id, "user": grant.user_id},
        )


def memory_server(tools: AgentTools, grant_of: Callable[[], Grant]) -> Server:
    """Return a server of the tools; ``grant_of`` says who asks."""

    async def list_tools(
        _: ServerRequestContext, __: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(
            tools=[
                Tool(name=name, description=SCHEMAS[name][0], input_schema=SCHEMAS[name][1])
                for name in tools.names(grant_of())
            ]
        )

    async def call_tool(_: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
        try:
            result = await tools.run(grant_of(), params.name, params.arguments or {})
        except (KithError, AgentRefused) as error:
            return CallToolResult(content=[TextContent(text=str(error))], is_error=True)
        except Exception as error:
            text = unexpected_error_message(error)
            return CallToolResult(content=[TextContent(text=text)], is_error=True)
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        return CallToolResult(content=[TextContent(text=text)])

    return Server("kith", version=VERSION, on_list_tools=list_tools, on_call_tool=call_tool)


async def serve_stdio(app: App, grant: Grant) -> None:
    """Serve one agent on standard input and output until it leaves."""
    async with closed_after(AgentReaders(app)) as readers:
        server = memory_server(AgentTools(app, readers), lambda: grant)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())


async def serve_http(app: App, write: Callable[[str], None]) -> None:
    """Serve the agents of MCP_TOKENS until SIGINT or SIGTERM. Raises SettingsError."""
    secret = app.settings.mcp_tokens
    if secret is None:
        raise SettingsError(NO_TOKENS)
    grants, readers = Grants(secret.get_secret_value()), AgentReaders(app)
    try:
        listener = socket.create_server((HOST, app.settings.mcp_port))
    except OSError as error:
        raise SettingsError(
            "{host} port {port} cannot be used ({reason}): set MCP_PORT in .env to a free one.",
            host=HOST,
            port=app.settings.mcp_port,
            reason=error.strerror or type(error).__name__,
        ) from None
    url = f"http://{HOST}:{listener.getsockname()[1]}"
    server = memory_server(AgentTools(app, readers), _grant_of_request)
    web = server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        auth=AuthSettings(issuer_url=AnyHttpUrl(url), resource_server_url=None),
        token_verifier=_Tokens(grants),
    )
    program = uvicorn.Server(uvicorn.Config(web, log_config=None, access_log=False))
    program.capture_signals = nullcontext  # type: ignore[assignment, method-assign]
    stopping = asyncio.Event()
    on_signals(stopping.set)
    serving = asyncio.create_task(program.serve([listener]), name="MCP server")
    try:
        write(SERVING.format(url=f"{url}/mcp"))
        await asyncio.wait(
            {serving, asyncio.ensure_future(stopping.wait())}, return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        program.should_exit = True
        await serving
        listener.close()
        await readers.close()


def _grant_of_request() -> Grant:
    token = get_access_token()
    if token is None or token.claims is None:
        raise KithError
    return Grant(token.claims["guild"], token.claims["user"])
