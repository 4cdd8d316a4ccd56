"""Decision records have one form, and their index is current."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("decisions", ROOT / "tools" / "decisions.py")
decisions = importlib.util.module_from_spec(spec)
spec.loader.exec_module(decisions)


def test_every_record_has_number_title_status_and_room():
    numbers = [record.number for record in decisions.records()]
    assert len(numbers) == len(set(numbers)) > 0


def test_the_index_is_current():
    assert decisions.main(["--check"]) == 0


def test_a_status_is_accepted_or_names_a_record_that_exists():
    found = decisions.records()
    numbers = {record.number for record in found}
    for record in found:
        word, *rest = record.status.split(" ", 2)
        assert word.rstrip(";") in ("accepted", "superseded"), record
        if word == "superseded":
            assert rest[0] == "by" and (rest[1][:4] in numbers or "docs/" in rest[1]), record


def test_a_wrong_head_is_refused(tmp_path):
    path = tmp_path / "0001-x.md"
    path.write_text("# 1. Title\n")
    with pytest.raises(ValueError, match="must begin with '# 0001 Title'"):
        decisions.read(path)


def test_accepted_records_name_files_that_exist():
    rooms = [ROOT, ROOT / "src", ROOT / "src" / "lapwing", ROOT / "tests"]
    missing = []
    for path in sorted((ROOT / "docs" / "decisions").glob("0*.md")):
        text = path.read_text(encoding="utf-8")
        if "Status: accepted" in text:
            named = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", text))
            missing += [
                f"{path.name}: {name}"
                for name in sorted(named)
                if not any((room / name).exists() for room in rooms)
            ]
    assert not missing, "\n".join(missing)
