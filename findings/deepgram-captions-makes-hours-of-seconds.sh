#!/bin/sh
# deepgram-captions 2.0.0 (PyPI, CPython 3.11), which makes subtitles of what Deepgram and other services have heard. Of
# AssemblyAI's answers, whose times are milliseconds, each is taken for a second: what is said within the first four seconds
# lasts for an hour. In a call with a channel for each side, only the first side is written. Where the first word is not of
# speaker 0, as in a part of a talk, there is "No transcript data found": an empty line before it, for a change of speaker,
# ends it. In SubRip, a name stands where the speaker changes only; "&" and "<" are written as they are into WebVTT, where "I
# <3 tea" ends at the sign.
# Source: its README: "returns valid WebVTT or SRT caption strings", "The library ships converters for Deepgram, AssemblyAI";
# AssemblyAI's reference: start, "in milliseconds"; W3C, WebVTT, "cue text". converters.py of the wheel: DeepgramConverter
# begins with current_speaker = 0 and reads channels[0]. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "deepgram-captions==2.0.0"
cd "$folder"
venv/bin/python - <<'PY'
from deepgram_captions import AssemblyAIConverter, DeepgramConverter, srt, webvtt


def words(text, start=0.0, **more):
    """Return words as Deepgram has them, half a second apart."""
    times = ({"start": start + at / 2, "end": start + at / 2 + 0.4} for at in range(99))
    return [{"word": word, "punctuated_word": word, "confidence": 0.9} | more | time for word, time in zip(text.split(), times)]


def deepgram(*channels):
    """Return an answer of Deepgram's with the words of one or more channels."""
    heard = [{"alternatives": [{"transcript": "heard", "words": channel}]} for channel in channels]
    return DeepgramConverter({"metadata": {}, "results": {"channels": heard}})


def lines(made):
    """Return the lines of subtitles that are not empty."""
    return [line for line in made.splitlines() if line]


said = [
    {"text": word, "start": 500 * at, "end": 500 * at + 400, "confidence": 0.9, "speaker": "A"}
    for at, word in enumerate("I must not eat nuts, none at all.".split())
]
assembly = AssemblyAIConverter({"utterances": [{"speaker": "A", "start": 0, "end": 3900, "words": said}]})
try:
    first = srt(deepgram([*words("Why?", speaker=1), *words("Allergic.", 2.0, speaker=0)]))
except Exception as error:
    first = str(error)
seen = {
    "AssemblyAI": lines(srt(assembly)),
    "two channels": lines(srt(deepgram(words("Hello, this is Ada."), words("Ben here.", 3.0)))),
    "speaker 1 begins": first,
    "WebVTT": lines(webvtt(deepgram(words("I <3 tea & cake"))))[-1],
}
for name, made in seen.items():
    print(f"{name}: {made}")
expected = [
    ["1", "00:00:00,000 --> 01:05:00,000", "[speaker A]", "I must not eat nuts, none at all."],
    ["1", "00:00:00,000 --> 00:00:01,900", "Hello, this is Ada."],
    "No transcript data found",
    "I <3 tea & cake",
]
if list(seen.values()) != expected:
    raise SystemExit("the behaviour has changed")
PY
