"""
Grid search on few labels
=========================

``GridSearchCV`` works, with one precaution: score the labeled rows only.
``LabeledStratifiedKFold`` splits the labeled rows and keeps the unlabeled ones in every training
part.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GridSearchCV

from lapwing import LapRLSClassifier
from lapwing.datasets import make_two_moons
from lapwing.graphs import KNN
from lapwing.model_selection import LabeledStratifiedKFold
from lapwing.regularizers import Laplacian

X, y, truth = make_two_moons(200, noise=0.25, labels_per_class=12, random_state=2)
model = LapRLSClassifier(
    kernel="rbf",
    regularizer=Laplacian(KNN()),  # spelled out, so that its parameters have names
    gamma_A=1e-3,
    fit_intercept=False,
    unlabeled=-1,
)
grid = {"regularizer__graph__n_neighbors": [4, 8, 16], "gamma_I": [0.0, 1.0, 100.0]}
search = GridSearchCV(model, grid, cv=LabeledStratifiedKFold(5)).fit(X, y)
print(search.best_params_)

# %%
scores = search.cv_results_["mean_test_score"].reshape(3, 3)
figure, ax = plt.subplots(figsize=(5, 3.2), layout="constrained")
image = ax.imshow(scores, cmap="viridis", vmin=0.7, vmax=1)
ax.set_xticks(range(3), grid["regularizer__graph__n_neighbors"])
ax.set_yticks(range(3), grid["gamma_I"])
ax.set(xlabel="neighbors in the graph", ylabel="gamma_I")
figure.colorbar(image, label="share of held-out labels that are right")
plt.show()

# %%
error = np.mean((search.best_estimator_.transduction_ != truth)[y == -1])
print(f"share of wrong answers: {error:.3f}")
