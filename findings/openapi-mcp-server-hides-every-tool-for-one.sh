#!/bin/sh
# @ivotoby/openapi-mcp-server 1.16.1 (npm, Node 20), which makes a tool of each operation of an API. One operation with a body of two
# shapes and a parameter gets a schema without a type, and with that one in the list no client has any tool: the SDKs of
# the protocol, in TypeScript (1.30.0) as well as in Python (2.3.0), refuse the whole answer. A parameter that is one of
# some words, or nothing, is listed as an object that is one of these words, so that no value fits.
# Source: MCP 2025-11-25, "Tools": inputSchema is of type "object"; its README ("exposes OpenAPI endpoints as tools");
# OpenAPI 3.0.3, where allOf with one reference is how nullable or a description is added to it. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "@ivotoby/openapi-mcp-server@1.16.1" "@modelcontextprotocol/sdk@1.30.0" >>npm.log 2>&1
cat >make.py <<'PY'
import json
import sys

day = {"type": "object", "required": ["day"], "properties": {"day": {"type": "string", "format": "date"}}}
weekday = {"type": "object", "required": ["weekday"], "properties": {"weekday": {"type": "string"}}}
diet = {"allOf": [{"$ref": "#/components/schemas/Diet"}], "nullable": True}
done = {"responses": {"200": {"description": "Done"}}}
number = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
paths = {
    "/members": {
        "get": {"operationId": "listMembers", "parameters": [{"name": "diet", "in": "query", "schema": diet}], **done}
    }
}
if sys.argv[1:]:
    body = {"content": {"application/json": {"schema": {"oneOf": [day, weekday]}}}}
    paths["/events/{id}"] = {"put": {"operationId": "setEvent", "parameters": [number], "requestBody": body, **done}}
schemas = {"Diet": {"type": "string", "enum": ["vegan", "any"]}}
info = {"title": "Club", "version": "1"}
print(json.dumps({"openapi": "3.0.3", "info": info, "paths": paths, "components": {"schemas": schemas}}))
PY
python3 make.py >one.json
python3 make.py more >two.json
cat >list.mjs <<'JS'
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

for (const file of ["one.json", "two.json"]) {
  const args = ["--api-base-url", "http://127.0.0.1:9", "--openapi-spec", file];
  const command = "node_modules/.bin/openapi-mcp-server";
  const client = new Client({ name: "finding", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
  try {
    for (const tool of (await client.listTools()).tools) {
      const { type, properties, enum: words } = tool.inputSchema.properties.diet;
      console.log(file, tool.name, "diet:", JSON.stringify({ type, properties, enum: words }));
    }
  } catch (error) {
    const [{ path, message }] = error.issues;
    console.log(file, path.join("."), message);
  }
  await client.close();
}
JS
node list.mjs | tee seen
cat >expected <<'TEXT'
one.json lst-members diet: {"type":"object","properties":{},"enum":["vegan","any"]}
two.json tools.1.inputSchema.type Invalid input: expected "object"
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
