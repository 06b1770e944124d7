#!/bin/sh
# evernote2notion 0.1.0 (PyPI, CPython 3.11), which makes Notion's blocks of Evernote's notes, "with full fidelity". Of lists
# within lists, the third level is left out, and nothing is said: of "Nuts", "not for", "Ada" the last is gone, since Notion
# takes two levels in one request (others can be added in the next). A plain item that has boxes beneath it becomes a box
# itself, ticked as the first beneath it is: "Shopping" is done as soon as tea is bought. Lines of a quotation are put
# together without a blank ("No!" "Never." is "No!Never."), and of several boxes in one <div> all are one, with the tick of
# the first.
# Source: its README: "Migrate your Evernote notes into a Notion database - with full fidelity", "bullet/numbered lists,
# checkboxes, ... quotes"; _li_blocks and element_to_blocks of cli.py in the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "evernote2notion==0.1.0"
cd "$folder"
venv/bin/python - <<'PY'
from pathlib import Path

from import_evernote.cli import parse_evernote_html


def box(ticked):
    """Return a box as Evernote exports it."""
    return f'<div class="list-bullet-todo-container"><input type="checkbox"{" checked" if ticked else ""}/></div>'


def lines(block, depth=0):
    """Yield the lines of a block and of those within it."""
    content = block[block["type"]]
    text = "".join(part["text"]["content"] for part in content["rich_text"])
    mark = {True: "[x] ", False: "[ ] ", None: ""}[content.get("checked")]
    yield "  " * depth + mark + text
    for child in content.get("children", []):
        yield from lines(child, depth + 1)


def read(body):
    """Return the lines of the blocks that a note becomes."""
    Path("note.html").write_text(f'<html><body><h1 class="noteTitle">Note</h1>{body}</body></html>')
    return [line for block in parse_evernote_html(Path("note.html"))["blocks"] for line in lines(block)]


deep = "<ul><li><div>Nuts</div><ul><li><div>not for</div><ul><li><div>Ada</div></li></ul></li></ul></li></ul>"
boxes = "".join(f"<li>{box(ticked)}<div>{name}</div></li>" for name, ticked in (("Tea", True), ("Bread", False)))
seen = {
    "three levels": read(deep),
    "boxes beneath an item": read(f"<ul><li><div>Shopping</div><ul>{boxes}</ul></li></ul>"),
    "a quotation": read("<blockquote><div>No!</div><div>Never.</div></blockquote>"),
    "boxes in one div": read('<div><div><input type="checkbox" checked/>Tea</div><div><input type="checkbox"/>Bread</div></div>'),
}
for name, found in seen.items():
    print(f"{name}: {found}")
expected = [
    ["Nuts", "  not for"],
    ["[x] Shopping", "  [x] Tea", "  [ ] Bread"],
    ["No!Never."],
    ["[x] TeaBread"],
]
if list(seen.values()) != expected:
    raise SystemExit("the behaviour has changed")
PY
