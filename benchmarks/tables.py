"""Raw tables with gaps: ``tables.pipeline`` beside encodings made by hand, at few labels.

Tables are scikit-learn's bundled sets with some columns cut into categories, and tables drawn
here from known rules; cells are removed from all of them. Each method sees the same rows and
labels; errors are those at the unlabeled rows, in percent.

    python benchmarks/tables.py --draws 5 --labels 40 --out docs/benchmarks/tables.csv
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from skrub import tabular_pipeline

from lapwing import LapRLSClassifier, LapSVC, tables

GAPS = 0.08
ROWS = 700


def bundled(load, cut: int):
    """A bundled set with every ``cut``-th column in words of its quartiles."""

    def table(rng):
        X, y = load(return_X_y=True)
        rows = rng.permutation(len(X))[:ROWS]
        frame = pd.DataFrame(X[rows], columns=[f"c{j}" for j in range(X.shape[1])])
        for j in range(0, X.shape[1], cut):
            if frame.iloc[:, j].nunique() > 4:
                words = pd.qcut(frame.iloc[:, j], 4, duplicates="drop")
                names = ["low", "fair", "good", "high"][: len(words.cat.categories)]
                frame[f"c{j}"] = words.cat.rename_categories(names).astype(str)
        return frame, y[rows]

    return table


def clusters(rng, classes=4):
    """Classes of several clusters; categories and numbers hang on the cluster."""
    group = rng.integers(0, 3 * classes, ROWS)
    center = rng.normal(0, 1.6, (3 * classes, 5))
    numbers = center[group] + rng.normal(0, 1.0, (ROWS, 5))
    frame = pd.DataFrame(numbers, columns=list("abcde"))
    frame["e"] = np.exp(2.0 * frame["e"])  # skewed, as incomes are
    for j, q in enumerate((2, 4, 7)):
        likely = rng.integers(0, q, 3 * classes)
        known = rng.random(ROWS) < 0.7
        frame[f"w{j}"] = np.where(known, likely[group], rng.integers(0, q, ROWS))
        frame[f"w{j}"] = "v" + frame[f"w{j}"].astype(str)
    return frame, group % classes


def rules(rng):
    """Two classes by a rule on two numbers and a category; much else beside it."""
    frame = pd.DataFrame(rng.normal(size=(ROWS, 6)), columns=list("abcdef"))
    frame["kind"] = rng.choice(["x", "y", "z"], ROWS)
    frame["town"] = rng.choice([f"t{i}" for i in range(12)], ROWS)
    score = np.where(frame["kind"] == "x", frame["a"] + frame["b"], frame["a"] - frame["b"])
    return frame, (score + rng.normal(0, 0.3, ROWS) > 0).astype(int)


def latent(rng):
    """A curve through the columns: the class changes along it, the columns bend."""
    t = rng.uniform(0, 3, ROWS)
    columns = {f"n{j}": np.sin(a * t + b) for j, (a, b) in enumerate(rng.uniform(0.5, 3, (6, 2)))}
    frame = pd.DataFrame(columns) + rng.normal(0, 0.25, (ROWS, 6))
    frame["size"] = pd.cut(t + rng.normal(0, 0.4, ROWS), 5, labels=list("SMLXZ")).astype(str)
    frame["on"] = rng.random(ROWS) < t / 3
    return frame, np.digitize(t, [1.0, 2.0])


def customers(rng):
    """Numbers of very different spread, dates, booleans, categories; two classes."""
    loyal = rng.random(ROWS) < 0.4
    town = np.where(rng.random(ROWS) < 0.5, np.where(loyal, "Lyon", "Bonn"), "Rome")
    days = rng.integers(0, 700, ROWS) + 300 * loyal
    frame = pd.DataFrame(
        {
            "income": rng.lognormal(10 + 0.8 * loyal, 0.8),
            "age": rng.normal(40 + 8 * loyal, 12).round(),
            "visits": rng.poisson(2 + 4 * loyal),
            "town": town,
            "plan": rng.choice(["free", "basic", "pro", "team"], ROWS),
            "mail": rng.random(ROWS) < 0.5,
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(days, "D"),
        }
    )
    return frame, loyal.astype(int)


WORDS = {
    "bill": "invoice payment charge refund price card bank receipt tax amount",
    "crash": "error crash freeze bug restart screen log broken fail update",
    "login": "password account reset email sign access locked code token user",
    "ship": "delivery parcel late box courier address track order arrive lost",
}


def tickets(rng):
    """A text of a few words, a category, a number; four classes."""
    names = list(WORDS)
    y = rng.integers(0, 4, ROWS)
    every = " ".join(WORDS.values()).split()

    def text(c):
        own = WORDS[names[c]].split()
        n = rng.integers(4, 12)
        return " ".join(rng.choice(own if rng.random() < 0.4 else every) for _ in range(n))

    frame = pd.DataFrame({"subject": [text(c) for c in y]})
    frame["channel"] = np.where(rng.random(ROWS) < 0.4, np.array(names)[y], "web")
    frame["minutes"] = rng.gamma(2.0 + y, 10.0)
    return frame, y


TABLES = {
    "breast cancer": bundled(datasets.load_breast_cancer, 3),
    "wine": bundled(datasets.load_wine, 2),
    "iris": bundled(datasets.load_iris, 2),
    "digits": bundled(datasets.load_digits, 6),
    "diabetes": bundled(
        lambda return_X_y: (
            datasets.load_diabetes().data,
            (datasets.load_diabetes().target > 140).astype(int),
        ),
        3,
    ),
    "clusters": clusters,
    "rules": rules,
    "latent": latent,
    "customers": customers,
    "tickets": tickets,
}


def with_gaps(frame, rng):
    """The same table with cells removed."""
    gone = rng.random(frame.shape) < GAPS
    return frame.astype(object).mask(gone).infer_objects()


def hide(truth, labels: int, rng) -> np.ndarray:
    """y with so many labels, at least two of each class."""
    rows = [r for c in np.unique(truth) for r in rng.permutation(np.flatnonzero(truth == c))[:2]]
    others = np.setdiff1d(np.arange(len(truth)), rows)
    rows = np.concatenate([rows, rng.permutation(others)[: max(0, labels - len(rows))]])
    y = np.full(len(truth), -1)
    y[rows] = truth[rows]
    return y


def by_hand():
    """Median and standardize, one-hot: what a person would write."""
    numeric = make_column_selector(dtype_include=["number", "bool"])
    words = make_column_selector(dtype_exclude=["number", "bool"])
    hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numeric),
        (make_pipeline(SimpleImputer(strategy="most_frequent"), hot), words),
    )


def as_numbers(frame):
    """What the encoding by hand can take: dates as days, yes and no as 1 and 0."""
    out = frame.copy()
    for name in out.columns:
        if name == "since":
            out[name] = pd.to_numeric((pd.to_datetime(out[name]) - pd.Timestamp(0)).dt.days)
        elif out[name].dropna().map(lambda v: isinstance(v, bool | np.bool_)).all():
            out[name] = pd.to_numeric(out[name].map({True: 1.0, False: 0.0}))
    return out


def semi(model, raw=True):
    def run(frame, y, seed):
        X = frame if raw else by_hand().fit_transform(as_numbers(frame))
        return model().fit(X, y).predict(X)

    return run


def forest(frame, y, seed):
    X = by_hand().fit_transform(as_numbers(frame))
    model = RandomForestClassifier(300, random_state=seed).fit(X[y >= 0], y[y >= 0])
    return model.predict(X)


METHODS = {
    "LapRLS, tables.pipeline": semi(lambda: tables.pipeline(LapRLSClassifier())),
    "LapRLS, by hand": semi(LapRLSClassifier, raw=False),
    "random forest, by hand": forest,
    "LapRLS, skrub.tabular_pipeline": semi(lambda: tabular_pipeline(LapRLSClassifier())),
    "LapSVC, tables.pipeline": semi(lambda: tables.pipeline(LapSVC())),
}


def measure(names, methods, draws, labels, say=print):
    """Errors in percent: one row for each table, draw and method."""
    rows = []
    for name in names:
        for draw in range(draws):
            rng = np.random.default_rng([draw, list(TABLES).index(name)])
            frame, truth = TABLES[name](rng)
            frame, y = with_gaps(frame, rng), hide(truth, labels, rng)
            for method, run in methods.items():
                start = time.process_time()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found = run(frame, y, draw)
                error = 100 * np.mean(found[y < 0] != truth[y < 0])
                seconds = time.process_time() - start
                rows.append((name, draw, method, round(error, 2), round(seconds, 2)))
        done = pd.DataFrame(rows, columns=["table", "draw", "method", "error", "seconds"])
        say(done[done.table == name].groupby("method", sort=False).error.mean().round(1).to_dict())
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--labels", type=int, default=40)
    parser.add_argument("--tables", nargs="*", default=list(TABLES), choices=list(TABLES))
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    done = measure(arguments.tables, METHODS, arguments.draws, arguments.labels)
    if arguments.out:
        done.to_csv(arguments.out, index=False)
    table = done.pivot_table(index="table", columns="method", values="error", sort=False)
    table.loc["mean"] = table.mean()
    print(table.round(1).to_string())


if __name__ == "__main__":
    main()
