"""Files as people have them: each is read, or refused in one sentence."""

import gzip
import io
import sys

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pytest.importorskip("skrub")

from lapwing.tables import TableError, read, read_file  # noqa: E402

FRAME = pd.DataFrame({"town": ["Lyon", "Köln", None], "price": [1.5, 2.25, 7.0]})


def write(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def same(found):
    assert found["town"].tolist()[:2] == ["Lyon", "Köln"] and pd.isna(found["town"][2])
    np.testing.assert_array_equal(found["price"], FRAME["price"])


@pytest.mark.parametrize(
    "name, text, encoding, said",
    [
        ("a.csv", "town,price\nLyon,1.5\nKöln,2.25\n,7\n", "utf-8", ()),
        ("a.csv", "town,price\nLyon,1.5\nKöln,2.25\n,7\n", "utf-8-sig", ("byte-order mark",)),
        ("a.csv", "town;price\nLyon;1,5\nKöln;2,25\n;7\n", "latin-1", ("Latin-1", "';'", "commas")),
        ("a.txt", "town|price\nLyon|1.5\nKöln|2.25\n|7\n", "utf-8", ("'|'",)),
        ("a.tsv", "town\tprice\nLyon\t1.5\nKöln\t2.25\n\t7\n", "utf-16", ("UTF-16", "tabs")),
        ("a.csv", "town,price\r\nLyon,1.5\r\nKöln,2.25\r\n,7\r\n", "utf-8", ()),
    ],
)
def test_delimiter_encoding_and_decimal_sign_are_found_and_said(
    tmp_path, name, text, encoding, said
):
    reading = read_file(write(tmp_path / name, text, encoding))
    same(reading.frame)
    assert all(word in str(reading) for word in said)
    assert "3 rows, 2 columns" in str(reading)


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "xlsx", "csv.gz"])
def test_other_formats_by_their_ending(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    if ending == "parquet":
        pytest.importorskip("pyarrow")
        FRAME.to_parquet(path)
    elif ending == "jsonl":
        path.write_text(FRAME.to_json(orient="records", lines=True))
    elif ending == "xlsx":
        pytest.importorskip("openpyxl")
        FRAME.to_excel(path, index=False)
    else:
        path.write_bytes(gzip.compress(FRAME.to_csv(index=False).encode()))
    same(read(path))


def test_a_dash_is_the_standard_input(monkeypatch):
    data = io.BytesIO(FRAME.to_csv(index=False).encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    reading = read_file("-")
    same(reading.frame)
    assert reading.name == "standard input"


def test_quoted_newlines_and_delimiters_stay_in_their_cell(tmp_path):
    path = write(tmp_path / "a.csv", 'text,n\n"two\nlines, one comma",1\nplain,2\n')
    assert read(path)["text"].tolist() == ["two\nlines, one comma", "plain"]


def test_names_that_occur_twice_or_not_at_all_are_said(tmp_path):
    reading = read_file(write(tmp_path / "a.csv", "a,b,a,\n1,2,3,4\n5,6,7,8\n"))
    assert reading.frame.columns.tolist()[:3] == ["a", "b", "a.1"]
    assert "'a' occurs 2 times (renamed 'a.1')" in str(reading)
    assert "1 column without a name" in str(reading)
    assert "is the header missing" in str(read_file(write(tmp_path / "b.csv", "1,2\n3,4\n")))


def test_cells_are_kept_as_they_were_written(tmp_path):
    text = "code,n,x\n007,1.10,NA\n010,2.00,\n"
    reading = read_file(write(tmp_path / "a.csv", text))
    assert reading.frame["code"].tolist() == ["007", "010"]  # no numbers: zeros would be lost
    assert reading.frame["x"].isna().all()
    assert reading.as_written().to_csv(index=False) == text


def test_rows_longer_than_the_header_are_not_cut(tmp_path):
    reading = read_file(write(tmp_path / "a.csv", "a,b\nx,1,2\ny,3,4\n"))
    assert reading.frame.shape == (2, 3) and "more fields" in str(reading)


@pytest.mark.parametrize(
    "name, data, match",
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"  \n\n", "is empty"),
        ("a.csv", b"a,b\n", "a header and no rows"),
        ("a.csv", b"a,b\n1,2\n3,4,5\n", "line 3, saw 3"),
        ("a.csv", b"\x00\x01\x02\x00", "is no text"),
        ("a.parquet", b"PAR1 but not really", "cannot be read as Parquet"),
        ("a.jsonl", b'{"a": 1}\n{"a": ', "cannot be read as JSON lines"),
        ("a.xlsx", b"PK\x03\x04 but not really", "cannot be read as Excel"),
        ("a.csv.gz", b"\x1f\x8b but not really", "damaged or cut short"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path, name, data, match):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(TableError, match=match) as found:
        read(tmp_path / name)
    assert "\n" not in str(found.value)


def test_a_directory_a_missing_file_and_a_wrong_encoding(tmp_path):
    write(tmp_path / "data.csv", "a\né\n", "latin-1")
    with pytest.raises(TableError, match="is a directory"):
        read(tmp_path)
    with pytest.raises(TableError, match=r"There is no file .*dta.csv. Files there: data.csv"):
        read(tmp_path / "dta.csv")
    with pytest.raises(TableError, match="not written in utf-8"):
        read(tmp_path / "data.csv", encoding="utf-8")
    with pytest.raises(TableError, match="no encoding 'klingon'"):
        read(tmp_path / "data.csv", encoding="klingon")
