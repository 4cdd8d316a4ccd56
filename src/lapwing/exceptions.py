"""The warnings that Lapwing gives, so that they can be filtered by name."""


class UnreachedWarning(UserWarning):
    """A component of the graph holds no label: its points are told by the kernel alone."""


class LabelWarning(UserWarning):
    """A marker in y can be read in two ways; the message says which one was taken."""


class ManifoldAssumptionWarning(UserWarning):
    """The unlabelled points seem to mislead: labels do not vary slowly along the graph."""


class MemoryLimitWarning(UserWarning):
    """The faster way does not fit into memory, so a slower one is taken."""


class GraphWarning(UserWarning):
    """The graph is not what one would expect: hubs, one column that outweighs all, k clipped."""


class ScaleWarning(UserWarning):
    """There are more points than an exact fit takes; the message says what is done instead."""


class ApproximationWarning(UserWarning):
    """Something was computed approximately, and worse than one would expect."""
