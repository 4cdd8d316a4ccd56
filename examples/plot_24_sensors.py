"""
Sensors: activities from two devices, one of which fails
========================================================

A person wears an accelerometer on the wrist and one in the pocket. Four activities, two labeled
windows of each. Each device is a *view* of the same window. In three windows of ten the pocket
device is silent: all its columns are NaN. The signals are simulated.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from lapwing import CoMRClassifier
from lapwing.datasets import keep_labels

draw = np.random.default_rng(0)
activities = np.array(["sit", "walk", "run", "stairs"])
n, length = 480, 64
truth = draw.integers(0, 4, n)
tempo = np.array([0.0, 1.8, 2.9, 2.2])[truth] + 0.12 * draw.standard_normal(n)
force = np.array([0.05, 1.0, 2.0, 1.2])[truth] * draw.lognormal(0, 0.15, n)
time = np.linspace(0, 4, length)


def device(gain, tilt):
    """Windows of one device as sizes of frequencies: the start of a step does not count."""
    start = draw.uniform(0, 6.28, (n, 1))
    wave = gain * force[:, None] * np.sin(6.28 * tempo[:, None] * time + start)
    second = tilt * (truth == 3)[:, None] * np.sin(12.56 * tempo[:, None] * time + start)
    signal = wave + second + 0.6 * draw.standard_normal((n, length))
    return np.abs(np.fft.rfft(signal, axis=1))[:, 1:21] / length


wrist, pocket = device(1.0, 0.3), device(0.7, 0.9)
pocket[draw.random(n) < 0.3] = np.nan
X = np.hstack([wrist, pocket])
y = keep_labels(truth, 2, random_state=0)
labeled = y != -1

# %%
# A view is a name, a kernel and columns.

views = [("wrist", "rbf", slice(0, 20)), ("pocket", "rbf", slice(20, 40))]
model = CoMRClassifier(views).fit(X, y)
svc = make_pipeline(SimpleImputer(), SVC(C=10)).fit(X[labeled], y[labeled])

# %%
shares = {"SVC, missing values filled": svc.predict(X), "CoMR, two views": model.predict(X)}
shares = {name: np.mean((answers != truth)[~labeled]) for name, answers in shares.items()}
figure, axes = plt.subplots(1, 2, figsize=(10, 2.8), layout="constrained")
for c, name in enumerate(activities):
    axes[0].plot(wrist[truth == c].mean(axis=0), label=name)
axes[0].set(xlabel="frequency", title="mean spectrum at the wrist")
axes[0].legend(fontsize=8)
bars = axes[1].barh(list(shares), [100 * s for s in shares.values()], color=["0.6", "#0b6e4f"])
axes[1].bar_label(bars, fmt="%.1f %%", padding=4)
axes[1].set(xlabel="wrong, in %", xlim=(0, 1.4 * 100 * max(shares.values())))
axes[1].invert_yaxis()
plt.show()

# %%
error = shares["CoMR, two views"]
print(f"share of wrong answers: {error:.3f} (SVC: {shares['SVC, missing values filled']:.3f})")
