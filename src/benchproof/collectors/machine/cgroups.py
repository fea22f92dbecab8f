"""What a container or a batch system allows: CPU quota, memory limit, how often it was stopped.

Reads version 1 and version 2 of Linux's control groups. A limit of any group above counts too.
"""

from pathlib import Path

from benchproof.collectors.machine.told import file_number, file_text, whole_number

ROOT = Path("/")
_UNLIMITED_BYTES = 1 << 62  # version 1 says "no limit" with a number next to the largest


def group_folders(controller: str, root: Path = ROOT) -> tuple[Path, ...]:
    """Folders of this process's groups for a controller, its own first; empty where untold."""
    mounts = root / "sys/fs/cgroup"
    for line in (file_text(root / "proc/self/cgroup") or "").splitlines():
        _, names, path = (*line.split(":", 2), "", "")[:3]
        if controller in names.split(","):
            mount = next((m for m in (mounts / names, mounts / controller) if m.is_dir()), None)
            if mount is not None:
                return _upwards(mount, path)
        if not names and (mounts / "cgroup.controllers").exists():
            return _upwards(mounts, path)
    return ()


def cpu_quota(root: Path = ROOT) -> float | None:
    """Cores' worth of CPU time that the groups may use; None where there is no limit."""
    quotas = [_quota(folder) for folder in group_folders("cpu", root)]
    return min((q for q in quotas if q is not None), default=None)


def memory_limit_bytes(root: Path = ROOT) -> int | None:
    """Bytes of memory that the groups may use; None where there is no limit."""
    limits = [
        file_number(folder / name)
        for folder in group_folders("memory", root)
        for name in ("memory.max", "memory.limit_in_bytes")
    ]
    return min((n for n in limits if n is not None and 0 < n < _UNLIMITED_BYTES), default=None)


def times_throttled(folders: tuple[Path, ...]) -> int | None:
    """How often the groups used up their CPU quota so far; None where it is not told."""
    told = [_throttled(folder / "cpu.stat") for folder in folders]
    counts = [count for count in told if count is not None]
    return sum(counts) if counts else None


def _upwards(mount: Path, path: str) -> tuple[Path, ...]:
    """A group's folder and those above it; inside a container the path may be the host's."""
    own = mount / path.strip("/")
    if ".." in Path(path).parts or not own.is_dir():
        own = mount
    above = [folder for folder in own.parents if folder.is_relative_to(mount)]
    return (own, *above)


def _quota(folder: Path) -> float | None:
    words = (file_text(folder / "cpu.max") or "").split()
    if len(words) == 2:
        quota, period = (whole_number(word) for word in words)
    else:
        quota = file_number(folder / "cpu.cfs_quota_us")
        period = file_number(folder / "cpu.cfs_period_us")
    if quota is None or period is None or quota <= 0 or period <= 0:
        return None
    return quota / period


def _throttled(path: Path) -> int | None:
    for line in (file_text(path) or "").splitlines():
        name, _, count = line.partition(" ")
        if name == "nr_throttled":
            return whole_number(count)
    return None
