"""Penalties on W with what a proximal method and a duality gap need of them."""

from abc import ABC, abstractmethod

import numpy as np
import scipy.linalg


class Penalty(ABC):
    """A convex Ω ≥ 0 on matrices (d, t) with Ω(0) = 0."""

    @abstractmethod
    def value(self, W: np.ndarray) -> float: ...

    @abstractmethod
    def prox(self, W: np.ndarray, step: float) -> np.ndarray:
        """argmin_V ½‖V − W‖² + step · Ω(V)."""

    @abstractmethod
    def shrink(self, G: np.ndarray) -> float:
        """The largest c ≤ 1 with Ω*(c G) < ∞."""

    @abstractmethod
    def conjugate(self, G: np.ndarray) -> float:
        """Ω*(G) = sup_W ⟨G, W⟩ − Ω(W), for G in its domain."""


class Norm(Penalty):
    """α‖W‖ for a norm with a dual: Ω* is 0 on ‖G‖° ≤ α and ∞ outside."""

    def __init__(self, alpha: float):
        self.alpha = alpha

    @abstractmethod
    def dual(self, G: np.ndarray) -> float:
        """‖G‖°."""

    def shrink(self, G):
        dual = self.dual(G)
        return 1.0 if dual <= self.alpha else self.alpha / dual

    def conjugate(self, G):
        return 0.0


class Entrywise(Norm):
    """α Σ_jk |W_jk|; the dual norm is the largest modulus."""

    def value(self, W):
        return self.alpha * float(np.abs(W).sum())

    def prox(self, W, step):
        return np.sign(W) * np.maximum(np.abs(W) - step * self.alpha, 0.0)

    def dual(self, G):
        return float(np.abs(G).max(initial=0.0))


class RowLength(Norm):
    """α Σ_j ‖W_j‖₂ (L1,2, the group lasso); the dual norm is the longest row."""

    def value(self, W):
        return self.alpha * float(np.linalg.norm(W, axis=1).sum())

    def prox(self, W, step):
        length = np.linalg.norm(W, axis=1, keepdims=True)
        kept = np.maximum(length - step * self.alpha, 0.0)
        return W * np.divide(kept, length, out=np.zeros_like(length), where=length > 0)

    def dual(self, G):
        return float(np.linalg.norm(G, axis=1).max(initial=0.0))


class Nuclear(Norm):
    """α Σ singular values; the dual norm is the largest one."""

    def value(self, W):
        return self.alpha * float(scipy.linalg.svdvals(W).sum())

    def prox(self, W, step):
        U, s, Vt = scipy.linalg.svd(W, full_matrices=False)
        return (U * np.maximum(s - step * self.alpha, 0.0)) @ Vt

    def dual(self, G):
        return float(scipy.linalg.svdvals(G).max(initial=0.0))
