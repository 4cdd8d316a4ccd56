"""SO Tables I–IV at the printed settings, beside ours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.neighbors import NearestNeighbors

from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.outputs import OutputStructure
from lapwing.regularizers import Laplacian

from .tables import Newsgroups, Teapots

NEIGHBORS = 2  # of our 100 images, as 8 of the paper's 400


class TeapotsAsPrinted(Teapots):
    """L = D − A to the first power, widths not squared, γ_I = 5e-5."""

    names = ("so-table1-printed", "so-table2-printed")
    title = "Teapots on a ring, at the printed settings"
    minutes = 3.5
    gamma_I = 5e-5
    drawn = False
    protocol = """
As above, with what the paper prints: L = D − A, weights exp(−d²/max(h_i, h_j)) with h not
squared, γ_A = 5e-6, γ_I = 5e-5, 8 neighbors of 400 images (2 of our 100). With h not squared the
weights depend on the unit of the pixels, which the paper does not say. Here the unit is the mean
h of the training images, a choice that looks at no label; with pixels from 0 to 1 all weights are
below 7e-4, and the manifold changes an answer in one draw of 200. Still ours: 100 images, the
median width, the identity as output affinity, half the path as ring loss.
"""

    def draw(self, seed):
        rows = super().draw(seed)
        near = NearestNeighbors(n_neighbors=NEIGHBORS).fit(rows.X_train)
        unit = float(np.mean(near.kneighbors()[0][:, -1]))
        return replace(rows, X_train=rows.X_train / unit, X_test=rows.X_test / unit)

    def parts_of_the_model(self):
        graph = KNN(NEIGHBORS, weight="self-tuning-linear", hubs="keep")
        laplacian = Laplacian(graph, normalized=False, degree=1)
        return RBF("median"), self.structure(), laplacian


class NewsgroupsAsPrinted(Newsgroups):
    """8 neighbors, L = D − A to the first power, widths not squared."""

    names = ("so-table3-printed", "so-table4-printed")
    title = "Newsgroups in a tree, at the printed settings"
    minutes = 6.0
    revision = 1
    drawn = False
    protocol = """
As above, with what the paper prints: 8 neighbors, L = D − A to the first power, weights
exp(−d²/max(h_i, h_j)) with h not squared, γ_A = 5e-6, γ_I = 5e-5. The neighbors are found by the
Euclidean distance of the tf-idf rows, which have unit length. Still ours: the groups (picked as
said above, after losses had been seen), the features, the identity as output affinity.
"""

    def parts_of_the_model(self):
        tree = self.structure().build()
        graph = KNN(8, weight="self-tuning-linear", hubs="keep")
        laplacian = Laplacian(graph, normalized=False, degree=1)
        return "linear", OutputStructure(tree.kernel, tree.loss_matrix), laplacian
