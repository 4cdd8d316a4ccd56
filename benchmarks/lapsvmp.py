"""LapRLS and LapSVC against Melacci's lapsvmp under GNU Octave, at n = 5000, two classes.

    python benchmarks/lapsvmp.py --lapsvmp DIRECTORY [--n 5000] [--labeled 50] [--wall]

DIRECTORY holds lapsvmp.m and what it calls (https://sourceforge.net/projects/lapsvmp); nothing of
it is part of this project. The settings are its own, γ_A l = 1e-5 and γ_I l/n² = 1, a normalized
Laplacian of degree 1, no bias; its hinge is the squared one. Times are CPU seconds on one thread,
from the points to the answers: lapsvmp's Gram matrix and graph are made in Octave as well (whole
matrices, the six nearest by sorting), and how much of the time that is stands beside; each
runs three times in its process, and the shortest time counts: the first one loads code and memory.
The kernel's time is left out, which is that of new pages. Early stopping is by its rule, when the
answers have settled, and ours (solver="early_stopping") likewise. With --wall, all threads and
the clock.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.io
from peer_problems import PROBLEMS

SETTINGS = {"newton": "options.Cg=0;", "early-stopped PCG": "options.Cg=1; options.CgStopType=1;"}

DRIVER = """
addpath(genpath('{directory}'));
load('{data}');
options=struct('gamma_A',1e-5,'gamma_I',1,'UseBias',0,'LaplacianNormalize',1,'Verbose',0);
options.Hinge={hinge}; {setting}
seconds=[inf,inf];
for repeat=1:3
[~,before]=cputime; start=tic;
n=rows(X); squares=sum(X.^2,2);
D=max(squares+squares'-2*X*X',0);
data=struct('X',X,'Y',Y,'K',exp(-D/(2*sigma^2)));
[~,nearest]=sort(D,2); clear D;
W=sparse(repmat((1:n)',1,k),nearest(:,2:k+1),1,n,n); W=max(W,W'); clear nearest;
scale=spdiags(1./sqrt(full(sum(W,2))),0,n,n);
data.L=speye(n)-scale*W*scale;
[~,now]=cputime; prepared=[toc(start), now-before];
model=lapsvmp(options,data);
[~,now]=cputime; took=[toc(start), now-before];
if took(2)<seconds(2), seconds=took; made=prepared; end
end
f=data.K(:,model.svs)*model.alpha;
save('-v7','{out}','seconds','made','f');
"""


def problem(n: int, labeled: int):
    X, _, truth = PROBLEMS["surfaces"](n)
    X, truth = X[:n], (truth[:n] > 1).astype(int)
    y, random = np.full(n, -1), np.random.default_rng(0)
    for c in (0, 1):
        y[random.choice(np.flatnonzero(truth == c), labeled // 2, replace=False)] = c
    return X, y, truth


def ours(name: str, X, y, wall: bool, solver: str = "auto"):
    import lapwing
    from lapwing.graphs import KNN
    from lapwing.regularizers import Laplacian

    n, l = len(y), int((y >= 0).sum())
    loss = {"loss": "squared_hinge"} if name == "LapSVC" else {}
    model = getattr(lapwing, name.replace("LapRLS", "LapRLSClassifier"))(
        kernel="rbf", regularizer=Laplacian(KNN(6), degree=1), gamma_A=1e-5 / l,
        gamma_I=n**2 / l, fit_intercept=False, space="exact", solver=solver, **loss,
    )  # fmt: skip
    clock, took = time.perf_counter if wall else lambda: os.times().user, []
    for _ in range(3):
        start = clock()
        model.fit(X, y)
        took.append(clock() - start)
    return min(took), model


def theirs(directory: str, hinge: int, setting: str, data: Path, wall: bool):
    out = data.with_name("out.mat")
    code = DRIVER.format(directory=directory, data=data, hinge=hinge, setting=setting, out=out)
    subprocess.run(["octave-cli", "--quiet", "--eval", code], check=True)
    found, at = scipy.io.loadmat(out), 0 if wall else 1
    seconds, made = (float(found[name].ravel()[at]) for name in ("seconds", "made"))
    return seconds, made, found["f"].ravel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lapsvmp", required=True, help="a directory with lapsvmp.m")
    parser.add_argument("--n", type=int, default=5000)
    parser.add_argument("--labeled", type=int, default=50)
    parser.add_argument("--wall", action="store_true")
    given = parser.parse_args()
    if not given.wall and os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        sys.exit(subprocess.run([sys.executable, *sys.argv], env=environment).returncode)
    X, y, truth = problem(given.n, given.labeled)
    rest = y < 0
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.mat"
        for name, hinge in (("LapRLS", 0), ("LapSVC", 1)):
            seconds = {}
            for solver in ("auto", "early_stopping"):
                seconds[solver], model = ours(name, X, y, given.wall, solver)
                error = np.mean(model.transduction_[rest] != truth[rest])
                said = f"{name}, {solver}: {seconds[solver]:.2f} s, error {100 * error:.2f} %"
                print(f"{said}, certificate {model.solution_.optimality:.0e}", flush=True)
            if not data.exists():
                signs = np.where(rest, 0.0, 2.0 * y - 1.0)[:, None]
                sigma = float(model.kernel_.sigma)
                scipy.io.savemat(data, {"X": X, "Y": signs, "sigma": sigma, "k": 6})
            for label, setting in SETTINGS.items():
                took, made, f = theirs(given.lapsvmp, hinge, setting, data, given.wall)
                error = np.mean((f > 0)[rest] != truth[rest])
                ratios = ", ".join(f"{took / own:.1f}" for own in seconds.values())
                ratio = f"ratios {ratios}, error {100 * error:.2f} %"
                prepared = f"{made:.2f} of them to prepare"
                print(f"  lapsvmp, {label}: {took:.2f} s ({prepared}), {ratio}", flush=True)


if __name__ == "__main__":
    main()
