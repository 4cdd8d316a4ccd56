"""A table of mixed columns with a few labels, and what a person would have beside it."""

import numpy as np
import pytest

WORDS = {
    "bill": ["invoice", "payment", "refund", "price", "card"],
    "ship": ["parcel", "courier", "late", "box", "address"],
}


def make_table(n, seed):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("skrub")
    rng = np.random.default_rng(seed)
    topic = np.array(list(WORDS))[rng.integers(0, 2, n)]
    side = topic == "ship"
    frame = pandas.DataFrame(
        {
            "ticket": [f"{i:05d}" for i in range(n)],
            "subject": [" ".join(rng.choice(WORDS[t], 4)) for t in topic],
            "channel": rng.choice(["web", "mail", "phone"], n),
            "minutes": np.round(rng.gamma(2 + 2 * side, 10), 2),
            "opened": pandas.Timestamp("2024-01-01")
            + pandas.to_timedelta(rng.integers(0, 300, n), "D"),
            "person": rng.choice([f"p{i}" for i in range(25)], n),
            "price": np.round(rng.normal(10, 1, n) + 5 * side, 3),
        }
    )
    frame.loc[rng.random(n) < 0.1, "channel"] = None
    frame.loc[rng.random(n) < 0.1, "minutes"] = np.nan
    return frame, topic, rng


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """``data.csv`` with 24 labels of 160, ``truth.csv`` with all, ``new.csv`` with other rows."""
    path = tmp_path_factory.mktemp("tables")
    frame, topic, rng = make_table(160, 0)
    known = rng.permutation(160)[:24]
    frame["topic"] = topic
    frame.to_csv(path / "truth.csv", index=False)
    hidden = ~np.isin(np.arange(160), known)
    frame.loc[hidden, "topic"] = None
    frame.loc[hidden, "price"] = np.nan
    frame.to_csv(path / "data.csv", index=False)
    new, truth, _ = make_table(60, 1)
    new["topic"] = truth
    new.to_csv(path / "new.csv", index=False)
    return path
