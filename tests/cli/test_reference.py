"""The command reference is what the help says; help and version load nothing heavy."""

import subprocess
import sys
from pathlib import Path

import pytest

from lapwing.cli.reference import reference
from lapwing.cli.verbs import VERBS

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="argparse writes its help otherwise there")
def test_the_page_is_made_from_the_help():
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "remake it: python -m lapwing.cli.reference > docs/command-line.md"
    )


def test_every_verb_is_on_the_page_with_an_example():
    page = PAGE.read_text(encoding="utf-8")
    for verb in VERBS:
        assert f"## lapwing {verb.name}" in page and verb.example in page
        assert verb.example.startswith(f"lapwing {verb.name} ")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["fill", "--help"]])
def test_help_and_version_load_no_numpy(arguments):
    code = (
        "import sys\nfrom lapwing.cli import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        "heavy = {'numpy', 'scipy', 'sklearn', 'pandas', 'skrub'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
