#!/bin/sh
# turnchunk 0.4.1 (PyPI, CPython 3.11), which reads transcripts and cuts them between speakers. Of two voices in one cue of
# WebVTT, as the format has them for people who speak at once, the first has said it all: Ada asks "May I have nuts?" and
# answers "Never!" herself. In a text, a line that begins with a word and a colon has a speaker of that name: what Ben says
# after "So:" or "first:" is no longer Ben's. In subtitles such words are left, but the cue has no speaker, and the name
# before a pause of the same sentence is not carried on. When names are resolved, Änna becomes Anna, and a guest called "Lee"
# becomes Ada Lee, whose sentence "No nuts for me." is then said by her who ordered them.
# Source: its README: "misattribute what someone said, which is the one failure this library must never produce", "It refuses
# to guess", "Teams <v Speaker> spans", "Otter's name-then-time layout"; W3C, WebVTT, "cue voice span". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "turnchunk==0.4.1"
cd "$folder"
venv/bin/python - <<'PY'
from turnchunk import parse
from turnchunk.speakers import resolve_speakers


def said(text):
    """Return the turns of a transcript, and again with the speakers' names resolved."""
    turns = parse(text)
    return [[(turn.speaker, turn.text) for turn in some] for some in (turns, resolve_speakers(turns)[0])]


AT = "00:00:0{}.000 --> 00:00:0{}.000\n"
voices = f"WEBVTT\n\n{AT.format(1, 3)}<v Ada>May I have nuts?</v>\n<v Ben>Never!</v>\n"
cues = f"WEBVTT\n\n{AT.format(1, 2)}Ben: I said\n\n{AT.format(2, 3)}to her: no nuts.\n"
otter = "Ada  0:01\nWhy?\n\nBen  0:05\nI am allergic.\nSo: no nuts.\n"
names = "Ada Lee: Nuts, please.\nLee: No nuts for me.\nAnna: Tea.\nÄnna: No tea.\n"
seen = {
    "two voices": said(voices)[0],
    "a sentence in two cues": said(cues)[0],
    "Otter's layout": said(otter)[0],
    "four people": said(names)[1],
}
for name, turns in seen.items():
    print(f"{name}: {turns}")
expected = [
    [("Ada", "May I have nuts? Never!")],
    [("Ben", "I said"), (None, "to her: no nuts.")],
    [("Ada", "Why?"), ("Ben", "I am allergic."), ("So", "no nuts.")],
    [("Ada Lee", "Nuts, please."), ("Ada Lee", "No nuts for me."), ("Anna", "Tea."), ("Anna", "No tea.")],
]
if list(seen.values()) != expected:
    raise SystemExit("the behaviour has changed")
PY
