"""
Several real targets in one model
=================================

From Kraus, Benabdeslem and Canitia, *Laplacian-based Semi-supervised Multi-Label Regression*. Six
targets in two groups; targets of one group are alike. LSMR learns them together, in the leading
eigenvectors of a kernel over all rows, and smooths along the rows and between the targets.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import RidgeCV

from lapwing import LSMRRegressor, SSSLRegressor
from lapwing.datasets import make_multi_target
from lapwing.metrics import armse

X, Y, truth, *_ = make_multi_target(300, labeled=0.1, noise=0.5, random_state=0)
seen = ~np.isnan(Y).any(axis=1)
models = {
    "ridge on the labeled rows": RidgeCV(np.logspace(-3, 3, 13)).fit(X[seen], Y[seen]),
    "SSSL": SSSLRegressor(kernel="linear").fit(X, Y),
    "LSMR": LSMRRegressor(kernel="linear").fit(X, Y),
}
errors = {name: armse(truth[~seen], model.predict(X)[~seen]) for name, model in models.items()}
for name, e in errors.items():
    print(f"{name:27} {e:.3f}")

# %%
# The graph between the targets that LSMR estimated: its Laplacian has two blocks.

figure, ax = plt.subplots(figsize=(4.6, 3.8), layout="constrained")
largest = np.abs(models["LSMR"].label_laplacian_).max()
image = ax.imshow(models["LSMR"].label_laplacian_, cmap="RdBu", vmin=-largest, vmax=largest)
ax.set(title="Laplacian between targets", xlabel="target", ylabel="target")
figure.colorbar(image)
plt.show()

# %%
error = errors["LSMR"]
print(f"mean root mean squared error over the targets: {error:.3f}")
