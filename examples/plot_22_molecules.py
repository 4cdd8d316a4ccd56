"""
Molecules: fingerprints and the Tanimoto kernel
===============================================

A fingerprint is a row of 0 and 1: which fragments a molecule contains. Chemists compare two
fingerprints by the Tanimoto similarity, the number of shared fragments divided by the number of
fragments in either. Any function of two matrices can be Lapwing's kernel.

The molecules are simulated: twelve families share a scaffold, some of them are active. RDKit's
``GetMorganFingerprintAsBitVect`` gives such rows for real ones.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC

from lapwing import LapRLSClassifier
from lapwing.graphs import KNN
from lapwing.regularizers import Laplacian

draw = np.random.default_rng(0)
n, n_bits, families = 800, 512, 12
scaffold = draw.random((families, n_bits)) < 0.06
family = draw.integers(0, families, n)
kept, extra = draw.random((n, n_bits)) < 0.4, draw.random((n, n_bits)) < 0.03
X = ((scaffold[family] & kept) | extra).astype(float)
active = np.isin(family, (1, 4, 6, 9)).astype(int)


def tanimoto(X, Z):
    """Shared bits divided by bits in either."""
    shared = X @ Z.T
    return shared / (X.sum(axis=1)[:, None] + Z.sum(axis=1)[None, :] - shared)


# %%
# Twenty-four molecules were tested in the laboratory.

y = np.full(n, -1)
for c in range(families):
    rows = np.flatnonzero(family == c)[:2]
    y[rows] = active[rows]
labeled = y != -1

# %%
# The graph joins each molecule with its ten nearest by the Jaccard distance, which is 1 -
# Tanimoto.

graph = Laplacian(KNN(n_neighbors=10, metric="jaccard", weight="binary"))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the metric wants booleans; hubs are left out
    model = LapRLSClassifier(kernel=tanimoto, regularizer=graph).fit(X, y)
svc = SVC(kernel=tanimoto, C=10).fit(X[labeled], y[labeled])

# %%
# Test the molecules in the order of the score: how soon are the active ones found?

score = model.decision_function(X)
figure, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
hidden = ~labeled
for name, values, color in (("LapRLS", score, "#0b6e4f"), ("SVC", svc.decision_function(X), "0.5")):
    order = np.argsort(-values[hidden])
    found = np.cumsum(active[hidden][order]) / active[hidden].sum()
    ax.plot(np.arange(1, hidden.sum() + 1), 100 * found, color=color, label=name)
ax.set(xlabel="molecules tested", ylabel="active ones found, in %")
ax.legend()
plt.show()

# %%
auc = roc_auc_score(active[hidden], score[hidden])
auc_svc = roc_auc_score(active[hidden], svc.decision_function(X)[hidden])
print(f"area under the curve of the SVC: {auc_svc:.3f}")
print(f"area under the curve: {auc:.3f}")
