#!/bin/sh
# openai-api-mock 0.4.0 with openai 6.9.1 (npm, Node 20), a mock of OpenAI's API for tests. With a seed the second answer to the same
# question is not the first one, and JSON.stringify of the two, which its README says is equal, is not. Arguments of a tool
# call do not fit the tool: a whole number is a Latin word, one of two words is a sentence, a list of numbers holds five
# nulls. The result of a tool is answered by calling the tool again, each time, and "tool_choice": "none" by a call too; two
# choices are one, and asked for JSON it gives a sentence.
# Source: its README ("Multiple calls will return identical responses", "response1 and response2 will be identical ...
# true", "full API compatibility"); OpenAI's reference of chat completions (tool_choice, n, response_format). Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "openai-api-mock@0.4.0" "openai@6.9.1" >>npm.log 2>&1
cat >ask.mjs <<'JS'
import OpenAI from "openai";
import { mockOpenAIResponse } from "openai-api-mock";

mockOpenAIResponse(true, { seed: 12345 });
const openai = new OpenAI({ apiKey: "none", maxRetries: 0 });
const hello = { role: "user", content: "Hello" };
const ask = (more = {}) => openai.chat.completions.create({ model: "gpt-4o-mini", messages: [hello], ...more });
const first = await ask();
const second = await ask();
console.log("the second answer is the first:", first.choices[0].message.content === second.choices[0].message.content);

const properties = {
  minutes: { type: "integer" },
  how: { type: "string", enum: ["here", "by message"] },
  ids: { type: "array", items: { type: "integer" } },
};
const tools = [{ type: "function", function: { name: "remind", parameters: { type: "object", properties } } }];
const { message } = (await ask({ tools })).choices[0];
const { minutes, how, ids } = JSON.parse(message.tool_calls[0].function.arguments);
console.log("minutes:", typeof minutes, "how:", properties.how.enum.includes(how), "ids:", JSON.stringify(ids));
const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: "done" };
console.log("after the result:", (await ask({ tools, messages: [hello, message, result] })).choices[0].finish_reason);
console.log("tool_choice none:", (await ask({ tools, tool_choice: "none" })).choices[0].finish_reason);
console.log("two choices:", (await ask({ n: 2 })).choices.length);
const text = (await ask({ response_format: { type: "json_object" } })).choices[0].message.content;
console.log("asked for JSON:", text.startsWith("{") ? "an object" : "a sentence");
JS
node ask.mjs | tee seen
cat >expected <<'TEXT'
the second answer is the first: false
minutes: string how: false ids: [null,null,null,null,null]
after the result: tool_calls
tool_choice none: tool_calls
two choices: 1
asked for JSON: a sentence
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
