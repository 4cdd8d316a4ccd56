from .laprls import LapRLSClassifier, LapRLSRegressor
