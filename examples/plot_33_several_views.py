"""
Two views of one thing
======================

From Rosenberg, Sindhwani, Bartlett and Niyogi 2009. A web page has words, and it has links that
point to it. Each *view* is weak with two labels per class. Where the two views must agree on the
unlabeled rows, they teach each other. Here the first view is a half circle per class and the second
one a spiral arm per class, drawn independently.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import SVC

from lapwing import CoMRClassifier, CoRLSClassifier
from lapwing.datasets import keep_labels, make_two_moons, make_two_spirals


def draw_rows(seed):
    """200 rows: columns 0 and 1 are the first view, columns 2 and 3 the second."""
    left, _, left_class = make_two_moons(200, noise=0.15, random_state=seed)
    right, _, right_class = make_two_spirals(200, noise=0.08, random_state=seed)
    left, right = left[np.argsort(left_class)], right[np.argsort(right_class)]
    truth, shuffled = np.repeat([0, 1], 100), np.random.default_rng(seed).permutation(100)
    right = np.vstack([right[:100][shuffled], right[100:][shuffled]])
    X = np.hstack([left, 1.5 * right])
    return X, keep_labels(truth, 2, random_state=seed), truth


views = [("words", "rbf", [0, 1]), ("links", "rbf", [2, 3])]
errors = {"SVC, both views in one": [], "CoRLS: views agree": [], "CoMR: and are smooth": []}
for seed in range(4):
    X, y, truth = draw_rows(seed)
    rows = y == -1
    svc = SVC(C=10).fit(X[~rows], y[~rows])
    corls, comr = CoRLSClassifier(views).fit(X, y), CoMRClassifier(views).fit(X, y)
    for name, model in zip(errors, (svc, corls, comr), strict=True):
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
print("rows on which the views disagree most:", np.argsort(-comr.disagreement(X))[:5])
print(f"share of wrong answers: {error:.3f}")
