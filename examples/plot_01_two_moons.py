"""
Two moons, one label each
=========================

The smallest example, from Belkin, Niyogi and Sindhwani 2006 (Figure 2). Two hundred points lie on
two half circles. One point of each half circle has a label. A support vector machine sees two
labeled points and cuts the plane with a straight line. Lapwing also sees the 198 points without a
label, and follows the half circles.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import SVC

from lapwing import LapSVC
from lapwing.datasets import make_two_moons

X, y, truth = make_two_moons(200, labels_per_class=1, random_state=0)
labeled = y != -1  # -1 marks a row without a label
print(f"{labeled.sum()} labels, {(~labeled).sum()} rows without a label")

# %%
# Fit both. `LapSVC` chooses its own settings. `SVC` gets the labeled rows only, as it must.

svc = SVC(C=10).fit(X[labeled], y[labeled])
model = LapSVC().fit(X, y)

# %%
# The answers at all points. The left picture is the support vector machine, the right one is
# Lapwing. Stars are the two labels.

colors = np.array(["#0072b2", "#d55e00"])
figure, axes = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
for ax, fitted, name in zip(axes, (svc, model), ("SVC", "LapSVC"), strict=True):
    answers = fitted.predict(X)
    ax.scatter(*X.T, c=colors[answers], s=12)
    ax.scatter(*X[labeled].T, c=colors[y[labeled]], s=260, marker="*", edgecolor="k")
    ax.set(title=f"{name}: {np.mean(answers != truth):.0%} wrong", xticks=[], yticks=[])
    ax.set_aspect("equal")
plt.show()

# %%
# `transduction_` holds the answers at the training rows.

error = np.mean(model.transduction_[~labeled] != truth[~labeled])
print(f"share of wrong answers: {error:.3f}")
