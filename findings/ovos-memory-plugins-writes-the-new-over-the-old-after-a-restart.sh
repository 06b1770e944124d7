#!/bin/sh
# ovos-memory-plugins 1.2.3a1 with ovos-plugin-manager 2.12.5a1 (PyPI, CPython 3.11), memories for the personas of OpenVoiceOS. What was
# said is kept under "<session>_<number>", and the number is counted in memory: after a restart it begins at nought again. The session
# of a device is always "default", so that the first thing said after a restart is written over the first thing ever said,
# the second over the second: of seven exchanges in three runs the three of the longest run are left. The same numbers stand twice
# in the store of the lexical memory, where a source names two exchanges.
# Source: the README ("To recall something from much earlier", "an assistant that remembers across restarts"), _next_doc_id()
# ("a stable, deterministic document id") in base.py, LocalRAGMemory in local_rag.py; add_embeddings() of ovos-plugin-manager: "key:
# Unique identifier for the embedding", and a batch is "add or update". A store that keeps what it is given by key stands for
# the vector database. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile --pre "ovos-memory-plugins==1.2.3a1" "ovos-plugin-manager==2.12.5a1" "ovos-utils==0.15.6a1"
cd "$folder"
export HOME="$folder" XDG_DATA_HOME="$folder" XDG_STATE_HOME="$folder" OVOS_DEFAULT_LOG_LEVEL=ERROR
venv/bin/python -W ignore - >seen 2>log <<'PY' || { cat log; exit 1; }
import collections

from ovos_memory_plugins import LexicalMemory, LocalRAGMemory
from ovos_plugin_manager.templates.agents import AgentMessage, MessageRole


class Store:
    """Keep each embedding under its key, as add_embeddings() of ovos-plugin-manager says; outlives a restart."""

    def __init__(self):
        self.rows = {}

    def create_collection(self, name):
        return name

    def add_embeddings(self, key, embedding, metadata=None, collection_name=None):
        self.rows[key] = metadata


class Embedder:
    def get_embeddings(self, text):
        return [1.0]


def talk(memory, words):
    for said in words:
        turn = [AgentMessage(role=MessageRole.USER, content=said), AgentMessage(role=MessageRole.ASSISTANT, content="Noted.")]
        memory.update_history(turn, "default")


store = Store()
runs = (["I am allergic to nuts.", "My cat is Mia."], ["My son is Tom.", "I live in York.", "I play chess."], ["Hello.", "Rain?"])
for run in runs:
    talk(LocalRAGMemory({"_db": store, "_embedder": Embedder()}), run)
    with LexicalMemory({"db_path": "lexical.db"}) as lexical:
        talk(lexical, run)
print("said:", sum(map(len, runs)), "kept:", len(store.rows))
for key, row in store.rows.items():
    print(" ", key, row["content"].splitlines()[0])
lexical = LexicalMemory({"db_path": "lexical.db"})
print("lexical, of one source:", collections.Counter(hit.source for hit in lexical.search("Noted", top_k=9)).most_common(1))
PY
cat seen
cat >expected <<'TEXT'
said: 7 kept: 3
  default_0 Q: Hello.
  default_1 Q: Rain?
  default_2 Q: I play chess.
lexical, of one source: [('default_0', 3)]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
