"""
Sensors: activities from two devices that fail at times
=======================================================

A person wears an accelerometer on the wrist and one in the pocket. There are four activities, and
four labeled windows of each. Each device is a *view* of the same window. In three windows of ten
the wrist device is silent, in three others the pocket device: all its columns are NaN. The signals
are simulated.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from lapwing import CoMRClassifier
from lapwing.datasets import keep_labels

activities = np.array(["sit", "walk", "run", "stairs"])
n, length = 480, 64
time = np.linspace(0, 4, length)


def draw_windows(seed):
    """Frequencies seen by the wrist (columns 0 to 19) and by the pocket (20 to 39), and truth."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, 4, n)
    tempo = np.array([0.0, 1.8, 2.9, 2.2])[truth] + 0.12 * draw.standard_normal(n)
    force = np.array([0.05, 1.0, 2.0, 1.2])[truth] * draw.lognormal(0, 0.15, n)

    def device(gain, tilt):
        start = draw.uniform(0, 6.28, (n, 1))
        wave = gain * force[:, None] * np.sin(6.28 * tempo[:, None] * time + start)
        second = tilt * (truth == 3)[:, None] * np.sin(12.56 * tempo[:, None] * time + start)
        signal = wave + second + 0.6 * draw.standard_normal((n, length))
        return np.abs(np.fft.rfft(signal, axis=1))[:, 1:21] / length

    wrist, pocket, luck = device(1.0, 0.3), device(0.7, 0.9), draw.random(n)
    wrist[luck < 0.3] = np.nan
    pocket[luck > 0.7] = np.nan
    return np.hstack([wrist, pocket]), truth


# %%
# A view is a name, a kernel and columns. A row that is all NaN in a view has no such view; it is
# read from the other one. The SVC gets the labeled rows, with missing values filled by the mean.

views = [("wrist", "rbf", slice(0, 20)), ("pocket", "rbf", slice(20, 40))]
errors = {"SVC, missing values filled": [], "CoMR, two views": []}
for seed in range(4):
    X, truth = draw_windows(seed)
    y = keep_labels(truth, 4, random_state=seed)
    labeled = y != -1
    svc = make_pipeline(SimpleImputer(), SVC(C=10)).fit(X[labeled], y[labeled])
    model = CoMRClassifier(views).fit(X, y)
    for name, fitted in zip(errors, (svc, model), strict=True):
        errors[name].append(np.mean((fitted.predict(X) != truth)[~labeled]))

# %%
means = {name: np.mean(found) for name, found in errors.items()}
figure, axes = plt.subplots(1, 2, figsize=(10, 2.8), layout="constrained")
for c, name in enumerate(activities):
    axes[0].plot(np.nanmean(X[truth == c, :20], axis=0), label=name)
axes[0].set(xlabel="frequency", title="mean spectrum at the wrist")
axes[0].set_xticks(range(0, 20, 5))
axes[0].legend(fontsize=8)
bars = axes[1].barh(list(means), [100 * m for m in means.values()], color=["0.6", "#0b6e4f"])
axes[1].bar_label(bars, fmt="%.1f %%", padding=4)
axes[1].set(xlabel="wrong, mean of four draws, in %", xlim=(0, 130 * max(means.values())))
axes[1].invert_yaxis()
plt.show()

# %%
error = means["CoMR, two views"]
print(f"share of wrong answers: {error:.3f} (SVC: {means['SVC, missing values filled']:.3f})")
