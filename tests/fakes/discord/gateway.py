"""The gateway socket: HELLO to READY, resuming, member chunks, and every session's events."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import zlib
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import discord
from aiohttp import WSMsgType, web

from . import events, payloads
from .journal import Journal
from .world import World

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT = 0, 1, 2, 3, 6, 7
REQUEST_MEMBERS, INVALID_SESSION, HELLO, ACK = 8, 9, 10, 11

MEMBERS_INTENT = discord.Intents(members=True).value
PRESENCES_INTENT = discord.Intents(presences=True).value
CONTENT_INTENT = discord.Intents(message_content=True).value


@dataclass(eq=False, slots=True)
class Connection:
    """One open socket and what is still to be written to it."""

    socket: web.WebSocketResponse
    request: web.Request
    outbox: asyncio.Queue[str | int] = field(default_factory=asyncio.Queue)
    session: Session | None = None
    closing: bool = False

    def send(
        self, op: int, data: Any = None, *, seq: int | None = None, event: str | None = None
    ) -> None:
        """Queue a frame."""
        self.outbox.put_nowait(json.dumps({"op": op, "d": data, "s": seq, "t": event}))

    def close(self, code: int) -> None:
        """Queue the closing frame behind what is already queued."""
        self.outbox.put_nowait(code)

    def abort(self) -> None:
        """Cut the line without a word."""
        if self.request.transport is not None:
            self.request.transport.abort()

    async def write(self) -> None:
        """Write frames in order until the socket is gone, as one zlib stream if asked for."""
        is_compressed = self.request.query.get("compress") == "zlib-stream"
        stream = zlib.compressobj(1)
        with contextlib.suppress(ConnectionError, RuntimeError):
            while True:
                frame = await self.outbox.get()
                if isinstance(frame, int):
                    self.closing = True
                    # Not close(): it cuts the line at once, and the client may see 1006.
                    await self.socket.send_frame(frame.to_bytes(2, "big"), WSMsgType.CLOSE)
                    return
                if is_compressed:
                    data = stream.compress(frame.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(data)
                else:
                    await self.socket.send_str(frame)


@dataclass(eq=False, slots=True)
class Session:
    """One identified client: a shard of a process. It outlives its connection, to be resumed."""

    id: str
    intents: int
    shard: tuple[int, int]
    world: World
    connection: Connection | None = None
    seq: int = 0
    sent: deque[tuple[int, str, Any]] = field(default_factory=lambda: deque(maxlen=10_000))
    resumed: int = 0
    ready: bool = False
    heartbeats: int = 0

    @property
    def reads_content(self) -> bool:
        """Tell whether the Message Content intent is on."""
        return bool(self.intents & CONTENT_INTENT)

    def covers(self, guild_id: int | None) -> bool:
        """Tell whether a server (None: direct messages) belongs to this shard."""
        shard_id, count = self.shard
        return shard_id == 0 if guild_id is None else (guild_id >> 22) % count == shard_id

    def dispatch(self, event: str, data: Any) -> None:
        """Send an event, or keep it for the resume."""
        self.seq += 1
        if self.world.sends_least:
            data = json.loads(json.dumps(data), object_hook=payloads.least)
        self.sent.append((self.seq, event, data))
        if self.connection is not None:
            self.connection.send(DISPATCH, data, seq=self.seq, event=event)


class Gateway:
    """All sessions; the world announces its changes here."""

    def __init__(
        self,
        world: World,
        journal: Journal,
        *,
        token: str,
        message_content: bool,
        members: bool,
        presences: bool,
        heartbeat_interval_ms: int = 41250,
    ) -> None:
        self._world = world
        self._journal = journal
        self.token = token
        self.message_content = message_content
        self.members = members
        self.presences = presences
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.url = ""
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        self.closed_with: list[int] = []
        self.identifies = 0
        self.accepting = True
        self.answering = True  # False: a socket is accepted and never answered
        world.announcers.append(self)

    # -- events ---------------------------------------------------------------

    def changed(self, event: str, subject: Any, **details: Any) -> None:
        """Send an event to every session that may see it."""
        for session in list(self.sessions.values()):
            data = events.for_session(event, subject, details, session)
            if data is not None:
                session.dispatch(event, data)

    def connected(self) -> list[Session]:
        """Return the sessions that are ready and have an open socket."""
        return [s for s in self.sessions.values() if s.ready and s.connection is not None]

    def rest_reads_content(self) -> bool:
        """Tell whether REST answers carry message content.

        Discord looks at the application's switch; the fake also hides it when no connected
        session asked for the intent.
        """
        live = self.connected()
        return self.message_content and (not live or any(session.reads_content for session in live))

    # -- the socket -----------------------------------------------------------

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one socket from HELLO to its end."""
        if not self.accepting:
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=0, compress=False, autoping=True)
        await socket.prepare(request)
        connection = Connection(socket, request)
        self.connections.add(connection)
        writer = asyncio.create_task(connection.write())
        if self.answering:
            connection.send(HELLO, {"heartbeat_interval": self.heartbeat_interval_ms})
        else:
            self._journal.note("gateway: a socket was accepted and gets no answer")
        try:
            async for frame in socket:
                if frame.type in (WSMsgType.TEXT, WSMsgType.BINARY) and self.answering:
                    self._received(connection, json.loads(frame.data))
        finally:
            self.connections.discard(connection)
            writer.cancel()
            self._disconnected(connection, None if connection.closing else socket.close_code)
        return socket

    def _disconnected(self, connection: Connection, code: int | None) -> None:
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection = None
        if code in (1000, 1001):
            self.sessions.pop(session.id, None)
        self._journal.note(f"gateway: session {session.id[:6]} disconnected with {code}")

    def _received(self, connection: Connection, frame: dict[str, Any]) -> None:
        op, data = frame.get("op"), frame.get("d")
        session = connection.session
        if op == HEARTBEAT:
            connection.send(ACK)
            if session is not None:
                session.heartbeats += 1
        elif op == IDENTIFY:
            self._identify(connection, data or {})
        elif op == RESUME:
            self._resume(connection, data or {})
        elif session is None:
            self._close(connection, 4003)
        elif op == REQUEST_MEMBERS:
            self._chunk(session, data or {})
        elif op == PRESENCE:
            self._journal.note(f"gateway: presence {data!r:.200}")
        elif op != 4:
            self._close(connection, 4001)

    def _close(self, connection: Connection, code: int) -> None:
        self.closed_with.append(code)
        self._journal.note(f"gateway: closing with {code}")
        connection.close(code)

    def _identify(self, connection: Connection, data: dict[str, Any]) -> None:
        intents = int(data.get("intents", 0))
        shard_id, count = data.get("shard") or (0, 1)
        refused = (
            (connection.session is not None, 4005),
            (str(data.get("token")).removeprefix("Bot ") != self.token, 4004),
            (not 0 <= shard_id < count, 4010),
            (intents & ~discord.Intents.all().value, 4013),
            (intents & MEMBERS_INTENT and not self.members, 4014),
            (intents & PRESENCES_INTENT and not self.presences, 4014),
            (intents & CONTENT_INTENT and not self.message_content, 4014),
        )
        for wrong, code in refused:
            if wrong:
                self._close(connection, code)
                return
        self.identifies += 1
        world = self._world
        session = Session(secrets.token_hex(16), intents, (shard_id, count), world, connection)
        connection.session = session
        self.sessions[session.id] = session
        guilds = [guild for guild in world.bot_guilds() if session.covers(guild.id)]
        ready = {
            "v": 10,
            "user": {
                **payloads.user(world.bot_user),
                "verified": True,
                "mfa_enabled": True,
                "flags": 0,
                "email": None,
            },
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.url,
            "shard": [shard_id, count],
            "application": {"id": str(world.application_id), "flags": self.application_flags()},
            "private_channels": [],
        }
        session.dispatch("READY", ready)
        for guild in guilds:
            if not guild.is_out:
                session.dispatch("GUILD_CREATE", payloads.guild(guild))
        session.ready = True
        self._journal.note(
            f"gateway: READY, shard {shard_id}/{count}, {len(guilds)} servers, intents {intents}"
        )

    def _resume(self, connection: Connection, data: dict[str, Any]) -> None:
        session = self.sessions.get(str(data.get("session_id")))
        if str(data.get("token")).removeprefix("Bot ") != self.token:  # Eris writes it in front
            self._close(connection, 4004)
            return
        if session is None or not isinstance(data.get("seq"), int) or data["seq"] > session.seq:
            self._journal.note("gateway: RESUME refused, session unknown")
            connection.send(INVALID_SESSION, False)
            return
        connection.session = session
        session.connection = connection
        missed = [sent for sent in session.sent if sent[0] > data["seq"]]
        for seq, event, kept in missed:
            connection.send(DISPATCH, kept, seq=seq, event=event)
        session.dispatch("RESUMED", {})
        session.resumed += 1
        self._journal.note(
            f"gateway: RESUMED session {session.id[:6]}, {len(missed)} events sent again"
        )

    def _chunk(self, session: Session, data: dict[str, Any]) -> None:
        """Answer REQUEST_GUILD_MEMBERS for the whole list, which needs the Members intent."""
        guild_id = data.get("guild_id")
        guild = self._world.guilds.get(
            int(guild_id[0] if isinstance(guild_id, list) else guild_id or 0)
        )
        if guild is None or self._world.bot_user.id not in guild.members:
            return
        assert not data.get("user_ids") and not data.get("query"), "Kith asks for nobody by name"
        if not session.intents & MEMBERS_INTENT:
            self._journal.note("gateway: the whole member list refused, the Members intent is off")
            return
        members = list(guild.members.values())
        parts = [members[i : i + 1000] for i in range(0, len(members), 1000)]
        for index, part in enumerate(parts):
            chunk = {
                "guild_id": str(guild.id),
                "members": [payloads.member(member) for member in part],
                "chunk_index": index,
                "chunk_count": len(parts),
                "not_found": [],
                "nonce": data.get("nonce"),
            }
            session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    def application_flags(self) -> int:
        """Return the application's flags: which privileged intents are switched on."""
        flags = discord.ApplicationFlags()
        flags.gateway_guild_members_limited = self.members
        flags.gateway_message_content_limited = self.message_content
        flags.gateway_presence_limited = self.presences
        return flags.value

    # -- misfortunes ----------------------------------------------------------

    def drop(self, code: int | None = None, *, forget: bool = False) -> None:
        """Cut every connection, silently or with a code; ``forget`` makes sessions unresumable."""
        for connection in list(self.connections):
            if forget and connection.session is not None:
                self.sessions.pop(connection.session.id, None)
            if code is None:
                connection.abort()
            else:
                self._close(connection, code)

    def ask_to_reconnect(self) -> None:
        """Send opcode 7 to every session."""
        for session in self.connected():
            assert session.connection is not None
            session.connection.send(RECONNECT)

    def repeat_last(self, event: str | None) -> None:
        """Send the last event (of a kind) to every session once more."""
        for session in self.connected():
            sent = [
                (name, data) for _, name, data in session.sent if event is None or name == event
            ]
            if sent:
                session.dispatch(*sent[-1])
        self._journal.note(f"gateway: last {event or 'event'} sent again")
