#!/bin/sh
# fediverse-utils 0.1.2 with lxml 6.1.3 (PyPI, CPython 3.11), which bots of Mastodon and Misskey use to read posts.
# strip_leading_mentions takes the mentions at the end away, too: "I talked to @kim" is "I talked to", "Ask @ben" is "Ask" and
# "I love @kim@example.org" "I love". strip_html puts a link's address in place of its words, unless it leads to the front
# page of a site: then the words stay and the address is lost. The description of a picture loses its capitals ("ada's cake").
# Source: the function's name; cleaning.py of the wheel: TRAILING_MENTION, "".startswith(""), text.lower(); its summary:
# "Utility classes and methods for handling Fediverse text". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "fediverse-utils==0.1.2" "lxml==6.1.3"
cd "$folder"
venv/bin/python -W ignore - <<'PY'
from fediverse_utils.cleaning import strip_html, strip_leading_mentions

MENTION = '<span class="h-card"><a href="https://mastodon.social/@ben" class="u-url mention">@<span>ben</span></a></span>'
EXPECTED = {
    (strip_leading_mentions, "@ben @kim Hello"): "Hello",
    (strip_leading_mentions, "@ben I talked to @kim"): "I talked to",
    (strip_leading_mentions, "I love @kim@example.org"): "I love",
    (strip_leading_mentions, "I love @kim!"): "I love @kim!",
    (strip_html, '<p>Read <a href="https://example.org/rota">my rota</a>!</p>'): "Read https://example.org/rota !",
    (strip_html, '<p>Read <a href="https://example.org/">my site</a>!</p>'): "Read my site!",
    (strip_html, '<p>See <img src="cake.png" alt="Ada\'s Cake"></p>'): "See ada's cake",
    (strip_html, f"<p>{MENTION} Never nuts</p>"): "@ben   Never nuts",
}
seen = {(function, text): function(text) for function, text in EXPECTED}
for (function, text), read in seen.items():
    print(f"{function.__name__}: {text} -> {read}")
if seen != EXPECTED:
    raise SystemExit("the behaviour has changed")
PY
