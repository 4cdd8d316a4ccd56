"""
Many labels that go together
============================

From Minh and Sindhwani 2011. A picture may show sea, beach and sky at once: labels depend on each
other. ``VectorValuedClassifier`` learns all labels together. ``OutputGraph`` finds which labels
go together from the few labeled rows. Each entry of Y is 1, 0, or NaN where nobody looked.
"""

import matplotlib.pyplot as plt
import numpy as np

from lapwing import VectorValuedClassifier
from lapwing.metrics import macro_auc
from lapwing.outputs import OutputGraph

n, n_themes, per_theme, n_seen = 500, 4, 5, 40


def draw_rows(seed):
    """Rows that mix four themes; five labels belong to each theme; forty rows were looked at."""
    draw = np.random.default_rng(seed)
    themes = draw.dirichlet((0.3,) * n_themes, n)
    loading = np.kron(np.eye(n_themes), np.ones((1, per_theme)))
    noise = 0.08 * draw.standard_normal((n, n_themes * per_theme))
    truth = (themes @ loading + noise > 0.35).astype(float)
    X = themes @ draw.standard_normal((n_themes, 12)) + 0.3 * draw.standard_normal((n, 12))
    Y = np.full(truth.shape, np.nan)
    seen = draw.choice(n, n_seen, replace=False)
    noted = draw.random((n_seen, truth.shape[1])) < 0.3  # of each row, three labels in ten
    Y[seen] = np.where(noted, truth[seen], np.nan)
    return X, Y, truth, np.setdiff1d(np.arange(n), seen)


# %%
# Three draws, once with labels one by one, once together.

alone, together = [], []
for seed in range(3):
    X, Y, truth, rest = draw_rows(seed)
    outputs = OutputGraph(gamma_O=0.5, n_neighbors=2)
    for kernel, scores in ((None, alone), (outputs, together)):
        model = VectorValuedClassifier(output_kernel=kernel).fit(X, Y)
        scores.append(macro_auc(truth[rest], model.decision_function(X[rest])))

# %%
# The kernel between labels that was found, without its large diagonal. Labels of one theme lie side
# by side: blue blocks of five along the diagonal are right.

figure, ax = plt.subplots(figsize=(4.8, 3.8), layout="constrained")
found = np.where(np.eye(20, dtype=bool), np.nan, model.output_kernel_)
largest = np.nanmax(np.abs(found))
image = ax.imshow(found, cmap="RdBu", vmin=-largest, vmax=largest)
ax.set(title="relation between labels, estimated", xlabel="label", ylabel="label")
ax.set(xticks=range(0, 20, 5), yticks=range(0, 20, 5))
figure.colorbar(image)
plt.show()

# %%
# The gain is small and steady: few labels tell little about how labels go together. Give the
# relation as a matrix, ``output_kernel=Q``, where you know it.

auc = np.mean(together)
print(f"mean area under the curve, labels one by one: {np.mean(alone):.3f}")
print(f"mean area under the curve, labels together: {auc:.3f}")
