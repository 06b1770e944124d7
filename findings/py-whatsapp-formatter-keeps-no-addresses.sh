#!/bin/sh
# py-whatsapp-formatter 1.0.6 (PyPI, CPython 3.11), which makes WhatsApp's texts of HTML and Markdown and of WhatsApp's those.
# Of a link in HTML its words are left and the address is gone, of a picture nothing, its description neither. References to
# characters stay as they are: members read "Tea &amp; cake", and a program "if a &lt; b" within four backticks, of which
# WhatsApp takes three. A heading is put before what follows without a blank ("Friday" "We meet." is "FridayWe meet.").
# Source: its README: "Bidirectional conversion", "Transform CMS content (HTML/Markdown) for WhatsApp"; the HTML Standard,
# "character references". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "py-whatsapp-formatter==1.0.6"
cd "$folder"
venv/bin/python - <<'PY'
from whatsapp_formatter import convert_html_to_whatsapp

EXPECTED = {
    '<p>Read <a href="https://example.org/rota">the rota</a>.</p>': "Read the rota.",
    '<p>See <img src="cake.png" alt="the cake"></p>': "See",
    "<p>Tea &amp; cake</p>": "Tea &amp; cake",
    "<pre><code>if a &lt; b: eat()</code></pre>": "````if a &lt; b: eat()````",
    "<h1>Friday</h1>We meet.": "FridayWe meet.",
}
seen = {html: convert_html_to_whatsapp(html) for html in EXPECTED}
for html, text in seen.items():
    print(f"{html} -> {text!r}")
if seen != EXPECTED:
    raise SystemExit("the behaviour has changed")
PY
