"""
Your own kernel, loss and penalty
=================================

Kernels, penalties and losses are parts. Add them, multiply them, or write a new one. Here the
kernel is a sum, the penalty is a sum, and the loss is quantile regression in a class of twelve
lines.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit

from lapwing import ManifoldRegressor
from lapwing.graphs import KNN
from lapwing.kernels import RBF, Linear
from lapwing.losses import SmoothLoss
from lapwing.regularizers import HessianEnergy, Laplacian


class SmoothQuantile(SmoothLoss):
    """V(y, f) = tau r + h log(1 + exp(-r/h)), with r = y - f: the quantile tau as h goes to 0."""

    kind = "regression"

    def __init__(self, tau=0.5, h=0.1):
        self.tau, self.h = tau, h

    def value(self, y, f):
        return self.tau * (y - f) + self.h * np.logaddexp(0.0, (f - y) / self.h)

    def gradient(self, y, f):
        return expit((f - y) / self.h) - self.tau

    def curvature(self, y, f):
        s = expit((f - y) / self.h)
        return s * (1 - s) / self.h


# %%
# Two hundred positions, of which half have a value with noise that grows from left to right.

draw = np.random.default_rng(0)
X = np.sort(draw.uniform(0, 6, 200))[:, None]
y = np.sin(X[:, 0]) + 0.15 * X[:, 0] * draw.standard_normal(200)
y_seen = np.where(draw.random(200) < 0.5, y, np.nan)  # NaN marks a row without a value

parts = {
    "kernel": RBF(sigma=1.0) + 0.1 * Linear(),
    "regularizer": Laplacian(KNN(n_neighbors=6)) + 0.1 * HessianEnergy(n_components=1),
    "gamma_A": 1e-3,
    "gamma_I": 1.0,
    "fit_intercept": True,
}
models = {q: ManifoldRegressor(loss=SmoothQuantile(q), **parts).fit(X, y_seen) for q in (0.1, 0.9)}

# %%
figure, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
ax.scatter(X[:, 0], y, s=8, c=np.where(np.isnan(y_seen), "0.75", "k"), label="values (black: seen)")
ax.plot(X[:, 0], models[0.9].predict(X), color="#d55e00", label="90 % quantile")
ax.plot(X[:, 0], models[0.1].predict(X), color="#0072b2", label="10 % quantile")
ax.legend()
plt.show()

# %%
# About 80 % of the values that the model never saw should lie between the two curves.

hidden = np.isnan(y_seen)
inside = np.mean((models[0.1].predict(X) <= y) & (y <= models[0.9].predict(X)), where=hidden)
print(f"share of unseen values between the curves: {inside:.3f}")
