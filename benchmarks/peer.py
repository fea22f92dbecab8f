"""Where does the peer come from? neural-cost's source archive, checked, then unpacked."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
from pathlib import Path

NAME, VERSION = "neural-cost", "0.2.0"
ARCHIVE = f"neural_cost-{VERSION}.tar.gz"
SHA256 = "041fdb41002612847ddf1ca7a8cfe8b962cd35f1558cf6df9cb1cab6c136cf0e"


class PeerUnavailableError(Exception):
    """The peer could not be fetched, or is not the one that is expected."""


def fetch_peer(cache: Path, folder: Path) -> Path:
    """The root of the unpacked archive below `folder`; the archive itself is kept in `cache`."""
    archive = cache / ARCHIVE
    if not archive.exists():
        download(cache)
    check(archive)
    with tarfile.open(archive) as members:
        members.extractall(folder, filter="data")
    return folder / ARCHIVE.removesuffix(".tar.gz")


def download(cache: Path) -> None:
    """Fetch the archive with pip, which refuses one with another hash before it runs any of it."""
    cache.mkdir(parents=True, exist_ok=True)
    wanted = cache / "requirements.txt"
    wanted.write_text(f"{NAME}=={VERSION} --hash=sha256:{SHA256}\n", encoding="utf-8")
    # Without build isolation, since the pinned hatchling is there; only its metadata is made.
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    command += ["--no-deps", "--no-binary", NAME, "--no-build-isolation"]
    command += ["--require-hashes", "--requirement", str(wanted), "--dest", str(cache)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PeerUnavailableError(f"pip could not fetch {NAME} {VERSION}:\n{done.stderr}")


def check(archive: Path) -> None:
    """Refuse an archive that is not the one measured so far."""
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != SHA256:
        raise PeerUnavailableError(
            f"{archive}: its SHA-256 is {found}, not {SHA256}; delete it and start again"
        )
