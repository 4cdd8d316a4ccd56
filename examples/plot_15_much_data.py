"""
Twenty thousand rows
====================

The call is the same for much data. The graph answers for its own rows, and a
function on a sample of rows, which learned from these answers, answers for new ones.
"""

import time
import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import SVC

from lapwing import LapRLSClassifier
from lapwing.datasets import make_two_spirals

X, y, truth = make_two_spirals(20_000, noise=0.02, labels_per_class=5, random_state=0)
new, _, new_truth = make_two_spirals(2_000, noise=0.02, random_state=1)
labeled = y != -1

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # remarks on many rows are not shown here
    start = time.perf_counter()
    model = LapRLSClassifier().fit(X, y)
    seconds = time.perf_counter() - start
error = np.mean((model.transduction_ != truth)[~labeled])
error_new = np.mean(model.predict(new) != new_truth)
svc = min(
    np.mean(SVC(C=10, gamma=g).fit(X[labeled], y[labeled]).predict(X) != truth) for g in (1, 10, 50)
)

# %%
figure, ax = plt.subplots(figsize=(4.5, 4.2), layout="constrained")
some = slice(None, None, 8)
colors = np.where(model.transduction_ == 0, "#0072b2", "#d55e00")
ax.scatter(*X[some].T, s=2, c=colors[some])
ax.scatter(*X[labeled].T, s=90, marker="*", color="k", label="labels")
ax.legend(loc="upper right")
ax.set(xticks=[], yticks=[], title=f"{len(X):,} rows, {labeled.sum()} labels")
plt.show()

# %%
print(f"best of three SVCs: {svc:.1%} wrong")
print(f"new rows: {error_new:.3f} wrong")
print(f"training rows without a label: {error:.3f} wrong")
