"""
Save a model and load it
========================

``lapwing.save`` and ``lapwing.load`` write and read model files that hold no code; they need the
extra ``io``. ``pickle`` and ``joblib`` work as for any scikit-learn model, as here. Load only files
that you trust. A saved model does not hold its large matrices.
"""

import pickle

import matplotlib.pyplot as plt
import numpy as np

from lapwing import LapRLSClassifier
from lapwing.datasets import make_two_moons

X, y, truth = make_two_moons(1000, labels_per_class=3, random_state=0)
model = LapRLSClassifier().fit(X, y)
stored = pickle.dumps(model)
loaded = pickle.loads(stored)

# %%
# The file beside the matrix of all pairs of rows that the fit needed.

megabytes = {"matrix of all pairs": X.shape[0] ** 2 * 8 / 1e6, "saved model": len(stored) / 1e6}
figure, ax = plt.subplots(figsize=(6, 1.8), layout="constrained")
bars = ax.barh(list(megabytes), list(megabytes.values()), color=["0.6", "#0b6e4f"])
ax.bar_label(bars, fmt="%.1f MB", padding=4)
ax.set(xlim=(0, 10), xlabel="megabytes")
plt.show()

# %%
new = np.random.default_rng(0).uniform(-1, 2, (200, 2))
same = np.mean(loaded.predict(new) == model.predict(new))
print(f"share of equal answers after loading: {same:.3f}")
