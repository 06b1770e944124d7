#!/bin/sh
# fireweed-mcp 0.5.0 (PyPI, CPython 3.11, source-available), a memory for models over MCP that keeps a claim "only if the
# evidence you cite supports it". It compares words: a claim whose words stand in the evidence in their order is admitted,
# with the receipt "grounded_verbatim", whatever stands between or around them. "Ann Lee has not moved to York" proves that
# she moved, "I never said that Ann Lee likes coffee" and "It is false that ..." that she does, "York, not in Leeds" that
# she lives in Leeds, "married to a nurse" that she is one. recall then calls each a grounded result. What is refused has
# another form of a word: "does not own" for "owns", "dislikes" for "likes", or "Does Ann Lee live" for "lives".
# Source: the README ("asserts nothing the span doesn't say"; "the evidence ... preserves the relation"); tool_remember and
# tool_recall in fireweed_mcp/server.py of the wheel. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "fireweed-mcp==0.5.0"
cd "$folder"
mkdir store
FIREWEED_MCP_STORE="$folder/store" HOME="$folder" venv/bin/python - <<'PY'
from fireweed_mcp import server

PAIRS = (
    ("Ann Lee moved to York.", "Ann Lee has not moved to York.", True),
    ("Ann Lee likes coffee.", "I never said that Ann Lee likes coffee.", True),
    ("Ann Lee likes coffee.", "It is false that Ann Lee likes coffee.", True),
    ("Ann Lee likes coffee.", "Ann Lee no longer likes coffee.", True),
    ("Ann Lee lives in Leeds.", "Ann Lee lives in York, not in Leeds.", True),
    ("Ann Lee is a nurse.", "Ann Lee is married to a nurse.", True),
    ("Ann Lee was paid.", "Ann Lee says that Tom Baker was paid.", True),
    ("Ann Lee owns a dog.", "Ann Lee does not own a dog.", False),
    ("Ann Lee likes cats.", "Ann Lee dislikes cats.", False),
    ("Ann Lee lives in Leeds.", "Does Ann Lee live in Leeds?", False),
)
for claim, evidence, admitted in PAIRS:
    lines = server.tool_remember({"claim": claim, "evidence": evidence}).splitlines()
    word = lines[0].split()[0]
    print(f"{word}: {claim} <- {evidence}")
    if word != ("ADMITTED" if admitted else "REFUSED") or admitted != ("grounded_verbatim" in lines[1]):
        raise SystemExit("the behaviour has changed")
found = server.tool_recall({"query": "Does Ann Lee like coffee?"})
print(found.splitlines()[0], found.splitlines()[1].strip())
if "grounded result" not in found or "Ann Lee likes coffee." not in found:
    raise SystemExit("recall has changed")
PY
