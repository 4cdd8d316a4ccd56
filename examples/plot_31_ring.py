"""
A near miss costs less
======================

From Hu and Kwok, *Manifold Regularization for Structured Outputs*. The class is an hour of the
day, and hours form a ring: to say 23 where 0 is right is a small mistake, to say 12 is a large
one. ``StructuredLapSVC(output=Ring(12))`` learns with this loss.
"""

import matplotlib.pyplot as plt
import numpy as np

from lapwing import StructuredLapSVC
from lapwing.datasets import make_ring
from lapwing.inspection import OutputStructureDisplay
from lapwing.outputs import Ring

X, y, truth = make_ring(12, 25, noise=0.12, labels_per_class=1, random_state=0)
ring = StructuredLapSVC(output=Ring(12)).fit(X, y)


def hours_off(answers):
    """Mean distance along the ring."""
    apart = np.abs(answers - truth)
    return np.mean(np.minimum(apart, 12 - apart)[y == -1])


# %%
# What a mistake costs, from the point of view of hour 0.

figure, ax = plt.subplots(figsize=(4.6, 3.6), layout="constrained")
OutputStructureDisplay.from_structure(Ring(12), Ring(12).build().loss_matrix[0]).plot(ax)
figure.axes[-1].set_ylabel("hours away from hour 0")  # the scale of the colors
plt.show()

# %%
# The scores of all outputs are there too: `predict_ranking` orders them.

print("ranking for the first row:", ring.predict_ranking(X[:1])[0][:4], "truth:", truth[0])
off = hours_off(ring.predict(X))
print(f"mean distance from the right hour: {off:.3f}")
