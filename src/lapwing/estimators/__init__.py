from .laprls import LapRLSClassifier, LapRLSRegressor
from .structured import StructuredLapSVC
