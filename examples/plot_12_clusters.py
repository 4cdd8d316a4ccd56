"""
No labels at all: clusters and maps
===================================

The same equation without its loss gives clusters and low-dimensional maps, both for new rows too
(Belkin, Niyogi, Sindhwani 2006, equation 14).
"""

import matplotlib.pyplot as plt
import numpy as np

from lapwing import RegularizedLaplacianEigenmaps, RegularizedSpectralClustering
from lapwing.datasets import load_digits, make_two_spirals

X, _, truth = make_two_spirals(400, random_state=0)
found = RegularizedSpectralClustering(n_clusters=2).fit_predict(X)

digits, _, names = load_digits(random_state=0)
digits, names = digits[names < 5][:600], names[names < 5][:600]
embedding = RegularizedLaplacianEigenmaps(n_components=2).fit_transform(digits)

# %%
figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
axes[0].scatter(*X.T, s=8, c=np.where(found == found[0], "#0072b2", "#d55e00"))
axes[0].set(title="two spirals, clustered", xticks=[], yticks=[])
points = axes[1].scatter(*embedding.T, s=8, c=names, cmap="tab10", vmax=9)
axes[1].legend(*points.legend_elements(), title="digit", fontsize=8, loc="best")
axes[1].set(title="digits 0 to 4, mapped without labels", xticks=[], yticks=[])
plt.show()

# %%
# Clusters have no names, so the better of the two namings counts.

error = min(np.mean(found != truth), np.mean(found == truth))
print(f"share of points in the wrong spiral: {error:.3f}")
