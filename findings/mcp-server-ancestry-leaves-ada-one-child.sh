#!/bin/sh
# mcp-server-ancestry 0.1.1 (PyPI, CPython 3.11), an MCP server by which a model reads family trees (GEDCOM), asked with mcp
# 1.30.0. Of what a person or a family has more than once it shows the last: one of three children, the second of two
# marriages, the later of two homes, and of a note on three lines the first and the third, here without the "did not" between
# them. Nothing says that something was left out.
# Source: its README ("view_file: Parses and reads full contents of a .ged file"); the GEDCOM standard 5.5.1 allows CHIL {0:M}
# in a family, FAMS and RESI {0:M} in a person, and CONT as each further line of a note. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "mcp-server-ancestry==0.1.1" "mcp==1.30.0"
cd "$folder"
mkdir trees
cat >trees/family.ged <<'GED'
0 HEAD
1 SOUR TRY
1 GEDC
2 VERS 5.5.1
2 FORM LINEAGE-LINKED
1 CHAR UTF-8
1 SUBM @U1@
0 @U1@ SUBM
1 NAME Kim /Example/
0 @I1@ INDI
1 NAME Ada /Example/
1 BIRT
2 DATE 10 DEC 1915
1 RESI
2 DATE FROM 1940 TO 1950
2 PLAC Bonn
1 RESI
2 DATE FROM 1951
2 PLAC Berlin
1 NOTE The papers say that Ada
2 CONT did not
2 CONT leave the children behind.
1 FAMS @F1@
1 FAMS @F2@
0 @F1@ FAM
1 WIFE @I1@
1 CHIL @I2@
1 CHIL @I3@
1 CHIL @I4@
0 TRLR
GED
cat >try.py <<'PY'
import asyncio

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    """Print what the server shows of the tree."""
    server = StdioServerParameters(command="venv/bin/mcp-server-ancestry", args=["--gedcom-path", "trees"])
    async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()
        shown = await session.call_tool("view_file", {"name": "family.ged"})
        print(shown.content[0].text)


asyncio.run(main())
PY
venv/bin/python try.py >seen
cat seen
cat >expected <<'TEXT'
{
  "family.ged": [
    {
      "id": "@U1@",
      "type": "SUBM",
      "NAME": "Kim /Example/"
    },
    {
      "id": "@I1@",
      "type": "INDI",
      "NAME": "Ada /Example/",
      "BIRT": {
        "DATE": "10 DEC 1915"
      },
      "RESI": {
        "DATE": "FROM 1951",
        "PLAC": "Berlin"
      },
      "NOTE": "The papers say that Ada",
      "CONT": "leave the children behind.",
      "FAMS": "@F2@"
    },
    {
      "id": "@F1@",
      "type": "FAM",
      "WIFE": "@I1@",
      "CHIL": "@I4@"
    }
  ]
}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
