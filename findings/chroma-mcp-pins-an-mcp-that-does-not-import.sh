#!/bin/sh
# chroma-mcp 0.2.6, the newest release (PyPI, CPython 3.11), pins mcp==1.6.0, whose pydantic is any from 2.7.2 on. Since a
# name of pydantic's private modules went, that mcp cannot be imported: installed today, the server ends with an
# ImportError before it reads a line, and its client sees only a connection that closes.
# Source: chroma-mcp's metadata; mcp/server/fastmcp/utilities/func_metadata.py imports eval_type_backport from
# pydantic._internal._typing_extra; pydantic pull request 13133 removed it in 2026. Seen on 2026-11-28, with mcp alone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "mcp==1.6.0" "pydantic==2.14.4"
"$folder/venv/bin/pip" install -q --no-deps "chroma-mcp==0.2.6"
"$folder/venv/bin/python" - <<'PY'
from importlib.metadata import requires, version

needs = [name for name in requires("chroma-mcp") if name.startswith("mcp")]
allowed = [name for name in requires("mcp") if name.startswith("pydantic<") or name.startswith("pydantic>")]
print("chroma-mcp", version("chroma-mcp"), "needs", *needs, "-- which needs", *allowed)
try:
    import mcp.server.fastmcp
except ImportError as error:
    print("with pydantic", version("pydantic") + ":", str(error).partition(" (")[0])
else:
    raise SystemExit("the behaviour has changed")
PY
