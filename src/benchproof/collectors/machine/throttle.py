"""Why a device ran slower than it could."""

from enum import StrEnum


class Throttle(StrEnum):
    """A reason as raw telemetry tells it."""

    THERMAL = "thermal slowdown"
    HARDWARE = "hardware slowdown"
    POWER_BRAKE = "power brake"
    POWER_CAP = "power cap"
    SPEED_LIMIT = "speed limit of the system"
    QUOTA = "CPU quota of the control group"
    STOLEN = "CPU time stolen by the hypervisor"

    @property
    def passes(self) -> bool:
        """Whether a repetition may be free of it.

        A card's own power limit is not: heavy work meets it each time, so that it belongs to what
        is measured.
        """
        return self is not Throttle.POWER_CAP

    @property
    def lasts(self) -> bool:
        """Whether it still slows what comes next, as heat does, rather than only what was."""
        return self in (Throttle.THERMAL, Throttle.HARDWARE, Throttle.SPEED_LIMIT)
