"""Every verb on a raw table, as a person would type it."""

import io
import json
import re
import sys

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pytest.importorskip("skrub")
pytest.importorskip("skops")

from lapwing.cli import main  # noqa: E402
from lapwing.tables import facts  # noqa: E402


@pytest.fixture
def run(folder, capsys):
    """Runs a command on ``data.csv`` and gives (code, stdout, stderr)."""

    def call(verb, *arguments, file="data.csv", target="topic"):
        words = [verb, str(folder / file)]
        words += ["--target", target, "--drop", "price"] if target == "topic" else []
        code = main([*words, *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture(scope="module")
def model(folder):
    path = folder / "topics.model"
    data = str(folder / "data.csv")
    assert main(["fit", data, "-t", "topic", "--drop", "price", "-o", str(path), "-q"]) == 0
    return path


def table(text):
    return pd.read_csv(io.StringIO(text), dtype={"ticket": str})


def test_look_says_what_is_there_and_what_is_done(run):
    code, out, err = run("look")
    found = table(out).set_index("column")
    assert code == 0 and found["kind"].to_dict() == {
        "ticket": "key", "subject": "text", "channel": "category", "minutes": "number",
        "opened": "date", "person": "category",
    }  # fmt: skip
    assert "160 rows, 8 columns" in err and "24 of 160 rows labeled" in err
    assert "left out: ticket (key)" in err
    assert err.rstrip().splitlines()[-1].startswith("next: lapwing fill")


def test_look_without_a_target_proposes_one(run):
    code, _, err = run("look", target=None)
    assert code == 0 and "--target topic" in err


def test_fill_answers_the_unlabeled_rows_and_changes_no_cell(run, folder, tmp_path):
    out = tmp_path / "filled.csv"
    code, printed, err = run("fill", "-o", out, "--proba")
    found, truth = pd.read_csv(out, dtype=str), pd.read_csv(folder / "truth.csv", dtype=str)
    assert code == 0 and printed == "" and f"wrote {out}" in err
    given = pd.read_csv(folder / "data.csv", dtype=str)
    pd.testing.assert_frame_equal(found[given.columns], given)  # "00007" is still "00007"
    assert (found["lapwing_prediction"] == truth["topic"]).mean() > 0.95
    model = found["lapwing_source"] == "model"
    assert model.sum() == 136 and found.loc[~model, "lapwing_confidence"].isna().all()
    p = found.loc[model, ["lapwing_p_bill", "lapwing_p_ship"]].astype(float)
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=2e-4)
    assert "95 % interval" in err and "leave-one-out" in err


def test_fill_in_a_pipe_from_standard_input_as_csv_or_json(folder, monkeypatch, capsys):
    def stdin():
        data = io.BytesIO((folder / "data.csv").read_bytes())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))

    stdin()
    assert main(["fill", "-", "-t", "topic", "--abstain", "0.9"]) == 0
    found = table(capsys.readouterr().out)
    unsure = found["lapwing_confidence"] < 0.9
    assert found.loc[unsure, "lapwing_prediction"].isna().all()
    assert found.loc[~unsure, "lapwing_prediction"].notna().all()
    stdin()
    assert main(["fill", "-", "-t", "topic", "--json", "-q"]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert err == "" and len(told["rows"]) == 160
    assert told["targets"]["topic"]["answered"] == 136


def test_real_targets_get_bounds_and_several_targets_suffixes(folder, capsys):
    code = main(["fill", str(folder / "data.csv"), "-t", "price,topic"])
    out, err = capsys.readouterr()
    found, truth = table(out), pd.read_csv(folder / "truth.csv")
    open_rows = found["lapwing_source_price"] == "model"
    inside = (found["lapwing_low_price"] <= truth["price"]) & (
        truth["price"] <= found["lapwing_high_price"]
    )
    assert code == 0 and inside[open_rows].mean() > 0.6  # 0.93 on average over other draws
    assert "lapwing_prediction_topic" in found and "R²" in err


def test_fit_predict_evaluate_and_show(folder, model, tmp_path, capsys):
    out = tmp_path / "answers.parquet"
    assert main(["predict", str(model), str(folder / "new.csv"), "-o", str(out)]) == 0
    assert "does not use" not in capsys.readouterr().err
    found, truth = pd.read_parquet(out), pd.read_csv(folder / "new.csv")
    assert (found["lapwing_prediction"] == truth["topic"]).mean() > 0.95
    assert main(["evaluate", str(model), str(folder / "new.csv"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["targets"]["topic"]
    assert told["wrong"] == (found["lapwing_prediction"] != truth["topic"]).sum()
    assert sum(row["rows"] for row in told["confusion"]) == 60 == told["count"]
    assert sum(b["rows"] for b in told["calibration"]) == 60
    assert main(["show", str(model), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["rows"] == 160 and len(shown["sha256"]) == 64 and shown["versions"]["lapwing"]
    assert shown["models"]["topic"]["certificate"] < 1e-6 and shown["models"]["topic"]["why"]
    assert main(["show", str(model)]) == 0
    assert "converged" in capsys.readouterr().err


def test_predict_lists_what_is_missing_new_or_other(folder, model, tmp_path, capsys):
    frame = pd.read_csv(folder / "new.csv")
    other = frame.drop(columns="subject").assign(minutes="long", extra=1)
    other.to_csv(tmp_path / "other.csv", index=False)
    assert main(["predict", str(model), str(tmp_path / "other.csv")]) == 1
    err = capsys.readouterr().err
    assert "missing: subject" in err and "new: " in err and "minutes (was number" in err
    frame.assign(extra=1).to_csv(tmp_path / "more.csv", index=False)
    assert main(["predict", str(model), str(tmp_path / "more.csv")]) == 0
    assert "does not know and does not use: extra" in capsys.readouterr().err


def test_compare_says_one_sentence_and_draws_one_picture(run, tmp_path):
    picture = tmp_path / "compare.svg"
    code, out, err = run("compare", "--folds", "3", "--picture", picture)
    found = table(out).set_index("method")
    assert code == 0 and found.index[0] == "Lapwing"
    assert {"Lapwing without the graph", "SVC", "random forest", "gradient boosting",
            "label spreading"} <= set(found.index)  # fmt: skip
    assert (found["low"] <= found["more_than_lapwing"]).all()
    assert "unlabeled rows" in err and picture.read_text().startswith("<svg")


def test_groups_stay_together(run, folder):
    code, _, err = run("fill", "--group", "person", "--json")
    assert code == 0 and "leaving out one group at a time" in err
    assert "with allowance for the choice of settings" in err
    assert run("compare", "--group", "person", "--folds", "3")[0] == 0


@pytest.fixture
def twins(tmp_path):
    """Forty people with six rows each that are nearly copies; classes that nothing tells."""
    rng = np.random.default_rng(0)
    people = np.repeat(np.arange(40), 6)
    X = rng.normal(size=(40, 4))[people] + 1e-3 * rng.normal(size=(240, 4))
    frame = pd.DataFrame(X, columns=list("abcd")).assign(
        person=[f"p{i}" for i in people], y=np.array(["u", "v"])[rng.integers(0, 2, 40)][people]
    )
    frame.to_csv(tmp_path / "all.csv", index=False)
    frame.loc[people >= 25, "y"] = None
    frame.to_csv(tmp_path / "some.csv", index=False)
    return tmp_path


def test_a_group_reaches_choice_error_and_simulation(twins, capsys):
    def told(*words):
        assert main([*map(str, words), "-t", "y", "--json"]) == 0
        return json.loads(capsys.readouterr().out)["targets"]["y"]

    group = ("--group", "person")
    alone = told("fill", twins / "some.csv", "--drop", "person")["errors"]
    together = told("fill", twins / "some.csv", *group)["errors"]
    assert alone["high"] < 0.1  # a twin tells the left-out label
    assert together["value"] > 0.25 and together["high"] > 0.5
    numbers = ("--start", "100", "--stop", "100", "--draws", "1")
    alone = told("simulate", twins / "all.csv", "--drop", "person", *numbers)
    together = told("simulate", twins / "all.csv", *group, "--start", "20", "--stop", "20")
    assert alone["mean"][-1]["random"] < 0.1 < 0.25 < together["mean"][-1]["random"]


def test_labels_of_one_group_are_said(folder, tmp_path, capsys):
    frame = pd.read_csv(folder / "data.csv", dtype=str)
    frame["person"] = "p1"
    frame.to_csv(tmp_path / "one.csv", index=False)
    for verb in ("fill", "compare"):
        words = [verb, str(tmp_path / "one.csv"), "-t", "topic", "--group", "person"]
        assert main(words) == 1
        assert "in one group" in capsys.readouterr().err


def test_next_and_suspect_list_rows(run, folder):
    code, out, _ = run("next", "-n", "4", "--id", "ticket")
    rows, data = table(out), pd.read_csv(folder / "data.csv", dtype=str)
    assert code == 0 and len(rows) == 4
    given = data.iloc[rows["row"] - 1]
    assert given["topic"].isna().all() and given["ticket"].tolist() == rows["ticket"].tolist()
    code, out, err = run("suspect", "--json")
    told = json.loads(out)["rows"]
    assert code == 0 and all(row["label"] != row["others_say"] for row in told)
    assert f"{len(told)} of 24 labels" in err


def test_a_label_that_was_changed_is_suspected(folder, tmp_path, capsys):
    frame = pd.read_csv(folder / "data.csv", dtype=str)
    row = int(np.flatnonzero(frame["topic"] == "ship")[0])
    frame.loc[row, "topic"] = "bill"
    frame.drop(columns="price").to_csv(tmp_path / "wrong.csv", index=False)
    assert main(["suspect", str(tmp_path / "wrong.csv"), "-t", "topic", "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)["rows"]
    assert row + 1 in [r["row"] for r in told]


def test_report_is_one_page_and_the_same_as_json(run, tmp_path):
    code, _, err = run("report", "-o", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert (
        code == 0
        and page.count("<svg") == 2
        and page.count('class="bars"') == 2
        and "unlabeled rows" in err
    )
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")  # nothing from outside
    for words in ("95 % interval", "Rows to label next", "Labels that look wrong",
                  "Did the unlabeled rows help", "SHA-256", "leave-one-out"):  # fmt: skip
        assert words in page
    assert run("report", "--no-compare", "-o", tmp_path / "report.json")[0] == 0
    told = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert len(told["targets"]["topic"]["map"]["x"]) == 160
    assert len(told["targets"]["topic"]["next"]) == 10


def test_reports_of_several_targets_real_ones_and_several_labels(folder, tmp_path, capsys):
    frame = pd.read_csv(folder / "truth.csv", dtype=str)
    known = np.arange(160) < 60
    truth = 10_000 * frame["price"].astype(float)
    frame["price"] = truth.where(known)
    frame["tags"] = (frame["topic"] + np.where(frame["channel"] == "web", ";online", "")).where(
        known
    )
    frame.to_csv(tmp_path / "many.csv", index=False)
    out = tmp_path / "many.html"
    words = ["report", str(tmp_path / "many.csv"), "-t", "price", "-t", "tags", "--separator", ";",
             "--drop", "topic", "--no-compare", "-o", str(out)]  # fmt: skip
    assert main(words) == 0
    page = out.read_text(encoding="utf-8")
    assert 'href="#target-1"' in page and 'id="target-1"' in page
    assert not re.search(r"\d\.\d+e\+0", page) and re.search(r"below \d+,\d", page)
    assert "of single labels wrong" in page and "not wholly right" not in page
    assert "95 % bounds narrower than" in page and "Unlabeled rows with each label" in page
    assert main([*words[:-1], str(tmp_path / "many.json")]) == 0
    told = json.loads((tmp_path / "many.json").read_text(encoding="utf-8"))["targets"]
    real, tags = told["price"], told["tags"]
    assert sum(b["rows"] for b in real["values"]["bins"]) == 100
    assert real["errors"]["low"] < real["errors"]["value"] < real["errors"]["high"]
    assert real["errors"]["r2"] == pytest.approx(
        1 - real["errors"]["value"] ** 2 / truth[known].var(ddof=0), abs=1e-6
    )
    assert set(tags["answers"]) <= {"bill", "ship", "online", "(no label)"}
    assert sum(b["rows"] for b in tags["confidence"]) == 3 * 100  # three labels a row


def test_a_map_names_seven_answers_and_the_others():
    names, codes = facts._commonest([f"c{i % 12}" for i in range(50)] + ["c0"])
    assert len(names) == 8 and names[0] == "c0" and names[-1] == "others"
    assert codes[11] == 7 and codes[0] == 0 and codes.max() == 7


def test_text_of_a_file_cannot_run_in_the_report(folder, tmp_path, capsys):
    frame = pd.read_csv(folder / "data.csv", dtype=str).drop(columns="price")
    frame = frame.rename(columns={"subject": "<b>subject</b>"})
    frame["<b>subject</b>"] = "<script>alert(1)</script> " + frame["<b>subject</b>"]
    frame["topic"] = frame["topic"].replace({"ship": "<img src=x onerror=alert(1)>"})
    frame.to_csv(tmp_path / "bad.csv", index=False)
    out = tmp_path / "report.html"
    arguments = ["report", str(tmp_path / "bad.csv"), "-t", "topic", "--no-compare", "-o", str(out)]
    assert main(arguments) == 0
    page = out.read_text(encoding="utf-8")
    assert "&lt;script&gt;" in page
    assert not any(tag in page for tag in ("<script", "<img", "<b>subject"))


def test_fit_writes_a_report_too(run, tmp_path):
    report = tmp_path / "r.html"
    assert run("fit", "-o", tmp_path / "m", "--report", report)[0] == 0
    assert "Map of the rows" in report.read_text(encoding="utf-8")


def test_simulate_follows_the_error(run, tmp_path):
    picture = tmp_path / "curve.svg"
    numbers = ["--step", "5", "--stop", "14", "--draws", "1", "--picture", picture]
    code, out, err = run("simulate", *numbers, file="truth.csv")
    found = table(out)
    assert code == 0 and found["labels"].tolist() == [4, 9, 14] and found["random"].notna().all()
    assert "at 14 labels" in err and "<polyline" in picture.read_text()


def test_several_labels_in_one_cell(folder, tmp_path, capsys):
    frame = pd.read_csv(folder / "truth.csv", dtype=str).drop(columns="price")
    both = frame["topic"] + np.where(frame["channel"] == "web", ";online", "")
    frame["topic"] = both.where(np.arange(160) < 40)
    frame.to_csv(tmp_path / "sets.csv", index=False)
    assert main(["fill", str(tmp_path / "sets.csv"), "-t", "topic", "--separator", ";"]) == 0
    found = table(capsys.readouterr().out)
    right = [set(str(a).split(";")) == set(b.split(";"))
             for a, b in zip(found["lapwing_prediction"], both, strict=True)]  # fmt: skip
    assert np.mean(right) > 0.7
    model, words = str(tmp_path / "sets.model"), ["-t", "topic", "--separator", ";"]
    assert main(["fit", str(tmp_path / "sets.csv"), *words, "-o", model, "-q"]) == 0
    frame.assign(topic=both).to_csv(tmp_path / "known.csv", index=False)
    assert main(["evaluate", model, str(tmp_path / "known.csv"), "--json"]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)["targets"]["topic"]
    assert told["value"] / 3 <= told["single"] <= told["value"]  # of three labels, one at least
    assert "% of single labels wrong" in err


def test_vectors_from_a_file_and_from_a_column(folder, tmp_path, capsys):
    rng = np.random.default_rng(0)
    frame = pd.read_csv(folder / "data.csv", dtype=str)[["ticket", "topic"]]
    side = (pd.read_csv(folder / "truth.csv")["topic"] == "ship").to_numpy()
    vectors = rng.normal(size=(160, 4)) + 3 * side[:, None]
    np.save(tmp_path / "emb.npy", vectors)
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.assign(emb=[json.dumps(v.tolist()) for v in vectors]).to_csv(
        tmp_path / "b.csv", index=False
    )
    answers = []
    for file, vector in (("a.csv", str(tmp_path / "emb.npy")), ("b.csv", "emb")):
        model = str(tmp_path / f"{file}.model")
        given = [str(tmp_path / file), "--vector", vector]
        assert main(["fit", *given, "-t", "topic", "-o", model, "-q"]) == 0
        extra = ["--vector", vector] if file == "a.csv" else []
        assert main(["predict", model, str(tmp_path / file), *extra]) == 0
        answers.append(table(capsys.readouterr().out)["lapwing_prediction"].to_numpy() == "ship")
    assert np.mean(answers[0] == side) > 0.95
    np.testing.assert_array_equal(answers[0], answers[1])


def test_what_fill_added_is_not_learned_from(run, folder, tmp_path, capsys):
    """A filled file with more labels is filled again: its old answers are no columns."""
    first, again = tmp_path / "first.csv", tmp_path / "again.csv"
    assert run("fill", "-o", first)[0] == 0
    data = [str(first), "-t", "topic", "--drop", "price"]
    assert main(["fill", *data, "-o", str(again)]) == 0
    err = capsys.readouterr().err
    assert "lapwing_prediction (earlier answer)" in err and "tells 'topic'" not in err
    pd.testing.assert_frame_equal(pd.read_csv(first), pd.read_csv(again))


def test_a_column_that_is_filled_in_with_the_target_is_said(folder, capsys):
    assert main(["look", str(folder / "data.csv"), "-t", "topic"]) == 0
    assert "column 'price' is empty wherever 'topic' is; --drop price" in capsys.readouterr().err


def test_a_separator_beside_targets_without_one(folder, tmp_path, capsys):
    frame = pd.read_csv(folder / "data.csv")
    frame["tags"] = frame["topic"] + np.where(frame["topic"] == "ship", ";far", "")
    frame.to_csv(tmp_path / "tags.csv", index=False)
    words = ["look", str(tmp_path / "tags.csv"), "-t", "tags,topic,price", "--separator", ";"]
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    tasks = {name: found["task"] for name, found in json.loads(out)["labels"].items()}
    assert tasks == {"tags": "labels", "topic": "class", "price": "real"}
    assert "no cell of 'topic' holds ';'" in err


@pytest.mark.parametrize("verb", ["compare", "simulate"])
def test_several_labels_are_compared_and_simulated(folder, tmp_path, capsys, verb):
    frame = pd.read_csv(folder / "truth.csv")
    slow = np.where(frame["minutes"] > frame["minutes"].median(), ";slow", "")
    frame["tags"] = frame["topic"] + slow
    if verb == "compare":
        frame.loc[30:, "tags"] = None
    frame.drop(columns=["topic", "price"]).to_csv(tmp_path / "tags.csv", index=False)
    more = ["--folds", "3"] if verb == "compare" else ["--draws", "1", "--stop", "20"]
    words = [verb, str(tmp_path / "tags.csv"), "-t", "tags", "--separator", ";", *more]
    assert main(words) == 0
    found = table(capsys.readouterr().out)
    ours = found.set_index("method")["loss"]["Lapwing"] if verb == "compare" else found["random"]
    assert np.all(ours < 0.45) and len(found) == (6 if verb == "compare" else 2)


def test_next_leads_to_the_page_with_the_same_columns(run):
    assert "lapwing label" in run("next", "-n", "1", "--id", "ticket")[2].splitlines()[-1]
    assert "--target topic --drop ticket,price" in run("next", "-n", "1", "--id", "ticket")[2]
