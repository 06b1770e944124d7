#!/bin/sh
# lux_find 0.2.1 (PyPI, CPython 3.11), full-text search over notes, code and chats. init guesses one kind for a whole folder by
# counting names, and each .json is a chat: a new Obsidian vault, whose .obsidian folder has four such files of settings, is a
# "chat" as long as it has no more than four notes. The index itself leaves .obsidian out, so nothing at all is read: it is
# complete, excluded nothing, and finds nothing, without an error. The kind stays in the configuration when more notes come; only
# init --force sees them. Notes beside as many exported chats are left out in the same way, while the chats are found.
# Source: its README ("guesses a kind for each path by looking at what is actually inside it"); guess_kind, CHAT_EXTS and
# DEFAULT_EXCLUDE in lux_find/config.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "lux_find==0.2.1"
cd "$folder"
export HOME="$folder" NO_COLOR=1
mkdir -p vault/.obsidian
for file in app appearance core-plugins workspace; do
    echo '{"theme": "obsidian"}' >"vault/.obsidian/$file.json"
done
printf '# Ada\n\nAda is allergic to nuts.\n' >vault/ada.md
printf '# Ben\n\nBen likes tea.\n' >vault/ben.md
look() {
    echo "$1:"
    venv/bin/lux-find index -q | grep -o '"scanned": [0-9]*\|"excluded": {[^}]*}\|"complete": [a-z]*' | tr '\n' ' '
    venv/bin/lux-find find "allergic nuts" | grep -o '[0-9]* hits'
}
{
    venv/bin/lux-find init vault | grep -o 'kind = .*'
    look "two notes"
    for number in 3 4 5; do
        printf '# Note %s\n\nNothing in here.\n' "$number" >"vault/note$number.md"
    done
    look "five notes"
    venv/bin/lux-find init vault --force | grep -o 'kind = .*'
    look "five notes, and init once more"
} >seen
cat seen
cat >expected <<'TEXT'
kind = chat
two notes:
"scanned": 0 "excluded": {} "complete": true 0 hits
five notes:
"scanned": 0 "excluded": {} "complete": true 0 hits
kind = notes
five notes, and init once more:
"scanned": 5 "excluded": {} "complete": true 1 hits
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
