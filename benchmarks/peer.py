"""Where do the peers come from? Their archives, checked, then unpacked."""

from __future__ import annotations

import compileall
import hashlib
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Peer:
    """An archive of a tool that we are compared with; a wheel is run, a source archive read."""

    name: str
    version: str
    archive: str
    sha256: str

    @property
    def is_wheel(self) -> bool:
        """Whether it is what an installation unpacks."""
        return self.archive.endswith(".whl")


NEURAL_COST = Peer(
    "neural-cost", "0.2.0", "neural_cost-0.2.0.tar.gz",
    "041fdb41002612847ddf1ca7a8cfe8b962cd35f1558cf6df9cb1cab6c136cf0e",
)  # fmt: skip
NUMAUDIT = Peer(
    "numaudit", "0.1.0", "numaudit-0.1.0-py3-none-any.whl",
    "c71ecd0479608e30e7a4351d5eca86f451c7a6bf225cce8015026ad090dc57a4",
)  # fmt: skip


class PeerUnavailableError(Exception):
    """The peer could not be fetched, or is not the one that is expected."""


def fetch_peer(peer: Peer, cache: Path, folder: Path) -> Path:
    """The root of the unpacked archive below `folder`; the archive itself is kept in `cache`."""
    archive = cache / peer.archive
    if not archive.exists():
        download(peer, cache)
    check(archive, peer.sha256)
    if not peer.is_wheel:
        with tarfile.open(archive) as members:
            members.extractall(folder, filter="data")
        return folder / peer.archive.removesuffix(".tar.gz")
    root = folder / peer.name
    with zipfile.ZipFile(archive) as wheel:
        wheel.extractall(root)
    compileall.compile_dir(root, quiet=2)  # as an installation does
    return root


def download(peer: Peer, cache: Path) -> None:
    """Fetch the archive with pip, which refuses one with another hash before it runs any of it."""
    cache.mkdir(parents=True, exist_ok=True)
    wanted = cache / "requirements.txt"
    wanted.write_text(f"{peer.name}=={peer.version} --hash=sha256:{peer.sha256}\n", "utf-8")
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    if peer.is_wheel:
        command += ["--only-binary", peer.name]
    else:
        # Without build isolation, since the pinned hatchling is there; only its metadata is made.
        command += ["--no-binary", peer.name, "--no-build-isolation"]
    command += ["--no-deps", "--require-hashes", "--requirement", str(wanted)]
    done = subprocess.run(
        [*command, "--dest", str(cache)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise PeerUnavailableError(
            f"pip could not fetch {peer.name} {peer.version}:\n{done.stderr}"
        )


def check(archive: Path, sha256: str) -> None:
    """Refuse an archive that is not the one measured so far."""
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != sha256:
        raise PeerUnavailableError(
            f"{archive}: its SHA-256 is {found}, not {sha256}; delete it and start again"
        )
