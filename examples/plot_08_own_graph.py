"""
Bring your own graph
====================

You may know who is connected to whom: a road network, a citation graph, a neighbor graph that
another tool made. ``Given(W)`` takes the weights W as a sparse matrix.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.neighbors import kneighbors_graph

from lapwing import LapRLSClassifier
from lapwing.datasets import make_two_spirals
from lapwing.graphs import Given
from lapwing.inspection import GraphDisplay
from lapwing.regularizers import Laplacian

X, y, truth = make_two_spirals(300, labels_per_class=1, random_state=0)
W = kneighbors_graph(X, 6, mode="connectivity")
W = W.maximum(W.T)  # an undirected graph

model = LapRLSClassifier(regularizer=Laplacian(Given(W))).fit(X, y)

# %%
# The graph and the two labels.

figure, ax = plt.subplots(figsize=(5.5, 4.5), layout="constrained")
GraphDisplay.from_estimator(model, X, y).plot(ax)
plt.show()

# %%
# Rows that no path joins with a label are marked in `unreached_`. Here there are none.

print("rows that no label reaches:", int(model.unreached_.sum()))
error = np.mean((model.transduction_ != truth)[y == -1])
print(f"share of wrong answers: {error:.3f}")
