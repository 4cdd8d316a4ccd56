"""
Digits with five labels per class
=================================

Fifty labels for 1,797 images of handwritten digits. Three models get the same rows: a support
vector machine that sees the labels only, scikit-learn's ``LabelSpreading``, and Lapwing without a
parameter.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC

from lapwing import LapRLSClassifier
from lapwing.datasets import load_digits

X, y, truth = load_digits(labels_per_class=5, random_state=0)
labeled = y != -1

# %%
# Scikit-learn's graph method gives class 0 to rows that no label reaches, after a warning about
# 0/0.

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    spreading = LabelSpreading(kernel="knn", n_neighbors=10).fit(X, y).transduction_
    model = LapRLSClassifier().fit(X, y)
answers = {
    "SVC on the 50 labels": SVC(C=10).fit(X[labeled], y[labeled]).predict(X),
    "LabelSpreading": spreading,
    "LapRLSClassifier()": model.transduction_,
}
errors = {name: np.mean((a != truth)[~labeled]) for name, a in answers.items()}
for name, share in errors.items():
    print(f"{name:22} {share:.1%} wrong")

# %%
# The same numbers as a picture.

figure, ax = plt.subplots(figsize=(7, 2.2), layout="constrained")
bars = ax.barh(list(errors), [100 * e for e in errors.values()], color=["0.6", "0.6", "#0b6e4f"])
ax.bar_label(bars, fmt="%.1f %%", padding=4)
ax.set(xlabel="wrong answers on rows without a label, in %", xlim=(0, 18))
ax.invert_yaxis()
plt.show()

# %%
# Twelve rows that the model got wrong. Many are hard for a person too.

wrong = np.flatnonzero((model.transduction_ != truth) & ~labeled)[:12]
figure, axes = plt.subplots(2, 6, figsize=(7, 2.8), layout="constrained")
for ax, i in zip(axes.ravel(), wrong, strict=False):
    ax.imshow(X[i].reshape(8, 8), cmap="gray_r")
    ax.set_title(f"{truth[i]}, called {model.transduction_[i]}", fontsize=8)
for ax in axes.ravel():
    ax.axis("off")
plt.show()

error = errors["LapRLSClassifier()"]
print(f"share of wrong answers: {error:.3f}")
