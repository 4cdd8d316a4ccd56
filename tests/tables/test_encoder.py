"""Raw columns become a matrix in which a change of category counts like a standard deviation."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

pd = pytest.importorskip("pandas")
skrub = pytest.importorskip("skrub")

from lapwing import LapRLSClassifier, LapRLSRegressor, LapSVC  # noqa: E402
from lapwing.model_selection import LabeledStratifiedKFold  # noqa: E402
from lapwing.tables import (  # noqa: E402
    ColumnWarning,
    Encoder,
    TableError,
    leaks,
    pipeline,
)
from lapwing.tables.columns import plan  # noqa: E402

rng = np.random.default_rng(0)
N = 120
TRUTH = np.array(["no", "yes"])[rng.integers(0, 2, N)]
SIDE = (TRUTH == "yes").astype(float)


def table():
    words = np.array(["parcel lost late", "invoice paid twice"])[SIDE.astype(int)]
    frame = pd.DataFrame(
        {
            "row": np.arange(1, N + 1),
            "ticket": [f"T{i:05d}" for i in range(N)],
            "age": rng.normal(40, 10, N) + 10 * SIDE,
            "income": rng.lognormal(10, 1, N) * (1 + SIDE),
            "town": rng.choice(["Lyon", "Bonn", "Rome"], N),
            "open": rng.random(N) < 0.3 + 0.4 * SIDE,
            "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 900, N), "D"),
            "note": [f"{w} {rng.integers(0, 999)}" for w in words],
            "nothing": [None] * N,
            "same": ["x"] * N,
        }
    )
    frame.loc[rng.random(N) < 0.1, "age"] = np.nan
    frame.loc[rng.random(N) < 0.1, "town"] = None
    return frame


FRAME = table()
KINDS = {
    "row": "row number", "ticket": "key", "age": "number", "income": "number", "town": "category",
    "open": "yes/no", "since": "date", "note": "text", "nothing": "empty", "same": "constant",
}  # fmt: skip


def as_given(kind):
    if kind == "pandas":
        return FRAME
    if kind == "polars":
        return pytest.importorskip("polars").from_pandas(FRAME)
    if kind == "strings for dates":
        return FRAME.assign(since=FRAME["since"].dt.strftime("%Y-%m-%d"))
    return FRAME.assign(town=FRAME["town"].astype("category"))


@pytest.mark.parametrize("kind", ["pandas", "polars", "strings for dates", "categories"])
def test_every_kind_of_column_is_known_and_encoded(kind):
    X = as_given(kind)
    encoder = Encoder()
    Z = encoder.fit_transform(X)
    assert dict(zip(encoder.describe()["column"], encoder.describe()["kind"], strict=True)) == KINDS
    assert np.isfinite(Z).all() and Z.dtype == np.float64
    assert len(encoder.get_feature_names_out()) == Z.shape[1]
    assert len(set(encoder.get_feature_names_out())) == Z.shape[1]
    np.testing.assert_array_equal(encoder.transform(X), Z)
    np.testing.assert_array_equal(clone(encoder).fit_transform(X), Z)
    np.testing.assert_allclose(encoder.transform(X[:7]), Z[:7], atol=1e-6)
    assert encoder.describe()["features"].sum() == Z.shape[1]


def block(encoder, Z, name):
    names = encoder.get_feature_names_out()
    return Z[:, [n.startswith(name) for n in names]]


def test_scales_of_all_kinds_are_alike():
    encoder = Encoder()
    Z = encoder.fit_transform(FRAME)
    known = FRAME["age"].notna()
    assert block(encoder, Z, "age")[known].std() == pytest.approx(1.0, abs=0.1)
    town = block(encoder, Z, "town")
    lyon, bonn = (town[(FRAME["town"] == t).to_numpy()][0] for t in ("Lyon", "Bonn"))
    assert np.linalg.norm(lyon - bonn) == pytest.approx(2**0.5)
    yes = block(encoder, Z, "open")
    assert np.ptp(yes) == pytest.approx(2**0.5)
    for name, variance in (("note", 2.0), ("since", 2.0)):
        assert block(encoder, Z, name).var(axis=0).sum() == pytest.approx(variance, abs=0.05)


def test_gaps_are_the_median_and_outliers_do_not_flatten_a_column():
    frame = pd.DataFrame({"a": [*range(1, 100), 1e9, None], "b": np.arange(101) % 7 * 1.5})
    Z = Encoder().fit_transform(frame)
    assert Z[-1, 0] == pytest.approx(Z[50, 0], abs=0.05)
    assert np.ptp(Z[:99, 0]) > 2  # standardized it would be 1e-6
    assert np.isfinite(Encoder().fit_transform(frame.assign(a=[np.inf, *range(100)]))).all()


def test_medians_and_categories_come_from_unlabeled_rows_too():
    y = np.where(np.arange(N) < 10, TRUTH, None)
    fitted = pipeline(LapRLSClassifier()).fit(FRAME, y)
    np.testing.assert_array_equal(fitted[0].transform(FRAME), Encoder().fit_transform(FRAME))


def test_codes_with_leading_zeros_are_no_numbers():
    frame = pd.DataFrame({"zip": ["00501", "10001", "00501", None] * 10, "n": np.arange(40) ** 2.0})
    encoder = Encoder().fit(frame)
    assert encoder.describe()["kind"].tolist() == ["category", "number"]
    assert np.isfinite(encoder.transform(frame)).all()


def test_vectors_and_roles():
    X = FRAME.assign(emb=list(rng.normal(size=(N, 5))))
    encoder = Encoder(text=["town"], drop=["age"], keep=["ticket"]).fit(X)
    kinds = dict(zip(encoder.describe()["column"], encoder.describe()["kind"], strict=True))
    assert kinds["emb"] == "vector" and kinds["town"] == "text" and kinds["age"] == "dropped"
    assert kinds["ticket"] == "text"
    assert [n for n in encoder.get_feature_names_out() if n.startswith("emb_")] == [
        f"emb_{i}" for i in range(5)
    ]


@pytest.mark.parametrize(
    "options, match",
    [
        ({"drop": ["aeg"]}, "no column 'aeg' for drop; the columns are"),
        ({"text": "note"}, "must be a list"),
        ({"drop": list(FRAME.columns)}, "No column is left"),
    ],
)
def test_wrong_roles_are_said(options, match):
    with pytest.raises(TableError, match=match):
        Encoder(**options).fit(FRAME)


def test_other_columns_are_listed():
    encoder = Encoder().fit(FRAME)
    other = FRAME.drop(columns=["town", "same"]).assign(age="old", extra=1, since="soon " + TRUTH)
    with pytest.raises(TableError) as found:
        encoder.transform(other)
    text = str(found.value)
    assert "missing: town;" in text and "new: extra" in text
    assert "age (was number" in text and "since (was date" in text
    encoder.transform(FRAME.drop(columns=["same", "ticket"]))  # what is not used is not needed
    new = FRAME.head(3).assign(town="Oslo")
    assert np.isfinite(encoder.transform(new)).all()  # a new category is none of the old ones


def test_a_copy_of_the_target_is_warned_of():
    y = np.where(np.arange(N) < 40, TRUTH, None)
    X = FRAME.assign(copy=np.where(SIDE > 0, "1", "0"))
    assert leaks(X, y) == ["copy"]
    price = np.where(np.arange(N) < 40, FRAME["income"], np.nan)
    euros = FRAME.assign(euros=0.9 * FRAME["income"])[["age", "euros"]]
    assert leaks(euros, price) == ["euros"] and leaks(FRAME[["age"]], price) == []
    with pytest.warns(ColumnWarning, match="'copy' tells the target of every labeled row"):
        Encoder().fit(X, y)


@pytest.mark.parametrize("estimator", [LapRLSClassifier(), LapSVC()])
@pytest.mark.parametrize("make", [pipeline, skrub.tabular_pipeline])
def test_raw_tables_are_learned_by_our_pipeline_and_by_skrubs(estimator, make):
    y = np.where(np.arange(N) < 30, TRUTH, None)
    X = FRAME.drop(columns=["nothing", "ticket", "row"]) if make is not pipeline else FRAME
    model = make(clone(estimator)).fit(X, y)
    assert np.mean(model.predict(X) == TRUTH) > 0.85


def test_a_pipeline_clones_searches_and_tells_what_its_model_knows():
    y = np.where(np.arange(N) < 30, TRUTH, None)
    model = pipeline(LapRLSClassifier(kernel="rbf", regularizer=None, gamma_A="rule"))
    grid = {"model__gamma_A": ["rule", "10*rule"]}
    search = GridSearchCV(model, grid, cv=LabeledStratifiedKFold(3))
    best = search.fit(FRAME, y).best_estimator_
    assert best.describe().shape == (10, 6)
    assert len(best.next_to_label(3)) == 3 and best.leave_one_out_.shape == (N, 1)
    assert best.unreached_.shape == best.transduction_.shape == (N,)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        best.nonsense  # noqa: B018


def test_real_targets():
    target = np.where(np.arange(N) < 40, FRAME["income"].rank() / N, np.nan)
    model = pipeline(LapRLSRegressor()).fit(FRAME, target)
    assert np.corrcoef(model.predict(FRAME), FRAME["income"].rank())[0, 1] > 0.8


def test_each_distinct_text_is_encoded_once(monkeypatch):
    titles = [f"{a} {b}" for a in ("clerk", "nurse", "baker", "pilot") for b in range(15)]
    frame = pd.DataFrame({"title": [*titles, None] * 50, "pay": np.arange(3050) ** 1.5})
    encoder = Encoder(random_state=0).fit(frame)
    seen, transform = [], skrub.StringEncoder.transform

    def counted(self, X):
        seen.append(len(X))
        return transform(self, X)

    monkeypatch.setattr(skrub.StringEncoder, "transform", counted)
    Z = encoder.transform(frame)
    assert seen == [len(titles) + 1]
    np.testing.assert_allclose(Z[::61], encoder.transform(frame[::61]), atol=1e-6)
    np.testing.assert_allclose(Z[:61, :30], Z[61:122, :30])


def test_booleans_beside_gaps_are_yes_or_no():
    frame = pd.DataFrame({"on": [True, None, False, True] * 5, "n": np.arange(20) ** 2.0})
    encoder = Encoder()
    Z = encoder.fit_transform(frame)
    assert encoder.describe()["kind"].tolist() == ["yes/no", "number"]
    assert Z[0, 0] - Z[2, 0] == pytest.approx(2**0.5)
    assert Z[1, 0] == pytest.approx(0.0)  # the mean


def test_a_date_is_the_time_that_has_passed():
    dates = pd.to_datetime(["2024-01-01", "2024-01-11", None, "2024-01-31"] * 5)
    Z = Encoder().fit_transform(pd.DataFrame({"since": dates, "n": np.arange(20) ** 2.0}))
    assert (Z[3, 0] - Z[1, 0]) / (Z[1, 0] - Z[0, 0]) == pytest.approx(2.0, abs=1e-3)
    assert Z.shape == (20, 4) and Z[2, 0] == pytest.approx(0.0)


def test_a_date_has_a_place_in_the_year_the_week_and_the_day():
    """January lies beside December, Sunday beside Monday, 23 h beside 1 h."""
    days = pd.date_range("2021-01-01", "2023-12-31", freq="7h")
    Z = Encoder().fit_transform(pd.DataFrame({"at": days}))
    names = ["at_time", "at_year_cos", "at_year_sin", "at_week_cos", "at_week_sin"]
    names += ["at_day_cos", "at_day_sin"]
    assert Encoder().fit(pd.DataFrame({"at": days})).get_feature_names_out().tolist() == names
    year, week, day = Z[:, 1:3], Z[:, 3:5], Z[:, 5:7]

    def apart(places, one, other):
        return np.linalg.norm(places[one].mean(axis=0) - places[other].mean(axis=0))

    assert apart(year, days.month == 1, days.month == 12) < 0.4 * apart(
        year, days.month == 1, days.month == 7
    )
    assert apart(week, days.day_of_week == 6, days.day_of_week == 0) < 0.6 * apart(
        week, days.day_of_week == 6, days.day_of_week == 3
    )
    assert apart(day, days.hour == 23, days.hour == 1) < 0.4 * apart(
        day, days.hour == 23, days.hour == 11
    )
    np.testing.assert_allclose(Z.mean(axis=0), 0.0, atol=1e-9)


@pytest.mark.parametrize(
    "dates, parts",
    [
        (pd.date_range("2024-01-01", "2024-01-12"), 1),
        (pd.date_range("2024-01-01", "2024-06-01"), 3),
        (pd.date_range("2024-01-01", "2025-06-01", freq="11h"), 5),
        (pd.date_range("2020-01-01", "2024-06-01", freq="9D"), 5),
    ],
)
def test_a_period_counts_where_the_dates_cover_it_twice(dates, parts):
    frame = pd.DataFrame({"at": dates.astype(object), "n": np.arange(len(dates)) ** 2.0})
    frame.loc[3, "at"] = None
    Z = Encoder().fit_transform(frame)
    assert Z.shape[1] == parts + 1
    np.testing.assert_array_equal(Z[3, :parts], 0.0)


@pytest.mark.parametrize(
    "name, values, kind",
    [
        ("place", np.random.default_rng(0).permutation(60) + 500, "row number"),
        ("customer_id", np.arange(60) * 7 + 3, "key"),
        ("customerID", np.arange(60) * 7 + 3, "key"),
        ("paid", np.arange(60) * 7 + 3, "number"),
        ("order_no", np.arange(60) // 2, "number"),
        ("lapwing_confidence", np.linspace(0, 1, 60), "earlier answer"),
    ],
)
def test_numbers_that_only_name_a_row_are_left_out(name, values, kind):
    series = pd.Series(values, name=name)
    assert plan(series).kind == kind
    assert plan(series, keep=[name]).kind == "number"
