"""
Which row should I label next?
==============================

``next_to_label(n)`` names the rows whose labels would lower the expected error most. Here a loop
asks for thirty labels of digits, and a second loop takes thirty rows at random.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

from lapwing import LapRLSClassifier
from lapwing.datasets import load_digits

warnings.simplefilter("ignore")  # few labels leave parts of the graph without any, at first
X, y_start, truth = load_digits(labels_per_class=1, random_state=0)
X, y_start, truth = X[:600], y_start[:600], truth[:600]
y_start[:] = -1
for c in range(10):
    y_start[np.flatnonzero(truth == c)[0]] = c

# %%
# Choose settings once, then refit with them: a refit takes a tenth of a second.

settings = LapRLSClassifier().fit(X, y_start).selection_.choice
draw = np.random.default_rng(0)


def curve(choose):
    """Errors after 10, 15, … labels when ``choose(model, y)`` names the next five rows."""
    y, errors = y_start.copy(), []
    for _ in range(7):
        model = LapRLSClassifier(**settings).fit(X, y)
        errors.append(np.mean((model.transduction_ != truth)[y == -1]))
        rows = choose(model, y)
        y[rows] = truth[rows]
    return errors


asked = curve(lambda model, y: model.next_to_label(5))
random = curve(lambda model, y: draw.choice(np.flatnonzero(y == -1), 5, replace=False))

# %%
labels = 10 + 5 * np.arange(7)
figure, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
ax.plot(labels, 100 * np.array(random), "o--", color="0.5", label="rows drawn at random")
ax.plot(labels, 100 * np.array(asked), "o-", color="#0b6e4f", label="next_to_label")
ax.set(xlabel="labels", ylabel="wrong on the other rows, in %", ylim=(0, None))
ax.legend()
plt.show()

# %%
# Do not measure the final error on rows that were chosen this way: they are the hard ones. Keep
# some rows drawn at random for that.

error = asked[-1]
print(f"after 40 labels: {error:.3f} wrong with next_to_label, {random[-1]:.3f} with random rows")
