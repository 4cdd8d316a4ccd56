"""
Real targets, with an error bar
===============================

``LapRLSRegressor`` takes NaN for a missing target. ``return_std=True`` also gives a standard
deviation. Here the rows lie on a spiral: two positions that look near to a ruler can be far along
the curve.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_swiss_roll
from sklearn.kernel_ridge import KernelRidge

from lapwing import LapRLSRegressor

X, position = make_swiss_roll(700, noise=0.2, random_state=0)
X = X / X.std(axis=0)
target = np.sin(position / 2) + 0.2 * position
draw = np.random.default_rng(0)
y = np.full(len(X), np.nan)
labeled = draw.choice(len(X), 40, replace=False)
y[labeled] = target[labeled] + 0.05 * draw.standard_normal(40)

model = LapRLSRegressor().fit(X, y)
values, std = model.predict(X, return_std=True)

# %%
# A ridge regression that sees the 40 labeled rows, with the best of several settings in its
# favor.

hidden = np.isnan(y)
ridge = min(
    np.sqrt(np.mean((KernelRidge(kernel="rbf", alpha=a, gamma=g).fit(X[labeled], y[labeled])
                     .predict(X[hidden]) - target[hidden]) ** 2))
    for a in (1e-3, 1e-2, 0.1) for g in (0.3, 1.0, 3.0)
)  # fmt: skip

# %%
figure, ax = plt.subplots(figsize=(7, 3.4), layout="constrained")
order = np.argsort(position)
low, high = values - 1.96 * std, values + 1.96 * std
ax.vlines(position, low, high, alpha=0.15, color="#0b6e4f")
ax.plot(position[order], target[order], "k-", lw=1, label="truth")
ax.plot(position[order], values[order], ".", ms=3, color="#0b6e4f", label="prediction, 95 % band")
ax.plot(position[labeled], y[labeled], "o", ms=4, color="#d55e00", label="40 measured values")
ax.set(xlabel="position along the roll", ylabel="target")
ax.legend(fontsize=8)
plt.show()

# %%
error = np.sqrt(np.mean((values - target)[hidden] ** 2))
covered = np.mean((low <= target) & (target <= high))
print(f"{covered:.0%} of the truth lies in the 95 % band")
print(f"root mean squared error: {error:.3f} (best kernel ridge: {ridge:.3f})")
