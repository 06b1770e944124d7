"""Vectors as they are stored and compared: length 1, 16-bit floats. Needs numpy.

Imported only if EMBEDDING_MODEL is set. Pure functions and plain data.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from utils.database.memories.embeddings import StoredVector
from utils.models.llm import Vector

Floats = NDArray[np.float32]
MIN_SAME_COSINE = 0.95  # of one text's vectors by one model


def unit(vector: Vector) -> Floats:
    """Return a vector scaled to length 1; a zero vector stays as it is."""
    numbers = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(numbers))
    return (numbers / length if length > 0 else numbers).astype(np.float32)


def packed(vector: Vector) -> bytes:
    """Return a unit vector as little-endian 16-bit floats; cosines keep three digits."""
    return unit(vector).astype("<f2").tobytes()


def is_same_model(stored: bytes, vector: Vector) -> bool:
    """Whether one model made a stored vector and another one of the same text.

    Endpoints are not exact: they differ in the third digit of the cosine.
    """
    before, now = np.frombuffer(stored, dtype="<f2").astype(np.float32), unit(vector)
    return len(before) == len(now) and float(before @ now) >= MIN_SAME_COSINE


@dataclass(frozen=True, slots=True)
class VectorMatrix:
    """The vectors of one member's memories or messages; ``last`` is the newest one's number."""

    last: int
    of_ids: NDArray[np.int64]
    matrix: Floats

    @property
    def size(self) -> int:
        """Bytes in memory, roughly."""
        return self.of_ids.nbytes + self.matrix.nbytes

    def with_newer(self, stored: Sequence[StoredVector], limit: int) -> "VectorMatrix":
        """Return a matrix with these added; at most the newest ``limit`` stay.

        Vectors of another length than the newest are of a model that is no more: they are left out.
        """
        if not stored:
            return self
        size = len(stored[-1].vector)
        fitting = [row for row in stored if len(row.vector) == size]
        numbers = np.frombuffer(b"".join(row.vector for row in fitting), dtype="<f2")
        matrix = numbers.reshape(len(fitting), size // 2).astype(np.float32)
        of_ids = np.array([row.of_id for row in fitting], dtype=np.int64)
        if self.matrix.shape[1] == matrix.shape[1]:
            matrix = np.concatenate([self.matrix, matrix])
            of_ids = np.concatenate([self.of_ids, of_ids])
        return VectorMatrix(stored[-1].number, of_ids[-limit:], matrix[-limit:])

    def cosines(self, query: Floats) -> dict[int, float]:
        """Return the cosine of each vector with a unit query; empty if the dimensions differ."""
        if self.matrix.shape[1] != len(query):
            return {}
        # Not "@": its threads wait for each other for 20 ms where the processors are busy.
        cosines = np.einsum("ij,j->i", self.matrix, query)
        return dict(zip(self.of_ids.tolist(), cosines.tolist(), strict=True))


EMPTY_MATRIX = VectorMatrix(0, np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.float32))
