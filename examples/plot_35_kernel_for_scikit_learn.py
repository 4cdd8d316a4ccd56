"""
A support vector machine of scikit-learn, made semi-supervised
==============================================================

``DeformedKernel`` puts the unlabeled rows into the kernel. The kernel then works in any kernel
method of scikit-learn: here ``SVC`` and ``OneClassSVM``, which know nothing about graphs.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import SVC, OneClassSVM

from lapwing import DeformedKernel
from lapwing.datasets import make_two_moons
from lapwing.graphs import KNN
from lapwing.kernels import RBF
from lapwing.regularizers import Laplacian

X, y, truth = make_two_moons(200, labels_per_class=1, random_state=1)
labeled = y != -1

# %%
# `fit` gives the kernel its unlabeled rows; the SVC itself sees two.

kernel = DeformedKernel(RBF(0.35), Laplacian(KNN(6), normalized=False), ratio=1e3).fit(X)
svc = SVC(kernel=kernel, C=1e4).fit(X[labeled], y[labeled])
plain = SVC(C=1e4).fit(X[labeled], y[labeled])

# %%
# One class only: which rows belong to the moon of the single row that we know?

one = OneClassSVM(kernel=kernel, nu=0.5).fit(X[y == 1])
scores = one.decision_function(X)

figure, axes = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
axes[0].scatter(*X.T, s=10, c=np.where(svc.predict(X) == 0, "#0072b2", "#d55e00"))
axes[0].set(title="SVC with the deformed kernel", xticks=[], yticks=[])
points = axes[1].scatter(*X.T, s=10, c=scores, cmap="viridis")
axes[1].set(title="OneClassSVM from one row (star)", xticks=[], yticks=[])
figure.colorbar(points)
for ax in axes:
    ax.scatter(*X[labeled].T, s=110, marker="*", color="k")
plt.show()

# %%
error = np.mean((svc.predict(X) != truth)[~labeled])
print(f"plain SVC: {np.mean((plain.predict(X) != truth)[~labeled]):.3f} wrong")
print(f"share of wrong answers: {error:.3f}")
