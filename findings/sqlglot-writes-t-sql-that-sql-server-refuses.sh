#!/bin/sh
# sqlglot 30.30.0 (PyPI, CPython 3.11), a parser and writer of SQL, from T-SQL to T-SQL; maxdop 0.1.3 (PyPI) contains
# ScriptDom, Microsoft's own parser, which says what SQL Server 2022 takes. sqlglot writes "a IS NOT NULL" as "NOT a IS
# NULL" everywhere, also in a filtered index, whose predicate may have no NOT; it reads DELETE TOP (5) as a table called
# TOP, drops DEFAULT VALUES, takes the END of a BEGIN block for an alias, and drops the semicolon that MERGE must have.
# Two more are taken and mean something else: NTEXT becomes VARCHAR(MAX), which loses every letter outside the code
# page, and REAL becomes FLOAT. UPDATE TOP and DELETE with OUTPUT it cannot read.
# Source: Microsoft's pages about CREATE INDEX (filter_predicate), DELETE, INSERT and MERGE; ntext's follower is
# nvarchar(max), by "ntext, text, and image". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "sqlglot==30.30.0" "maxdop==0.1.3"
cd "$folder"
venv/bin/python - <<'PY'
import subprocess
from pathlib import Path

import sqlglot

SEEN = {  # the statement: what sqlglot makes of it, and whether SQL Server's parser takes that
    "CREATE UNIQUE INDEX i ON t (a) WHERE a IS NOT NULL;": ("CREATE UNIQUE INDEX i ON t(a) WHERE NOT a IS NULL", False),
    "DELETE TOP (5) FROM t WHERE a = 0;": ("DELETE TOP AS _t0([5]) FROM t WHERE a = 0", False),
    "INSERT INTO t DEFAULT VALUES;": ("INSERT INTO t", False),
    "IF NOT EXISTS (SELECT 1 FROM t) BEGIN INSERT INTO t (a) VALUES (1) END;": (
        "IF NOT EXISTS(SELECT 1 FROM t) BEGIN INSERT INTO t (a) (VALUES (1)) AS END",
        False,
    ),
    "MERGE t USING u ON t.a = u.a WHEN MATCHED THEN DELETE;": (
        "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE",
        False,
    ),
    "SELECT CAST(a AS NTEXT), CAST(b AS REAL) FROM t;": ("SELECT CAST(a AS VARCHAR(MAX)), CAST(b AS FLOAT) FROM t", True),
    "UPDATE TOP (5) t SET a = 1 OUTPUT inserted.a;": (None, False),
    "DELETE FROM t OUTPUT deleted.a WHERE a = 0;": (None, False),
}


def taken(statement):
    """Return whether the parser of SQL Server 2022 reads the statement."""
    Path("statement.sql").write_text(statement + "\n")
    command = ["venv/bin/maxdop", "--parser-version", "2022", "statement.sql"]
    return subprocess.run(command, capture_output=True).returncode == 0


for statement, (expected, expected_taken) in SEEN.items():
    assert taken(statement), statement
    try:
        (written,) = sqlglot.transpile(statement, read="tsql", write="tsql")
    except sqlglot.errors.ParseError:
        written = None
    print(statement, "\n   ", written or "cannot be read", "" if written is None or taken(written) else "-- refused")
    if (written, written is not None and taken(written)) != (expected, expected_taken):
        raise SystemExit("the behaviour has changed")
PY
