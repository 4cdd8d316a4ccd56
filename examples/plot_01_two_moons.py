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
from lapwing.inspection import DecisionSurfaceDisplay

X, y, truth = make_two_moons(200, labels_per_class=1, random_state=0)
labeled = y != -1  # -1 marks a row without a label
print(f"{labeled.sum()} labels, {(~labeled).sum()} rows without a label")

# %%
# Fit both. `LapSVC` chooses its own settings. `SVC` gets the labeled rows only, as it must.

svc = SVC(C=10).fit(X[labeled], y[labeled])
model = LapSVC().fit(X, y)

# %%
# The left picture is the support vector machine, the right one is Lapwing.

figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
grid_x, grid_y = np.meshgrid(np.linspace(-1.5, 2.5, 150), np.linspace(-1, 1.5, 150))
sides = svc.predict(np.c_[grid_x.ravel(), grid_y.ravel()]).reshape(grid_x.shape)
axes[0].contourf(grid_x, grid_y, sides, levels=1, alpha=0.25, colors=["#0072b2", "#d55e00"])
axes[0].scatter(*X.T, s=8, color="0.4")
axes[0].scatter(*X[labeled].T, s=120, marker="*", color="k")
axes[0].set(title=f"SVC: {np.mean(svc.predict(X) != truth):.0%} wrong", xticks=[], yticks=[])
wrong = np.mean(model.transduction_ != truth)
DecisionSurfaceDisplay.from_estimator(model, X, y).plot(axes[1], title=f"LapSVC: {wrong:.0%} wrong")
axes[1].set(xlabel="", ylabel="")
plt.show()

# %%
# `transduction_` holds the answers at the training rows.

error = np.mean(model.transduction_[~labeled] != truth[~labeled])
print(f"share of wrong answers: {error:.3f}")
