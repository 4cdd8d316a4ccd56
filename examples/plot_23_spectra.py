"""
Spectra: a concentration from twelve reference measurements
===========================================================

A spectrometer measured 400 samples at 120 wavelengths. A laboratory measured the concentration in
twelve of them, which is slow and costs money. The others are unlabeled. The spectra are
simulated: one band moves with the concentration, as bands of hydrogen bonds do, beside a second
substance, a baseline and noise. Where bands only grow and do not move, a linear method such as
PLS is enough.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cross_decomposition import PLSRegression

from lapwing import LapRLSRegressor

draw = np.random.default_rng(0)
n, wave = 400, np.linspace(0, 1, 120)
concentration = draw.uniform(0, 1, n)


def peak(center, width):
    return np.exp(-0.5 * ((wave - center) / width) ** 2)


moving = peak((0.3 + 0.35 * concentration)[:, None], 0.04)
fixed = 0.5 * draw.uniform(0.5, 1.5, (n, 1)) * peak(0.8, 0.05)
baseline = draw.normal(0, 0.1, (n, 1)) * (wave - 0.5)
X = moving + fixed + baseline + 0.02 * draw.standard_normal((n, 120))

# %%
# NaN marks a sample without a reference measurement.

reference = draw.choice(n, 12, replace=False)
y = np.full(n, np.nan)
y[reference] = concentration[reference] + 0.01 * draw.standard_normal(12)
model = LapRLSRegressor().fit(X, y)
values, std = model.predict(X, return_std=True)
pls = PLSRegression(3).fit(X[reference], y[reference]).predict(X).ravel()

# %%
hidden = np.isnan(y)
figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
axes[0].plot(wave, X[:40].T, lw=0.6, alpha=0.6)
axes[0].set(title="forty of the spectra", xlabel="wavelength", yticks=[])
axes[1].plot([0, 1], [0, 1], color="0.7")
axes[1].errorbar(concentration[hidden], values[hidden], 1.96 * std[hidden],
                 fmt=".", ms=3, elinewidth=0.4, color="#0b6e4f")  # fmt: skip
axes[1].set(title="predicted, with 95 % bars", xlabel="true concentration")
plt.show()

# %%
error = np.sqrt(np.mean((values - concentration)[hidden] ** 2))
error_pls = np.sqrt(np.mean((pls - concentration)[hidden] ** 2))
print(f"root mean squared error of PLS with 3 components: {error_pls:.3f}")
print(f"root mean squared error: {error:.3f}")
