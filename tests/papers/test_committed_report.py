"""The report under docs/reproduction says what the records beside it say."""

from pathlib import Path

import pytest

from lapwing_papers import EXPERIMENTS
from lapwing_papers.markdown import table_lines
from lapwing_papers.runner import open_store

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reproduction"


@pytest.mark.parametrize("kind", EXPERIMENTS, ids=lambda kind: kind.names[0])
def test_tables_and_claims_are_those_of_the_records(kind):
    experiment = kind()
    store = open_store(experiment, FOLDER)
    assert store.done, f"{experiment.name} has no committed records"
    report = (FOLDER / "report.md").read_text(encoding="utf-8")
    records = store.records()
    for table in experiment.tables(records):
        assert "\n".join(table_lines(table)) in report
    for claim in experiment.claims(records):
        assert f"| {claim.text} | {claim.verdict} | {claim.detail} |" in report


def test_the_page_holds_its_pictures():
    page = (FOLDER / "report.html").read_text(encoding="utf-8")
    pictures = sorted((FOLDER / "figures").iterdir())
    assert page.count("data:image/png;base64,") == len(pictures) > 10
