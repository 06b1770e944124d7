#!/bin/sh
# @ai-devkit/memory 0.20.1 (npm, Node 20), an MCP server that keeps knowledge for agents. It starts only if the name it
# was started by is the very path of its file. npm links a program's name to that file, and with the link Node names
# the link: so its own command, and the "npx" of its README, end at once with success, without a server, and a client
# hears only that the connection closed. With "node" and the path of the file it answers.
# Source: its README ("command": "npx", "args": ["@ai-devkit/memory"]); npm's documentation of "bin" in package.json (a
# symbolic link) and Node's of process.argv; dist/index.js of the package. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --ignore-scripts --omit=optional "@ai-devkit/memory@0.20.1"
client='"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"finding","version":"1"}'
start() { # start NAME COMMAND..., ask for the handshake, and say what is answered within five seconds
    name=$1
    shift
    code=0
    { echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{$client}}" && sleep 5; } |
        HOME=$folder timeout 30 "$@" >answer 2>words || code=$?
    server=$(grep -o '"serverInfo":{"name":"[^"]*"' answer || echo nothing)
    echo "$name: $server, code $code" | tee -a seen
}
start "its command" node_modules/.bin/ai-devkit-memory
start "npx" npx --no-install @ai-devkit/memory
start "node and its file" node node_modules/@ai-devkit/memory/dist/index.js
cat >expected <<'TEXT'
its command: nothing, code 0
npx: nothing, code 0
node and its file: "serverInfo":{"name":"ai-devkit-memory", code 0
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
