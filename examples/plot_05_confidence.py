"""
How sure is the model, and when should it stay silent?
======================================================

``predict_proba`` is calibrated on leave-one-out answers. If you answer only where the probability
is high, fewer answers are wrong. You choose how many rows stay open for a person.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

from lapwing import LapRLSClassifier
from lapwing.datasets import load_digits

warnings.simplefilter("ignore")  # a few rows lie apart from every label; unreached_ marks them
X, y, truth = load_digits(labels_per_class=5, random_state=2)
model = LapRLSClassifier().fit(X, y)
rows = y == -1
proba = model.predict_proba(X[rows])
answers, sure = model.classes_[proba.argmax(axis=1)], proba.max(axis=1)
wrong = answers != truth[rows]
print(f"all rows answered: {wrong.mean():.1%} wrong, mean confidence {sure.mean():.2f}")

# %%
# Sort the rows by confidence. The curve shows the errors among the rows that are answered.

order = np.argsort(-sure)
share = np.arange(1, len(order) + 1) / len(order)
running = np.cumsum(wrong[order]) / np.arange(1, len(order) + 1)
figure, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
ax.plot(100 * share, 100 * running, color="#0b6e4f")
ax.set(
    xlabel="rows answered, most confident first, in %",
    ylabel="wrong among them, in %",
    ylim=(0, None),
    xlim=(0, 100),
)
ax.grid(alpha=0.3)
plt.show()

# %%
# A rule to use: answer where the probability is at least 0.8.

answered = sure >= 0.8
error = wrong[answered].mean()
print(f"{answered.mean():.0%} of the rows answered, {error:.3f} of them wrong")
