"""
Texts: sort documents by topic with ten labels per class
========================================================

Real text without a download: the documentation strings inside four installed packages. Which
package does a text come from? Ten texts of each have a label. The words become a sparse TF-IDF
matrix, which Lapwing takes as it is.
"""

import importlib
import inspect
import pkgutil
import re
import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from lapwing import LapRLSClassifier

warnings.simplefilter("ignore")
packages = ["numpy", "scipy", "sklearn", "matplotlib"]


def texts_of(package, most=250):
    """First paragraphs of the docstrings of a package's public functions and classes."""
    found = set()
    root = importlib.import_module(package)
    for info in sorted(pkgutil.iter_modules(root.__path__), key=lambda i: i.name):
        if info.name.startswith("_") or "test" in info.name or info.name == "conftest":
            continue
        try:
            module = importlib.import_module(f"{package}.{info.name}")
        except Exception:  # an optional dependency of that module is missing
            continue
        for value in vars(module).values():
            if inspect.isclass(value) or inspect.isroutine(value):
                text = (inspect.getdoc(value) or "")[:600]
                text = re.sub(rf"{package}|numpy|scipy|sklearn|matplotlib|np\.|plt\.", " ", text)
                if len(text) > 150 and getattr(value, "__module__", "").startswith(package):
                    found.add(text)
    chosen = sorted(found)
    np.random.default_rng(0).shuffle(chosen)
    return chosen[:most]


texts, truth = [], []
for package in packages:
    some = texts_of(package)
    texts += some
    truth += [package] * len(some)
truth = np.array(truth, dtype=object)
print(len(texts), "texts:", {p: int(np.sum(truth == p)) for p in packages})

# %%
# A label for ten texts of each package, None for the others.

X = TfidfVectorizer(min_df=2, stop_words="english", sublinear_tf=True).fit_transform(texts)
draw = np.random.default_rng(0)
y = np.full(len(texts), None, dtype=object)
for package in packages:
    y[draw.choice(np.flatnonzero(truth == package), 10, replace=False)] = package
labeled = np.array([name is not None for name in y])

model = LapRLSClassifier().fit(X, y)
logistic = LogisticRegression(C=10, max_iter=500).fit(X[labeled], y[labeled].astype(str))
errors = {
    "LogisticRegression\non the labels": np.mean((logistic.predict(X) != truth)[~labeled]),
    "LapRLSClassifier()": np.mean((model.transduction_ != truth)[~labeled]),
}

# %%
figure, ax = plt.subplots(figsize=(7, 1.9), layout="constrained")
bars = ax.barh(list(errors), [100 * e for e in errors.values()], color=["0.6", "#0b6e4f"])
ax.bar_label(bars, fmt="%.1f %%", padding=4)
ax.set(xlabel="wrong answers on texts without a label, in %", xlim=(0, 60))
ax.invert_yaxis()
plt.show()

# %%
error = errors["LapRLSClassifier()"]
print(f"share of wrong answers: {error:.3f}")
