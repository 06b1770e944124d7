#!/bin/sh
# cachebench 0.1.0 (PyPI, CPython 3.11), which watches how much of a prompt a provider's cache has answered, raises an alarm when it is
# too little, and asks once more after a miss. Its ratio is read / (read + written), and OpenAI's answers never name what was
# written: with Provider.OPENAI a call of which 1,024 of 90,000 tokens were in the cache hits "1.0", one that hit nothing is nan, and
# of nine misses and one crumb the whole is 1.0. No alarm is ever raised, nothing is asked again, and by_prefix() names no prefix as
# regressed, since nan < 0.5 is false. With Anthropic's numbers the same calls raise the alarm.
# Source: its README ("Multi-provider. OpenAI (via prompt_tokens_details.cached_tokens)", "Misses are silent", "Find which prefix
# regressed"); hit_ratio and _should_retry in cachebench/core.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "cachebench==0.1.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from cachebench import CachePolicy, CacheTracker, Provider


def openai(cached):
    return {"usage": {"prompt_tokens": 90_000, "completion_tokens": 9,
                      "prompt_tokens_details": {"cached_tokens": cached}}}


def anthropic(cached):
    return {"usage": {"input_tokens": 0, "output_tokens": 9, "cache_read_input_tokens": cached,
                      "cache_creation_input_tokens": 90_000 - cached}}


for provider, answer in ((Provider.OPENAI, openai), (Provider.ANTHROPIC, anthropic)):
    alarms, asked = [], []
    tracker = CacheTracker(provider=provider, on_miss_alert=alarms.append, policy=CachePolicy.miss_aware(delay_ms=0))

    def create(cached, **_):
        asked.append(cached)
        return answer(cached)

    call = tracker.wrap(create)
    for cached in (1_024, 0, 0, 0, 0, 0, 0, 0, 0, 0):
        call(cached, model="m", messages=[{"role": "system", "content": "long"}, {"role": "user", "content": "Hello"}])
    print(provider.value, "asked:", len(asked), "alarms:", len(alarms), "ratio:", round(tracker.aggregate()["hit_ratio"], 4))
    print("  of the calls:", [round(one.hit_ratio, 2) for one in tracker.calls()][:3],
          "regressed prefixes:", sum(one["hit_ratio"] < 0.5 for one in tracker.by_prefix().values()))
PY
cat seen
cat >expected <<'TEXT'
openai asked: 10 alarms: 0 ratio: 1.0
  of the calls: [1.0, nan, nan] regressed prefixes: 0
anthropic asked: 19 alarms: 19 ratio: 0.0006
  of the calls: [0.01, 0.0, 0.0] regressed prefixes: 1
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
