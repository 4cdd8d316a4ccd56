"""
What was chosen, and why
========================

Kernel, graph and weights are ``"auto"`` by default. The model compares settings on the labeled
rows: it predicts each label without that label (leave-one-out), which has a closed form here and
needs no refits. ``selection_`` tells what was chosen.
"""

import matplotlib.pyplot as plt
import numpy as np

from lapwing import LapRLSClassifier
from lapwing.datasets import make_two_moons
from lapwing.inspection import SelectionDisplay

X, y, truth = make_two_moons(300, noise=0.12, labels_per_class=10, random_state=0)
model = LapRLSClassifier().fit(X, y)
print(model.selection_)

# %%
# The chosen parameters are a dictionary. Give them to a new model, and it chooses nothing: it
# fits at once. This is the quick way to refit after one more label.

print(model.selection_.choice)
again = LapRLSClassifier(**model.selection_.choice).fit(X, y)
print("same answers:", np.mean(again.transduction_ == model.transduction_))

# %%
# The picture shows the leave-one-out loss over the two weights, in units of their rules. Only pairs
# of one ratio are tried, so only the diagonal is filled. The red frame is the choice.

figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
SelectionDisplay.from_estimator(model).plot(ax)
plt.show()

# %%
error = np.mean((model.transduction_ != truth)[y == -1])
print(f"share of wrong answers: {error:.3f}")
