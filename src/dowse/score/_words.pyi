from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

class Table:
    def find(self, texts: Sequence[str], missing: Callable[[bytes], int], /) -> bytes: ...
    def count(self, rows: NDArray[np.int32], numbers: NDArray[np.int64], /) -> bytes | None: ...

def units(rows: NDArray[np.int32], vectors: NDArray[np.int8], /) -> bytes: ...
