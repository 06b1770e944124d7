"""Vectors as they are stored and compared: of length 1, in 16 bits; needs numpy.

Only imported where EMBEDDING_MODEL is set. Pure functions and plain data.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from utils.database.embeddings import Stored
from utils.model.embedding import Vector

Floats = NDArray[np.float32]


def unit(vector: Vector) -> Floats:
    """Return a vector at length 1; one without any length stays as it is."""
    numbers = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(numbers))
    return (numbers / length if length > 0 else numbers).astype(np.float32)


def packed(vector: Vector) -> bytes:
    """Return a vector at length 1 as little-endian 16-bit floats: cosines keep three digits."""
    return unit(vector).astype("<f2").tobytes()


@dataclass(frozen=True, slots=True)
class Shelf:
    """Vectors of one member's memories, or messages; ``last`` is the number of the newest."""

    last: int
    of_ids: NDArray[np.int64]
    matrix: Floats

    @property
    def size(self) -> int:
        """Bytes in memory, roughly."""
        return self.of_ids.nbytes + self.matrix.nbytes

    def with_newer(self, stored: Sequence[Stored], most: int) -> "Shelf":
        """Return a shelf with these added, of which at most the newest ``most`` stay.

        Vectors of another length than the newest are of a model that is no more: they are left out.
        """
        if not stored:
            return self
        size = len(stored[-1].vector)
        fitting = [one for one in stored if len(one.vector) == size]
        numbers = np.frombuffer(b"".join(one.vector for one in fitting), dtype="<f2")
        matrix = numbers.reshape(len(fitting), size // 2).astype(np.float32)
        of_ids = np.array([one.of_id for one in fitting], dtype=np.int64)
        if self.matrix.shape[1] == matrix.shape[1]:
            matrix = np.concatenate([self.matrix, matrix])
            of_ids = np.concatenate([self.of_ids, of_ids])
        return Shelf(stored[-1].number, of_ids[-most:], matrix[-most:])

    def cosines(self, query: Floats) -> dict[int, float]:
        """Return how close each is to a query of length 1; nothing if its length is another."""
        if self.matrix.shape[1] != len(query):
            return {}
        # Not "@": its threads wait for each other for 20 ms where the processors are busy.
        found = np.einsum("ij,j->i", self.matrix, query)
        return dict(zip(self.of_ids.tolist(), found.tolist(), strict=True))


EMPTY_SHELF = Shelf(0, np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.float32))
