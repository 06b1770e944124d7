#!/bin/sh
# llm-cassette 0.1.0 (PyPI, CPython 3.11), which records calls of models and tools and replays them. An argument named "id" is
# taken for one that changes by itself: it is neither stored nor compared, nor are "created" and what ends in "timestamp". A
# recorded profile(id="ada") answers profile(id="ben"), with Ada's diet, and a reminder for one time that for another. What is
# named "token" is replaced in results, too, and already while it records: the program itself gets "<redacted>" as the value.
# Source: its README: "A different argument raises CassetteMismatchError", and "@tool records a function's name, its bound
# arguments (including defaults), and its JSON result"; "id" is among the "volatile fields" two chapters before, which are
# spoken of as those of requests. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "llm-cassette==0.1.0"
cd "$folder"
venv/bin/python - <<'PY'
from llm_cassette import CassetteMismatchError, cassette, tool


@tool
def profile(id: str) -> dict[str, str]:
    return {"diet": "no nuts" if id == "ada" else "anything"}


@tool
def remind(of: str, timestamp: int) -> dict[str, str]:
    return {"set": f"{of} at {timestamp}"}


@tool
def session(name: str) -> dict[str, str]:
    return {"token": f"{name}'s"}


with cassette("talk.jsonl", mode="record"):
    recorded = profile("ada"), remind("tea", 1700), session("ada")
with cassette("talk.jsonl", mode="replay", strict=True):
    replayed = profile("ben"), remind("tea", 900), session("ada")
with cassette("talk.jsonl", mode="replay"):
    profile("cid")
    try:
        remind("cake", 1700)
    except CassetteMismatchError:
        print("another argument, not so named, is an error")
    else:
        raise SystemExit("the behaviour has changed")
print(f"recorded: {recorded}\nreplayed, for Ben and nine o'clock: {replayed}")
if not recorded == replayed == ({"diet": "no nuts"}, {"set": "tea at 1700"}, {"token": "<redacted>"}):
    raise SystemExit("the behaviour has changed")
PY
