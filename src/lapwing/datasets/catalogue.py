"""Every data set of the papers: its files, and where the public copy is."""

from __future__ import annotations

from .files import DataFiles

TARGET_SETS = (
    "atp1d", "atp7d", "edm", "enb", "jura", "oes10", "oes97",
    "osales", "sarcos", "scpf", "sf1", "sf2", "wq",
)  # fmt: skip

CATALOGUE = {
    d.name: d
    for d in (
        DataFiles("usps", ("usps.npz",), "the US Postal Service digits"),
        DataFiles("uspst", ("uspst_cz.npz",), "Chapelle and Zien's file of 2005"),
        DataFiles("isolet", ("isolet.npz",), "UCI Isolet"),
        DataFiles("webkb", ("webkb_course.npz",), "Sindhwani's WebKB"),
        DataFiles("scene", ("scene.npz",), "MULAN scene"),
        DataFiles("rcv1", ("rcv1sub1.X.npz", "rcv1sub1.npz"), "MULAN rcv1subset1"),
        DataFiles("newsgroups", ("20news_bydate_raw.npz",), "20news-bydate"),
        DataFiles("teapots", ("teapots100.npz",), "Weinberger's teapot"),
        DataFiles("mfeat", ("mfeat.npz",), "UCI Multiple Features"),
        DataFiles("mnist", ("mnist.npz",), "MNIST"),
        *(
            DataFiles(n, (f"mtr/{'sarcos_test' if n == 'sarcos' else n}.npz",), "MULAN")
            for n in TARGET_SETS
        ),
    )
}
"""name ↦ files."""
