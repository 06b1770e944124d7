#!/bin/sh
# modprompt 0.3.6 (npm, Node 20), templates of prompts for language models. It writes the question over the first "{prompt}" of the
# whole text, also if that stands in the system message or in what somebody said before: after a talk about templates the
# new question stands in the old one, and where it belongs the model reads "{prompt}". In the question "$$" is "$", as in
# a pattern of JavaScript's replace(). The turns of its ChatML, before the last one, have no line break between them
# and a blank before their end, which the format does not have. system(), which the README calls, is no function.
# Source: its README ("replaces {prompt} by the provided text", tpl.system("...")); prompt() in dist/mod.es.mjs, which
# calls this.render().replace("{prompt}", msg); OpenAI's description of ChatML, where each message ends with
# "<|im_end|>" and a line break. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >npm.log
npm install --silent --no-audit --no-fund "modprompt@0.3.6" >>npm.log 2>&1
cat >talk.mjs <<'JS'
import { PromptTemplate } from "modprompt";

const talk = new PromptTemplate("chatml").replaceSystem("You help with templates.");
talk.pushToHistory({ user: "What is {prompt} for?", assistant: "For what is asked." });
console.log(JSON.stringify(talk.prompt("When is the party?")));
console.log(JSON.stringify(new PromptTemplate("alpaca").prompt("I owe Ben $$5").split("\n").at(-3)));
console.log("system() is a function:", typeof talk.system === "function");
JS
node talk.mjs | tee seen
cat >expected <<'TEXT'
"<|im_start|>system\nYou help with templates.\n<|im_end|>\n<|im_start|>user\nWhat is When is the party? for?<|im_end|>\n<|im_start|>assistant\nFor what is asked. <|im_end|><|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n"
"I owe Ben $5"
system() is a function: false
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
