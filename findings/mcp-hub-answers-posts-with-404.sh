#!/bin/sh
# mcp-hub 4.2.1 (npm, Node 20), one address for many MCP servers: "Connect ANY MCP client", "Implements MCP 2025-03-26", "just
# one endpoint" /mcp. That address speaks the transport that 2025-03-26 replaced: a POST of "initialize", with which every
# client of that version and later begins, is 404 "Cannot POST /mcp" as HTML; only GET opens a stream, whose first event names
# another address, /messages?sessionId=... Whoever posts there is answered in the stream. The official client for streamable
# HTTP fails, the one for SSE, which is deprecated, works; the hub itself reaches its remote servers by streamable HTTP.
# Source: README of the package; modelcontextprotocol.io, 2025-03-26, "Transports": "This replaces the HTTP+SSE transport from
# protocol version 2024-11-05", and "The server MUST provide a single HTTP endpoint path that supports both POST and GET
# methods". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund "mcp-hub@4.2.1" "@modelcontextprotocol/sdk@1.32.2" "@modelcontextprotocol/server-memory@2026.8.31"
cat >ask.mjs <<'JS'
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const probe = createServer().listen(0, "127.0.0.1");
await once(probe, "listening");
const { port } = probe.address();
probe.close();
const memory = { command: "node", args: ["node_modules/@modelcontextprotocol/server-memory/dist/index.js"] };
memory.env = { MEMORY_FILE_PATH: `${process.cwd()}/memory.jsonl` };
writeFileSync("config.json", JSON.stringify({ mcpServers: { memory } }));
const env = { ...process.env, HOME: process.cwd() };
const hub = spawn("node", ["node_modules/mcp-hub/dist/cli.js", "--port", port, "--config", "config.json"], { env, stdio: "ignore" });
const url = new URL(`http://127.0.0.1:${port}/mcp`);
const seen = {};
try {
  for (let tries = 0; tries < 150; tries += 1) {
    try {
      const health = await (await fetch(`http://127.0.0.1:${port}/api/health`)).json();
      if (health.servers.some((server) => server.status === "connected")) break;
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "finding", version: "1" } };
  const posted = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  seen["POST initialize"] = `${posted.status} ${posted.headers.get("content-type").split(";")[0]}`;
  for (const [name, Transport] of [["streamable HTTP", StreamableHTTPClientTransport], ["SSE", SSEClientTransport]]) {
    const client = new Client(params.clientInfo);
    try {
      await client.connect(new Transport(url));
      seen[name] = `${(await client.listTools()).tools.length} tools`;
    } catch (error) {
      seen[name] = `fails, ${error.code}`;
    }
    await client.close();
  }
} finally {
  hub.kill();
}
for (const [what, outcome] of Object.entries(seen)) console.log(`${what}: ${outcome}`);
const expected = { "POST initialize": "404 text/html", "streamable HTTP": "fails, 404", SSE: "9 tools" };
if (JSON.stringify(seen) !== JSON.stringify(expected)) throw new Error("the behaviour has changed");
process.exit(0);
JS
node ask.mjs
