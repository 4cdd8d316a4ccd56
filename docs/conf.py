"""Builds the site: ``sphinx-build -W docs OUT``. Neither build nor reader needs a network."""

import inspect
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# The examples must not compete for the cores.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import generated  # noqa: E402

from lapwing import __version__  # noqa: E402

generated.write_all(HERE)

project = "Lapwing"
copyright = "The Lapwing developers"
author = "The Lapwing developers"
release = version = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
default_role = "code"  # `name` in examples and docstrings is code
templates_path = ["_templates"]
exclude_patterns = ["_build", "reproduction/report.html", "**/README-proposal.md"]
suppress_warnings = ["myst.header", "config.cache"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence", "deflist", "attrs_block", "attrs_inline"]
myst_links_external_new_tab = False

autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"  # the list beside a page has room for short names only
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "auto_examples",
    "filename_pattern": r"plot_",
    "ignore_pattern": r"__init__|dask|expected",
    "within_subsection_order": "FileNameSortKey",
    "write_computation_times": False,
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "backreferences_dir": "api/backreferences",
    "doc_module": ("lapwing",),
    "min_reported_time": 1e9,
    "abort_on_example_error": True,
    "default_thumb_file": str(HERE / "_static" / "thumb.png"),
    "capture_repr": (),
    "matplotlib_animations": False,
    "nested_sections": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "Lapwing"
html_static_path = ["_static"]
html_css_files = ["lapwing.css"]
html_copy_source = False
html_search_scorer = str(HERE / "scorer.js")
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "Lapwing"},
    "show_toc_level": 2,
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "navigation_with_keys": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "github-dark",
}
html_sidebars = {
    "index": [],
    "start": [], "choose": [], "pitfalls": [], "papers": [], "whats-new": [], "cite": [],
    "glossary": [], "coming-from": [], "contribute": [], "how-it-works": [], "combinations": [],
}  # fmt: skip


def escape_bars(app, what, name, obj, options, lines):
    """Docstrings write |x| for a modulus; Sphinx would read a substitution."""
    for i, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...", "+")):
            parts = line.split("``")  # every second part is a literal
            parts[::2] = [part.replace("|", "\\|") for part in parts[::2]]
            lines[i] = "``".join(parts)


def own_signature(app, what, name, obj, options, signature, returns):
    """Estimators answer old keywords in a wrapper; show the parameters behind it."""
    if what == "class" and signature == "(*args, **kwargs)":
        found = inspect.signature(obj)
        plain = [p.replace(annotation=inspect.Parameter.empty) for p in found.parameters.values()]
        return str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty)), None
    return None


def setup(app):
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("autodoc-process-signature", own_signature)
