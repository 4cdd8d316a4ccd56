"""
Do the unlabeled rows help?
===========================

They do not always help. ``lapwing.compare`` asks the labels themselves: it hides each label in
turn and predicts it with your model, with the same model without the graph, and with three simple
methods.
"""

import warnings

import matplotlib.pyplot as plt

import lapwing
from lapwing.datasets import make_gaussian_clusters, make_two_spirals
from lapwing.inspection import ComparisonDisplay

# %%
# Two spirals have a shape that unlabeled rows show.

X, y, truth = make_two_spirals(400, labels_per_class=8, random_state=0)
spirals = lapwing.compare(lapwing.LapRLSClassifier(), X, y)
print(spirals)

# %%
# Two round clouds have no such shape: the unlabeled rows show little that the labels do not.

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    X, y, truth = make_gaussian_clusters(300, n_features=5, labels_per_class=12, random_state=0)
    clouds = lapwing.compare(lapwing.LapRLSClassifier(), X, y)
print(clouds)

# %%
# Each bar is a mean loss at hidden labels, each line is one standard error.

figure, axes = plt.subplots(1, 2, figsize=(11, 3), layout="constrained")
ComparisonDisplay.from_comparison(spirals).plot(axes[0], title="two spirals")
ComparisonDisplay.from_comparison(clouds).plot(axes[1], title="two round clouds")
plt.show()

# %%
# The gain over a support vector machine that sees the labels only, in shares of hidden labels.

gain, standard_error = spirals.gain("SVC")
print(f"gain over an SVC on spirals: {gain:.3f} ± {standard_error:.3f}")
