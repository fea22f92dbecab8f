"""Every error benchproof raises on purpose: where it is, what is wrong, what to do."""


class BenchproofError(Exception):
    """Base of all errors that a user can cause; the command line turns it into exit status 2."""


class InputError(BenchproofError):
    """Bad input, told as `where: what; what to do`."""

    def __init__(self, where: str, what: str, remedy: str) -> None:
        super().__init__(f"{where}: {what}; {remedy}")
        self.where = where
        self.what = what
        self.remedy = remedy


class RawError(InputError):
    """A raw telemetry file breaks `benchproof/raw@1`."""


class ImportFormatError(InputError):
    """Somebody else's telemetry is not what its importer reads."""


class ConfigError(InputError):
    """A study's or a post's configuration cannot be used."""


class SelectionError(BenchproofError):
    """A selection matches no record, or more than one."""


class GateError(BenchproofError):
    """A comparison that the evidence does not allow."""


class UnequalWorkError(GateError):
    """The two records did different work."""


class DeviceTruthError(GateError):
    """A record did not run on the device it is compared as."""


class BatchError(GateError):
    """The two records ran at different batch sizes."""


class RuleConflictError(GateError):
    """Counts under different selection rules stand in one post."""


class UnitError(BenchproofError):
    """Two values of different units were added, subtracted, compared or divided."""


class TemplateError(InputError):
    """A template prints what it may not, or cannot be rendered."""


class RenderError(BenchproofError):
    """A document could not be turned into its output format."""
