#!/bin/sh
# aicurt 0.1.1 (PyPI, CPython 3.11), which cuts texts into pieces, masks personal data and searches, without dependencies. Cut with a
# sliding window, a text that is shorter than the window is no piece at all, so of a chat hardly a message is kept, and with
# a step the end of each longer one is lost: index_text() returns 0, or a number, and nothing tells. Cut by tokens, signs
# are gone: "-5" is 5, "5:30" is "5 30", "don't" is "don t", and an overlap is asked for and not there. Cut by words, as installed,
# each piece begins at 0, so a place in the text cannot be shown.
# Source: its README, "Split text with word, sentence, paragraph, sliding-window, recursive, and token strategies" and "split
# large text into clean, reusable chunks"; _sliding_window_chunk counts from 0 to len - window. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "aicurt==0.1.1"
cd "$folder"
cat >cut.py <<'PY'
from aicurt import AICurtEmbedder, AICurtMemoryStore, AICurtRAG
from aicurt.chunking import ChunkStrategy, TextChunker


class Same(AICurtEmbedder):
    def embed(self, text):
        return [1.0]


cut = TextChunker().chunk
rag = AICurtRAG(store=AICurtMemoryStore(), embedder=Same(dimension=1))
allergy = "Kim is allergic to nuts."
print("indexed by a window:", rag.index_text(allergy, source="1", chunk_strategy=ChunkStrategy.SLIDING_WINDOW))
print("indexed by words:", rag.index_text(allergy, source="2"))
text = "Ben comes on Friday, and Anna brings the cake, but not the one with nuts."
window = cut(text, ChunkStrategy.SLIDING_WINDOW, chunk_size=40, stride=30)
print("the end by a window:", window[-1].content)
(tokens,) = cut("Don't come at 5:30, it's -5 outside.", ChunkStrategy.TOKEN, chunk_size=40)
print("by tokens:", tokens.content)
pieces = cut("a b c d e f", ChunkStrategy.TOKEN, chunk_size=3, overlap=1)
print("an overlap of one:", [piece.content for piece in pieces])
pieces = cut("a b c d e f", ChunkStrategy.WORD, chunk_size=3)
print("where the words are:", [(piece.content, piece.start, piece.end) for piece in pieces])
PY
venv/bin/python cut.py | tee seen
cat >expected <<'TEXT'
indexed by a window: 0
indexed by words: 1
the end by a window: brings the cake, but not the one with nu
by tokens: Don t come at 5 30 it s 5 outside
an overlap of one: ['a b c', 'd e f']
where the words are: [('a b c', 0, 5), ('d e f', 0, 5)]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
