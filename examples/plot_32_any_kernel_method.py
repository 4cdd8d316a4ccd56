"""
One kernel for every kernel method
==================================

From Rosenberg, Sindhwani, Bartlett and Niyogi 2009. ``MultiViewKernel`` puts two views and all
unlabeled rows into one kernel. Ten methods of scikit-learn take it as it is, and become
semi-supervised.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, SVR, OneClassSVM

from lapwing import CoRLSClassifier, KernelFeatures, MultiViewKernel

rng = np.random.default_rng(0)
truth = np.repeat([0, 1], 150)
X = rng.standard_normal((300, 4)) + 2.5 * truth[:, None]  # two views of two columns each
labeled = np.r_[0:4, 150:154]
views = [("left", "rbf", [0, 1]), ("right", "rbf", [2, 3])]
l = len(labeled)

# all 300 rows are the point cloud; the methods below see 8 of them, with labels
kernel = MultiViewKernel(views, gammas=0.1).fit(X)
X_l, y_l = X[labeled], truth[labeled]


def accuracy(values) -> str:
    return f"{100 * np.mean((np.asarray(values) > 0.5) == truth):.1f} %"


svc = SVC(kernel=kernel, C=1 / (2 * l)).fit(X_l, y_l)
print("SVC                       ", accuracy(svc.predict(X)))
print("SVR                       ", accuracy(SVR(kernel=kernel).fit(X_l, y_l).predict(X)))
ridge = KernelRidge(kernel=kernel, alpha=l).fit(X_l, 2.0 * y_l - 1.0)
print("KernelRidge               ", accuracy(ridge.predict(X) > 0))
gp = GaussianProcessRegressor(kernel, alpha=1.0).fit(X_l, 2.0 * y_l - 1.0)
print("GaussianProcessRegressor  ", accuracy(gp.predict(X) > 0))
gpc = GaussianProcessClassifier(kernel).fit(X_l, y_l)
print("GaussianProcessClassifier ", accuracy(gpc.predict(X)))
logistic = make_pipeline(KernelFeatures(kernel), LogisticRegression()).fit(X_l, y_l)
print("LogisticRegression        ", accuracy(logistic.predict(X)))
one = OneClassSVM(kernel=kernel, nu=0.5).fit(X_l[y_l == 1])
print("OneClassSVM               ", f"AUC {roc_auc_score(truth, one.decision_function(X)):.2f}")
first = KernelPCA(2, kernel=kernel).fit(X).transform(X)[:, 0]
print("KernelPCA, first component", f"|correlation| {abs(np.corrcoef(first, truth)[0, 1]):.2f}")
search = GridSearchCV(SVC(kernel=kernel), {"kernel__lam": [0.1, 1.0, 10.0]}, cv=2)
print("GridSearchCV over λ       ", search.fit(X_l, y_l).best_params_)

y = np.full(len(X), -1)
y[labeled] = y_l
model = CoRLSClassifier(views).fit(X, y)
print("CoRLSClassifier           ", accuracy(model.transduction_))
correct = np.mean(model.transduction_ == truth)
doubtful = np.argsort(-model.disagreement(X))[:5]
print("rows worth a label        ", doubtful.tolist())

# %%
# The first two components of ``KernelPCA`` under this kernel, colored by the true class.

components = KernelPCA(2, kernel=kernel).fit(X).transform(X)
figure, ax = plt.subplots(figsize=(5, 3.6), layout="constrained")
ax.scatter(*components.T, s=10, c=np.where(truth, "#d55e00", "#0072b2"))
ax.scatter(*components[labeled].T, s=90, marker="*", color="k", label="labeled rows")
ax.set(xticks=[], yticks=[], xlabel="first component", ylabel="second component")
ax.legend()
plt.show()
