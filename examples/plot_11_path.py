"""
A whole path of weights
=======================

``lapwing.path`` fits a model for every weight in a list and reuses what they share. As
``gamma_I`` grows, the unlabeled rows count more. At 0 the model is plain kernel ridge regression.
"""

import matplotlib.pyplot as plt
import numpy as np

import lapwing
from lapwing.datasets import make_two_moons
from lapwing.kernels import RBF

X, y, truth = make_two_moons(200, labels_per_class=2, random_state=3)
model = lapwing.LapRLSClassifier(kernel=RBF(0.35), gamma_A=1e-3, fit_intercept=False)
weights = [0.0, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]
errors = [
    np.mean((np.sign(np.ravel(point.readout)) > 0) != truth)
    for point in lapwing.path(model, X, y, gamma_I=weights)
]

# %%
figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
ax.plot(range(len(weights)), 100 * np.array(errors), "o-", color="#0b6e4f")
ax.set_xticks(range(len(weights)), [f"{w:g}" for w in weights])
ax.set(xlabel="gamma_I", ylabel="wrong, in %", ylim=(-1, None))
ax.grid(alpha=0.3)
plt.show()

# %%
error = errors[-1]
print(f"share of wrong answers: {errors[0]:.3f} at gamma_I = 0, {error:.3f} at {weights[-1]:g}")
