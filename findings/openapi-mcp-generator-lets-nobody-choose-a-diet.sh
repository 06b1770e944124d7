#!/bin/sh
# openapi-mcp-generator 4.0.1 (npm, Node 20; its schemas judged with @cfworker/json-schema 4.1.1), which writes an MCP server from the description of an
# API. A parameter that is one of some words or null, in the way that OpenAPI 3.0 has for it, must be null and one of the
# words at once: no value fits, and the model that names a diet, or none by null, is refused. Whole numbers of parameters
# become numbers, so that half a member is a valid id.
# Source: its README ("Converts any OpenAPI 3.0+ spec into an MCP-compatible server", "Zod schemas from OpenAPI definitions
# for runtime input validation"); OpenAPI 3.0.3, "nullable", and its clarification of 2019, that allOf with one reference
# is how it is said of a reference; MCP 2025-11-25: inputSchema is JSON Schema. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "openapi-mcp-generator@4.0.1" "@cfworker/json-schema@4.1.1" >>npm.log 2>&1
cat >club.json <<'JSON'
{
  "openapi": "3.0.3",
  "info": {"title": "Club", "version": "1"},
  "servers": [{"url": "http://127.0.0.1:9"}],
  "paths": {
    "/members/{id}": {
      "put": {
        "operationId": "setMember",
        "parameters": [
          {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
          {"name": "diet", "in": "query", "schema": {
            "nullable": true, "allOf": [{"$ref": "#/components/schemas/Diet"}]}}
        ],
        "responses": {"200": {"description": "Done"}}
      }
    }
  },
  "components": {"schemas": {"Diet": {"type": "string", "enum": ["vegan", "any"]}}}
}
JSON
node_modules/.bin/openapi-mcp-generator --input club.json --output made >>npm.log 2>&1
cat >judge.cjs <<'JS'
const { readFileSync } = require("node:fs");
const { Validator } = require("@cfworker/json-schema");

const line = readFileSync("made/src/index.ts", "utf8").split("\n").find((line) => line.includes("inputSchema: {"));
const schema = JSON.parse(line.trim().replace("inputSchema: ", "").replace(/,$/, ""));
console.log("diet:", JSON.stringify(schema.properties.diet));
const judge = new Validator(schema, "2020-12");
for (const call of [{ id: 1 }, { id: 1, diet: "vegan" }, { id: 1, diet: null }, { id: 1.5 }]) {
  console.log(JSON.stringify(call), judge.validate(call).valid ? "fits" : "is refused");
}
JS
node judge.cjs | tee seen
cat >expected <<'TEXT'
diet: {"allOf":[{"type":"string","enum":["vegan","any"]}],"type":"null"}
{"id":1} fits
{"id":1,"diet":"vegan"} is refused
{"id":1,"diet":null} is refused
{"id":1.5} fits
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
