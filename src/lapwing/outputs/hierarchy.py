"""Read a rooted tree from a dict, a graph, dotted names or parent indices."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Hierarchy:
    """A rooted tree: the names of the nodes in the given order, and the index of each parent.

    Attributes
    ----------
    names : list
        None for a root that was added above several roots.
    parent : integer array
        −1 for the root.
    leaves : list of int
        The nodes without children, in the given order.
    """

    names: list
    parent: np.ndarray
    leaves: list[int]

    @cached_property
    def ancestors(self) -> np.ndarray:
        """A[z, a] = 1 if a is z or an ancestor of z, shape (m, m)."""
        A = np.eye(len(self.parent))
        for z in range(len(self.parent)):
            p = self.parent[z]
            while p >= 0:
                A[z, p] = 1.0
                p = self.parent[p]
        return A

    def path_lengths(self) -> np.ndarray:
        """The number of edges between any two nodes, (m, m).

        It is the sum of both depths minus twice the depth of the last common ancestor.
        """
        shared = self.ancestors @ self.ancestors.T
        depth = np.diagonal(shared)
        return depth[:, None] + depth[None, :] - 2.0 * shared


def read_hierarchy(parents: Any) -> Hierarchy:
    """Read a tree from a dict, a directed graph, dotted names or indices. See :class:`Tree`."""
    if hasattr(parents, "nodes") and len(parents.nodes):
        return _from_links(*_graph_links(parents))
    items = list(parents) if np.iterable(parents) and not isinstance(parents, str) else []
    if items and isinstance(parents, dict):
        return _from_links(*_dict_links(parents))
    if not items:
        raise ValueError(
            "parents of Tree must be a dict {child: parent}, a networkx.DiGraph, dotted names or "
            f"parent indices, and not empty; got {parents!r}."
        )
    if all(isinstance(item, str) for item in items):
        return _from_links(*_dotted_links(items))
    if all(isinstance(item, (int, np.integer)) for item in items):
        links = {i: (None if p == -1 else int(p)) for i, p in enumerate(items)}
        return _from_links(list(links), links)
    raise TypeError("A sequence of parents must hold only names, or only whole numbers.")


def _dict_links(parents: dict[str, Any]) -> tuple[list, dict[str, Any]]:
    known = {None, *parents}
    nodes = [*parents, *(p for p in dict.fromkeys(parents.values()) if p not in known)]
    return nodes, {node: parents.get(node) for node in nodes}


def _graph_links(graph: Any) -> tuple[list, dict]:
    if not hasattr(graph, "predecessors"):
        raise TypeError("A Tree needs a directed graph (networkx.DiGraph), parent to child.")
    links = {}
    for node in graph.nodes:
        above = list(graph.predecessors(node))
        if len(above) > 1:
            raise ValueError(f"Node {node!r} has {len(above)} parents; a tree allows one.")
        links[node] = above[0] if above else None
    return list(links), links


def _dotted_links(names: list[str]) -> tuple[list, dict]:
    """The parent of a name is its longest prefix that is a name, or where names branch."""
    if len(set(names)) < len(names):
        raise ValueError("The dotted names of a Tree must differ from one another.")
    children: dict[str, set[str]] = {}
    for name in names:
        parts = name.split(".")
        for depth in range(1, len(parts)):
            children.setdefault(".".join(parts[:depth]), set()).add(parts[depth])
    inner = [prefix for prefix, below in children.items() if len(below) > 1]
    nodes = list(dict.fromkeys([*names, *inner]))
    known = set(nodes)
    return nodes, {node: _longest_prefix(node, known) for node in nodes}


def _longest_prefix(name: str, known: set[str]) -> str | None:
    while "." in name:
        name = name.rsplit(".", 1)[0]
        if name in known:
            return name
    return None


def _from_links(nodes: list[Any], links: dict[Any, Any]) -> Hierarchy:
    several = list(links.values()).count(None) > 1  # roots
    _reject_cycles(nodes, links)
    names = list(nodes)
    index = {node: i for i, node in enumerate(nodes)}
    if several:
        names.append(None)
        index[None] = len(nodes)
    parent = np.array([index.get(links.get(name), -1) for name in names])
    if several:
        parent[-1] = -1
    inner = set(parent.tolist())
    return Hierarchy(names, parent, [i for i in range(len(names)) if i not in inner])


def _reject_cycles(nodes: list[Any], links: dict[str, Any]) -> None:
    for node in nodes:
        seen, at = {node}, links[node]
        while at is not None:
            if at not in links:
                raise ValueError(f"Node {node!r} names {at!r} as an ancestor, which is no node.")
            if at in seen:
                raise ValueError(f"The parents of a Tree form a cycle through {at!r}.")
            seen.add(at)
            at = links[at]
