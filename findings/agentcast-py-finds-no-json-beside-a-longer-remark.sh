#!/bin/sh
# agentcast-py 0.1.0 (PyPI, CPython 3.11), which takes JSON out of what a model says and asks again if it does not fit. It
# looks for the longest brackets that close, and only then whether they are JSON. A remark in brackets that is longer
# than the answer, before or behind it, hides the answer: "No JSON could be extracted", and each further question, which
# shows the model its own right answer as a wrong one, fails likewise. Of two answers it takes the longer one, not the one
# that a model gave when it corrected itself. null, which is JSON, is none, and a field that may be left out may
# not be null, as endpoints with strict schemas write it.
# Source: its README ("extract_json: Pulls the largest valid JSON value out of arbitrary text", "prose, fenced JSON, or
# near-misses", "str?" in adapters.shape); _extract_largest_balanced in agentcast/extract.py of the wheel. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agentcast-py==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import asyncio

from agentcast import CastError, adapters, cast, extract_json

for text in (
    'Of Kim: {"diet": "vegan"}',
    'Of Kim [as she said yesterday]: {"diet": "vegan"}',
    '{"diet": "vegan"} (I left out {what Ben says of her})',
    '{"diet": "vegetarian"}\nNo, since June: {"diet": "vegan"}',
    "null",
):
    print(f"{text!r}: {extract_json(text)}")

shape = adapters.shape({"diet": "str", "age": "int?"})
print(shape({"diet": "vegan", "age": None}))

asked = []


def model(messages):
    asked.append(messages[-1]["content"].partition("\n")[0])
    return 'Of Kim [as she said yesterday]: {"diet": "vegan"}'


try:
    asyncio.run(cast(llm=model, validate=shape, prompt="What does Kim eat?", max_retries=2))
except CastError as error:
    print(error)
print(asked[-1])
PY
cat >expected <<'TEXT'
'Of Kim: {"diet": "vegan"}': {'diet': 'vegan'}
'Of Kim [as she said yesterday]: {"diet": "vegan"}': None
'{"diet": "vegan"} (I left out {what Ben says of her})': None
'{"diet": "vegetarian"}\nNo, since June: {"diet": "vegan"}': {'diet': 'vegetarian'}
'null': None
{'valid': False, 'error': "field 'age' should be int, got None"}
cast: failed validation after 3 attempts. Last error: No JSON could be extracted from the response.
Your previous response did not match the required shape. Error: No JSON could be extracted from the response.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
