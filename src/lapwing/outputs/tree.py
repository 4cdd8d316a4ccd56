"""Outputs in a hierarchy, such as taxonomies, newsgroups or product categories."""

from typing import Any

import numpy as np

from ..parameters.checks import check_option
from ..types import MatrixLike, TargetLike
from .base import Layout, Structure, as_labels, output_affinity
from .enumerated import Enumerated
from .hierarchy import Hierarchy, read_hierarchy


class Tree(Structure):
    """λ_z(y) = 1 if z is y or an ancestor of y. Δ(y, ȳ) is half the path length between y and ȳ.

    K^Y(y, ȳ) = ⟨λ(y), λ(ȳ)⟩ counts the shared ancestors.

    Parameters
    ----------
    parents : dict, networkx.DiGraph, or sequence
        One of four forms. A dict ``{child: parent}`` has None or no entry for the parent of the
        root. A directed graph has edges from parent to child. A sequence of dotted names, such as
        ``"comp.sys.mac"``, makes inner nodes of the prefixes; prefixes with a single child are
        skipped. A sequence of integers holds the index of the parent of each node, −1 for roots.
        Several roots are joined under a new root.
    outputs : {"leaves", "all"}, default="leaves"
        The nodes that can be predicted. "all" excludes a root that Lapwing added.
    root : bool, default=False
        Whether the root counts as an ancestor. This adds 1 to every entry of K^Y and couples all
        classes.
    affinity : square array, optional
        A^Y ≥ 0 of the joint graph between the outputs in order, symmetric. None is the identity.

    References
    ----------
    Hu, Kwok (SO), V-B. There "z ≺ z̄" must read "z is an ancestor of z̄".

    Examples
    --------
    >>> from lapwing.outputs import Tree
    >>> tree = Tree(["rec.autos", "rec.sport.hockey", "rec.sport.baseball", "sci.med"]).build()
    >>> tree.classes
    array(['rec.autos', 'rec.sport.hockey', 'rec.sport.baseball', 'sci.med'],
          dtype='<U18')
    >>> tree.loss_matrix[1]
    array([1.5, 0. , 1. , 2. ])
    """

    def __init__(
        self,
        parents: Any = ("a", "b"),
        outputs: str = "leaves",
        root: bool = False,
        affinity: MatrixLike = None,
    ) -> None:
        self.parents = parents
        self.outputs = outputs
        self.root = root
        self.affinity = affinity

    def build(self, observed: TargetLike = None) -> Enumerated:
        tree = read_hierarchy(self.parents)
        chosen = self._chosen(tree)
        ancestors = tree.ancestors
        counted = ancestors if self.root else ancestors[:, tree.parent >= 0]
        kernel = (counted @ counted.T)[np.ix_(chosen, chosen)]
        loss = 0.5 * tree.path_lengths()[np.ix_(chosen, chosen)]
        affinity = output_affinity(self.affinity, len(chosen))
        return Enumerated(kernel, loss, affinity, as_labels([tree.names[z] for z in chosen]))

    def _chosen(self, tree: Hierarchy) -> np.ndarray:
        check_option("outputs of Tree", self.outputs, ("leaves", "all"))
        if self.outputs == "leaves":
            return np.array(tree.leaves)
        return np.flatnonzero([name is not None for name in tree.names])

    def layout(self) -> Layout:
        tree = read_hierarchy(self.parents)
        depth = tree.ancestors.sum(axis=1) - 1
        across = np.zeros(len(tree.names))
        across[tree.leaves] = np.arange(len(tree.leaves))
        for z in sorted(range(len(across)), key=lambda z: -depth[z]):
            children = np.flatnonzero(tree.parent == z)
            if len(children):
                across[z] = across[children].mean()
        edges = [(p, z) for z, p in enumerate(tree.parent) if p >= 0]
        names = ["" if name is None else name for name in tree.names]
        return Layout(np.column_stack([across, -depth]), names, edges)
