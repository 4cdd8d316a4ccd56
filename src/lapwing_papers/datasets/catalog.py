"""Every data set of the papers: its files, and where the public copy is."""

from . import convert
from .download import Source
from .files import DataFiles

TARGET_SETS = (
    "atp1d", "atp7d", "edm", "enb", "jura", "oes10", "oes97",
    "osales", "sarcos", "scpf", "sf1", "sf2", "wq",
)  # fmt: skip

LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass"
LIBSVM_MULTILABEL = LIBSVM.replace("multiclass", "multilabel")
UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
MULAN = "https://raw.githubusercontent.com/tsoumakas/mulan"
FIRST, SECOND = (
    "122fce8fbefdb292ba3acbb03867a7fc8f1dcaa9",
    "49efcccb0666c59f57d942c13c6184af028c7650",
)
SCENE = "5862bed221a9ec2baf9a090f5e98637e9dfb088b"
"""Commits of MULAN's repository: what is at such an address never changes."""

MULTI_TARGET = {
    "atp1d": (6, FIRST, "7c73ec8ee60f2d6838c6342c7fbbfd9a93e3bd465e75ee663dfbe61de1dc58f0"),
    "atp7d": (6, FIRST, "5a0d5b83e8144b59fb8fd5c26fe972420105af0a3b76a7f1d82e7287ae684b5c"),
    "edm": (2, SECOND, "35786aa7658c5c4e6dbb4087f508e4ea6d839aa28b82ce804e0269859b1fb6e9"),
    "enb": (2, SECOND, "f38ed37a7fda176cc51b170567ec0d15427db85a7ff510c38427813eddfee233"),
    "jura": (3, FIRST, "7be9dfedcd26cae4f58f3430809de106c38ffc420f6eb2f7b305ee9667795a1f"),
    "oes10": (16, FIRST, "df73e281f76618cecde3840de55b040e351960448fb7bc9eeed9ad7d861db3c5"),
    "oes97": (16, FIRST, "254e5d6b75b4a186bb5ec87202e3827967670ad05aa90ed1c4a89213d79dae9a"),
    "osales": (12, FIRST, "fbe954750c89d801e16135ec6dc1095aac9033b3f47d297d6c9ddc4f539ab97a"),
    "scpf": (3, SECOND, "22989967a66603eeb18f4d8dc57abe35f2732e08ec6bd1ecdb55afb44448beea"),
    "sf1": (3, FIRST, "97d13f78f8fa8d73c3dc3fe9c20f399ca6fbfc901b996f9ba852fdf4ac7a7875"),
    "sf2": (3, FIRST, "a63a5aa6d94a27c780453514766f50db447bb8b08fbf61ac7445f63ed854ff39"),
    "wq": (14, SECOND, "965adec860fd57a60df8e04387131f240e1024ad486c542dfdb3870584248594"),
}
"""name ↦ (number of targets, commit, fingerprint)."""


def _multi_target(name: str, count: int, commit: str, content: str) -> DataFiles:
    source = Source(f"{MULAN}/{commit}/data/multi-target/{name}.arff")
    files = (f"mtr/{name}.npz",)
    return DataFiles(name, files, "MULAN", (source,), convert.targets(count), content)


CATALOG = {
    d.name: d
    for d in (
        DataFiles(
            "usps", ("usps.npz",), "the US Postal Service's digits, at LIBSVM",
            (
                Source(f"{LIBSVM}/usps.bz2", "md5:ec16c51db3855ca6c91edd34d0e9b197"),
                Source(f"{LIBSVM}/usps.t.bz2", "md5:8ea070ee2aca1ac39742fdd1ef5ed118"),
            ),
            convert.usps,
        ),
        DataFiles(
            "rcv1", ("rcv1sub1.X.npz", "rcv1sub1.npz"), "RCV1's topics, first subset, at LIBSVM",
            tuple(
                Source(f"{LIBSVM_MULTILABEL}/rcv1subset_topics_{part}_1.svm.bz2")
                for part in ("train", "test")
            ),
            convert.rcv1,
        ),
        DataFiles(
            "newsgroups", ("20news_bydate_raw.npz",), "20news-bydate, at figshare",
            (
                Source(
                    "https://ndownloader.figshare.com/files/5975967",
                    "sha256:8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
                ),
            ),
            convert.newsgroups,
        ),
        DataFiles(
            "mnist", ("mnist.npz",), "MNIST, at Keras",
            (
                Source(
                    "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz",
                    "sha256:731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1",
                ),
            ),
            convert.mnist,
        ),
        DataFiles(
            "mfeat", ("mfeat.npz",), "UCI Multiple Features",
            tuple(Source(f"{UCI}/mfeat/mfeat-{view}") for view in convert.VIEWS),
            convert.multiple_features,
            "4ef34883ebf2f2e1dd008260b52dd88ee246f9d2d742ade1e52eedc966a0eb5e",
        ),
        DataFiles(
            "isolet", ("isolet.npz",), "UCI Isolet",
            tuple(
                Source(f"{UCI}/isolet/isolet{part}.data.Z") for part in ("1+2+3+4", "5")
            ),
            convert.isolet, "5a185466fba1be3fe199c6e887f069ac78e876a1f180cdbf4fe6ecd8fbcc6ab9",
        ),
        DataFiles(
            "scene", ("scene.npz",), "MULAN",
            tuple(
                Source(f"{MULAN}/{SCENE}/data/multi-label/scene/scene-{part}.arff")
                for part in ("train", "test")
            ),
            convert.scene, "8042cd3823766a3628c40fe4226a987c2f6b3274cb5cf6906e636326e40c3deb",
        ),
        DataFiles(
            "sarcos", ("mtr/sarcos_test.npz",), "Rasmussen and Williams's GPML page",
            (Source("http://www.gaussianprocess.org/gpml/data/sarcos_inv_test.mat"),),
            convert.sarcos, "39b3401fe7da24f29e7b3171586a6b6633077d720ae63aab5d9f2e52e03dbd47",
        ),
        *(_multi_target(name, *known) for name, known in MULTI_TARGET.items()),
        DataFiles(
            "uspst", ("uspst_cz.npz",),
            "Chapelle and Zien's page of 2005 with its splits is gone and no copy is known to last",
        ),
        DataFiles(
            "webkb", ("webkb_course.npz",),
            "the two views of Sindhwani's experiments have no address that lasted",
        ),
        DataFiles(
            "teapots", ("teapots100.npz",),
            "Weinberger's images have no address that lasted",
        ),
    )
}  # fmt: skip
"""name ↦ files."""
