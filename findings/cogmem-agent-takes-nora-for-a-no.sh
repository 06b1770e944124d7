#!/bin/sh
# cogmem-agent 0.33.1 (PyPI, CPython 3.11), a memory for agents whose "adaptive search gate" skips greetings and
# acknowledgments. It skips what begins with the letters of "yes", "no", "ok", "sure" or "thanks", in any word: a
# question that begins with Nora, November, Norway, Yesterday, Nobody, Thanksgiving or Okinawa searches nothing, and the
# status says "skipped_by_gate". "No, what did Nora say about her birthday?" is an acknowledgment as well. The greeting
# of the README's own example, "hello", is searched for.
# Source: SKIP_PATTERNS and should_search in cognitive_memory/gate.py of the wheel; the README's "Adaptive Search Gate":
# "Greetings ("hello"), acknowledgments ("ok"), and trivial messages are automatically detected and skipped". Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "cogmem-agent==0.33.1"
cd "$folder"
mkdir -p memory/logs
cat >memory/logs/2026-11-01.md <<'TEXT'
# 2026-11-01

### [FACT] Birthday of Nora
Nora said that her birthday is in November, and that hello is what her parrot says.
TEXT
venv/bin/python - <<'PY' | tee seen
from cognitive_memory import CogMemConfig, MemoryStore


class NoEmbedder:
    """What is used without a model: it gives no vectors, and words are looked for."""

    def embed(self, text):
        return None

    def embed_batch(self, texts):
        return None


with MemoryStore(CogMemConfig(), embedder=NoEmbedder()) as store:
    for query in (
        "birthday Nora",
        "Nora birthday",
        "November birthday",
        "Yesterday's birthday, whose was it?",
        "Nobody told me about the birthday",
        "No, what did Nora say about her birthday?",
        "hello",
    ):
        answer = store.search(query)
        skipped = answer.status == "skipped_by_gate"
        print(f"{query}: {'skipped' if skipped else f'searched, {len(answer.results)} found'}")
PY
cat >expected <<'TEXT'
birthday Nora: searched, 1 found
Nora birthday: skipped
November birthday: skipped
Yesterday's birthday, whose was it?: skipped
Nobody told me about the birthday: skipped
No, what did Nora say about her birthday?: skipped
hello: searched, 1 found
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
