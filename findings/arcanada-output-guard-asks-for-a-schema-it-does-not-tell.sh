#!/bin/sh
# arcanada-output-guard 0.1.3 (PyPI, CPython 3.11, pydantic 2.12.5), which repairs structured answers of models and asks again for what
# does not fit. Its second question says that the answer must match "the schema exactly" and has a place for the schema, which
# guarded_generate() never fills: a model that is asked for Ada's age and answers "31 years" reads what was wrong and not what is wanted.
# The talk so far stands in that question as text and is handed on as history as well, so that each try is told three times. A model that
# was busy once is not asked again: every error of a call ends it at the first try, of three. The README's example of all this is a
# TypeError. Words in texts are changed, also in an answer that is valid as it is: "None of us saw True Grit" becomes "null of us saw
# true Grit".
# Source: its README ("Validate, repair, and retry", guarded_generate with fmt="json"); guarded_generate.py, retry_prompt.py and
# strategies/fix_booleans.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "arcanada-output-guard==0.1.3" "pydantic==2.12.5"
cd "$folder"
venv/bin/python - >seen <<'PY'
import asyncio

from output_guard import GuardedGenerateOptions, GuardedGenerationError, guarded_generate, repair
from pydantic import BaseModel, Field


class Person(BaseModel):
    age: int = Field(description="In whole years, a number.")


prompts, histories = [], []
answers = ['{"age": "31 years"}', '{"age": 31}']


async def model(prompt, history=None):
    prompts.append(prompt)
    histories.append(list(history or []))
    return answers[len(prompts) - 1]


async def busy(prompt, history=None):
    prompts.append(prompt)
    raise ConnectionError("busy")


question = 'How old is Ada? Return JSON.'
result = asyncio.run(guarded_generate(GuardedGenerateOptions(model, question, "json", Person)))
print("after two questions:", result.data)
second = prompts[1]
print("the second says 'matches the schema exactly':", "matches the schema exactly" in second,
      "and tells the schema:", "whole years" in second or "Expected schema" in second)
told = second.count("31 years") + sum("31 years" in message.content for message in histories[1])
print("the first answer is told", told, "times")
prompts.clear()
try:
    asyncio.run(guarded_generate(GuardedGenerateOptions(busy, question, "json", Person, max_retries=3)))
except GuardedGenerationError as error:
    print("busy, asked:", len(prompts), error)
try:
    GuardedGenerateOptions(generate=model, prompt=question, schema=Person, fmt="json", max_retries=3)
except TypeError as error:
    print("the README's example:", error)
print(repair('{"said": "None of us saw True Grit",}', "json").data, repair('{"said": "None of us saw True Grit"}', "json").data)
PY
cat seen
cat >expected <<'TEXT'
after two questions: age=31
the second says 'matches the schema exactly': True and tells the schema: False
the first answer is told 3 times
busy, asked: 1 Generation failed on attempt 0: busy
the README's example: GuardedGenerateOptions.__init__() got an unexpected keyword argument 'fmt'
{'said': 'null of us saw true Grit'} {'said': 'null of us saw true Grit'}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
