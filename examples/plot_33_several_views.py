"""
Two views of one thing
======================

From Rosenberg, Sindhwani, Bartlett and Niyogi 2009. A web page has words, and it has links that
point to it. Each *view* is weak with two labels per class. Where the two views must agree on the
unlabeled rows, they teach each other.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import SVC

from lapwing import CoMRClassifier, CoRLSClassifier
from lapwing.datasets import make_multi_view

views = [("words", "rbf", slice(0, 5)), ("links", "rbf", slice(5, 10))]
models = {
    "SVC, both views in one": lambda: None,
    "CoRLS: views agree": lambda: CoRLSClassifier(views),
    "CoMR: and are smooth": lambda: CoMRClassifier(views),
}
errors = {name: [] for name in models}
for seed in range(4):
    X, y, truth, *_ = make_multi_view(200, labels_per_class=2, random_state=seed)
    rows = y == -1
    for name, make in models.items():
        model = make() or SVC(C=10)
        model.fit(X if make() else X[~rows], y if make() else y[~rows])
        errors[name].append(np.mean((model.predict(X) != truth)[rows]))

# %%
figure, ax = plt.subplots(figsize=(7, 2.2), layout="constrained")
means = {name: 100 * np.mean(e) for name, e in errors.items()}
bars = ax.barh(list(means), list(means.values()), color=["0.6", "#5fd3a8", "#0b6e4f"])
ax.bar_label(bars, fmt="%.1f %%", padding=4)
ax.set(xlabel="wrong, mean of four draws, in %", xlim=(0, 1.3 * max(means.values())))
ax.invert_yaxis()
plt.show()

# %%
# `disagreement(X)` says where the views contradict each other: rows worth a look.

error = np.mean(errors["CoMR: and are smooth"])
print("rows on which the views disagree most:", np.argsort(-model.disagreement(X))[:5])
print(f"share of wrong answers: {error:.3f}")
