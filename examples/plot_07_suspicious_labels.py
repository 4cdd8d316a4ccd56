"""
Labels that the others contradict
=================================

Five of eighty labels are wrong. ``suspicious_labels_`` lists the rows whose label is more likely
wrong than right, by what the other labels say. It is a list to look at, not a verdict: some of
these labels are right.
"""

import matplotlib.pyplot as plt
import numpy as np

from lapwing import LapRLSClassifier
from lapwing.datasets import load_digits

X, y, truth = load_digits(labels_per_class=8, random_state=0)
draw = np.random.default_rng(0)
spoiled = draw.choice(np.flatnonzero(y != -1), 5, replace=False)
y[spoiled] = (y[spoiled] + 1 + draw.integers(0, 8, 5)) % 10

model = LapRLSClassifier().fit(X, y)
listed = model.suspicious_labels_
print(f"{(y != -1).sum()} labels, 5 of them wrong; {len(listed)} are listed")

# %%
# The listed rows, with the label that was given. The ones that we spoiled have an orange title.

figure, axes = plt.subplots(1, 8, figsize=(10, 1.6), layout="constrained")
for ax in axes:
    ax.axis("off")
for ax, i in zip(axes, listed, strict=False):
    ax.imshow(X[i].reshape(8, 8), cmap="gray_r")
    ax.set_title(f"given {y[i]}", fontsize=9, color="#d55e00" if i in spoiled else "k")
plt.show()

# %%
found = len(set(listed) & set(spoiled))
print(f"wrong labels found: {found} of 5")
