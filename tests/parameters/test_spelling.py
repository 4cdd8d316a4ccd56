"""An unknown keyword is answered with the name that is meant."""

import copy
import inspect
import pickle
import subprocess
import sys

import pytest
from sklearn.base import clone

import lapwing
from lapwing import LapRLSClassifier, LapSVC, RegularizedSpectralClustering
from lapwing.graphs import KNN
from lapwing.kernels import RBF, Linear
from lapwing.model_selection import LabeledStratifiedKFold, TransductiveSearchCV
from lapwing.outputs import LabelSets, OutputGraph
from lapwing.regularizers import HessianEnergy
from lapwing.spaces import Landmarks

UNKNOWN = [
    (KNN, {"k": 3}, "n_neighbors"),
    (OutputGraph, {"k": 3}, "n_neighbors"),
    (LabelSets, {"k": 3}, "n_labels"),
    (HessianEnergy, {"dim": 2}, "n_components"),
    (Landmarks, {"m": 10}, "n_components"),
    (LapRLSClassifier, {"unlabelled": None}, "it is unlabeled now"),
    (LabeledStratifiedKFold, {"unlabelled": 0}, "it is unlabeled now"),
    (TransductiveSearchCV, {"unlabelled": 0}, "it is unlabeled now"),
    (LapSVC, {"C": 10}, r"gamma_A = 1/\(2 C l\)"),
    (LapSVC, {"n_neighbors": 5}, r"KNN\(n_neighbors=10\)"),
    (LapSVC, {"gamma": 0.1}, r"RBF\(sigma="),
    (RBF, {"sigmaa": 1.0}, "perhaps sigma"),
    (RegularizedSpectralClustering, {"n_cluster": 2}, "perhaps n_clusters"),
]


@pytest.mark.parametrize(("cls", "given", "hint"), UNKNOWN)
def test_an_unknown_keyword_names_what_is_meant(cls, given, hint):
    (name,) = given
    with pytest.raises(TypeError, match=f"no parameter {name!r}.*{hint}"):
        cls(**given)


@pytest.mark.parametrize("name", ["C", "n_neighbors", "gamma", "alpha"])
def test_a_grid_over_an_unknown_keyword_names_what_is_meant(name):
    with pytest.raises(ValueError, match=f"LapSVC has no parameter {name!r}: .*(gamma_A|KNN|RBF)"):
        LapSVC().set_params(**{name: 10})


@pytest.mark.parametrize(("given", "hint"), [("settled", "early_stopping"), ("fast", "auto")])
def test_an_old_solver_name_is_answered_with_the_new_one(given, hint):
    with pytest.raises(ValueError, match=hint):
        LapSVC(solver=given).fit([[0.0], [1.0], [2.0]], [0, 1, -1])


def test_an_old_option_of_the_graph_is_answered_with_the_new_one():
    with pytest.raises(ValueError, match='"tame" is now "drop"'):
        KNN(hubs="tame").build([[0.0], [1.0], [2.0]])


@pytest.mark.parametrize("part", [KNN(3), RBF(2.0), LapSVC(gamma_A=1.0), Landmarks(7)])
def test_parts_are_copied_as_ever(part):
    for twin in (clone(part), copy.deepcopy(part), pickle.loads(pickle.dumps(part))):
        assert twin.get_params(deep=False).keys() == part.get_params(deep=False).keys()
        assert repr(twin) == repr(part)


@pytest.mark.parametrize("room", ["baselines", "statistics", "reproduce"])
def test_rooms_that_moved_say_where(room):
    with pytest.raises(AttributeError, match="lapwing_papers"):
        getattr(lapwing, room)


def test_importing_lapwing_does_not_load_numpy():
    code = "import sys, lapwing, lapwing_papers; lapwing.__version__; print('numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_every_public_name_can_be_imported_and_is_listed():
    assert set(lapwing.__all__) <= set(dir(lapwing))
    for name in lapwing.__all__:
        assert getattr(lapwing, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'LapSVM'"):
        lapwing.LapSVM  # noqa: B018


@pytest.mark.parametrize(
    "cls", [LapRLSClassifier, Linear, RBF, KNN, HessianEnergy, LabeledStratifiedKFold]
)
def test_help_shows_the_parameters_of_the_constructor(cls):
    assert set(inspect.signature(cls).parameters) == set(vars(cls()))


def test_an_instance_that_is_called_shows_its_own_signature():
    assert list(inspect.signature(Linear()).parameters) == ["X", "Z"]
