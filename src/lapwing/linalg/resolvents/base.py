"""The class of resolvents, and their combinations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..memory import require_bytes

Product = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Resolvent:
    """T = (I + N B)⁻¹ N, symmetric and PSD, given by its products.

    Attributes
    ----------
    size : int
        The order of T.
    apply : callable
        b ↦ T b for b of shape (size, t).
    remaining : callable, optional
        B ↦ B − B T B, the kernel with the penalty added; None where it would cost much.
    """

    size: int
    apply: Product
    remaining: Any = None


def no_penalty(size: int) -> Resolvent:
    """The resolvent of N = 0, which is T = 0."""
    return Resolvent(size, np.zeros_like, lambda B: B)


def stacked(products: Sequence[Product], slices: Sequence[slice]) -> Product:
    """A block-diagonal operator, each block given by its product."""

    def apply(F: np.ndarray) -> np.ndarray:
        return np.vstack([product(F[at]) for product, at in zip(products, slices, strict=True)])

    return apply


def block_diagonal(blocks: Sequence[Resolvent]) -> Resolvent:
    """T for block-diagonal N and B with the same blocks: it is block-diagonal, too."""
    slices = slices_of([block.size for block in blocks])
    return Resolvent(slices[-1].stop, stacked([block.apply for block in blocks], slices))


def nested(inner: Resolvent, outer: Resolvent, apply_B: Product) -> Resolvent:
    """The penalty N₁ + N₂: N₂ acts on the kernel B̃ = B − B T₁ B, which includes N₁.

        T = T₁ + (I − T₁ B) T₂ (I − B T₁)

    Parameters
    ----------
    inner : Resolvent
        T₁, of N₁ and B.
    outer : Resolvent
        T₂, of N₂ and B̃.
    apply_B : callable
        b ↦ B b.
    """

    def apply(b: np.ndarray) -> np.ndarray:
        first = inner.apply(b)
        second = outer.apply(b - apply_B(first))
        return first + second - inner.apply(apply_B(second))

    return Resolvent(inner.size, apply)


def require_matrices(count: float, order: int, purpose: str) -> None:
    """Raise MemoryError where there is no room for ``count`` more dense matrices of this order."""
    require_bytes(
        8.0 * count * order**2,
        f"{purpose} of order {order}",
        "Use space='blockwise' (slow, little memory), linear kernels, or fewer rows.",
    )


def slices_of(sizes: Sequence[int]) -> list[slice]:
    """The slices of blocks of these sizes in their stack.

    Examples
    --------
    >>> slices_of([2, 3])
    [slice(0, 2, None), slice(2, 5, None)]
    """
    ends = np.cumsum(sizes).tolist()
    return [slice(end - size, end) for size, end in zip(sizes, ends, strict=True)]
