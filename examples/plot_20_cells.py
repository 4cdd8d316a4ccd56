"""
Cells: name cell types from five marked cells each
==================================================

Counts of genes in single cells, simulated. Eight cell types, five cells of each named by an
expert, the rest without a name. A ninth type has no named cell at all: the model should be unsure
there.

The steps are those of a scanpy workflow: normalize each cell, take logarithms, keep leading
principal components. With an ``AnnData`` object, ``adata.obsm["X_pca"]`` takes the place of ``Z``
below, and ``adata.obs["cell_type"]`` with missing values takes the place of ``y``.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA
from sklearn.svm import SVC

from lapwing import LapRLSClassifier

draw = np.random.default_rng(0)
n_types, n_genes, per_type = 9, 400, 200
base = draw.gamma(0.6, 1.0, n_genes)
profiles = base * np.exp(0.55 * draw.standard_normal((n_types, n_genes)))
types = np.repeat(np.arange(n_types), per_type)
depth = draw.lognormal(5.6, 0.35, len(types))  # how many molecules were read of each cell
rates = profiles[types] / profiles[types].sum(axis=1, keepdims=True) * depth[:, None]
counts = draw.poisson(rates)

# %%
# Normalize, take logarithms, keep 30 components.

scaled = np.log1p(1e4 * counts / counts.sum(axis=1, keepdims=True))
Z = PCA(30, random_state=0).fit_transform(scaled)

# %%
# Names are strings; None marks a cell without a name. The last type has no named cell.

names = np.array([f"type {c}" for c in types], dtype=object)
y = np.full(len(types), None, dtype=object)
for c in range(n_types - 1):
    rows = draw.choice(np.flatnonzero(types == c), 5, replace=False)
    y[rows] = names[rows]
labeled = np.array([name is not None for name in y])

model = LapRLSClassifier().fit(Z, y)
sure = model.predict_proba(Z).max(axis=1)
svc = SVC(C=10).fit(Z[labeled], y[labeled].astype(str)).predict(Z)

# %%
# The map, with named cells as stars; and how sure the model is, per type.

figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
axes[0].scatter(*Z[:, :2].T, s=5, c=types, cmap="tab10")
axes[0].scatter(*Z[labeled, :2].T, s=70, marker="*", color="k")
axes[0].set(title="first two components; stars are named cells", xticks=[], yticks=[])
axes[1].boxplot([sure[types == c] for c in range(n_types)], showfliers=False)
axes[1].set_xticks(range(1, n_types + 1), [*(str(c) for c in range(n_types - 1)), "unnamed"])
axes[1].set(title="confidence by true type", ylim=(0, 1))
plt.show()

# %%
known = (types < n_types - 1) & ~labeled
error = np.mean((model.transduction_ != names)[known])
unnamed = types == n_types - 1
print(f"confidence: known types {sure[known].mean():.2f}, unnamed {sure[unnamed].mean():.2f}")
print(f"share of wrong names, SVC on the named cells: {np.mean((svc != names)[known]):.3f}")
print(f"share of wrong names: {error:.3f}")
