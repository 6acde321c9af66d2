"""Which paths are special: files that hold secrets, and files that nobody but CodeAgent itself may write."""

from __future__ import annotations

import fnmatch
import os
from pathlib import Path

from codeagent_tui.paths import Paths

_SECRET_NAMES = (
    ".env",
    ".env.*",
    "*.env",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.keystore",
    ".netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    "credentials.json",
    "credentials",
    "secrets.*",
)
_HARMLESS_NAMES = ("*.example", "*.sample", "*.template", "*.dist", "*.pub", "*.example.*")
_SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".kube", ".docker"})
_SECRET_PROC = ("environ", "mem", "maps")
_PROTECTED_FOLDERS = frozenset({".git"})


def holds_secrets(path: Path) -> bool:
    """Whether a file like this usually holds secrets; `.env.example` does not."""
    name = path.name.lower()
    if path.is_relative_to("/proc"):
        return name in _SECRET_PROC
    if any(fnmatch.fnmatchcase(name, pattern) for pattern in _HARMLESS_NAMES):
        return False
    if any(part in _SECRET_FOLDERS for part in path.parts[:-1]):
        return True
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in _SECRET_NAMES)


def is_our_own(path: Path, store: Path) -> bool:
    """Whether `path` decides what CodeAgent may do: its permissions, settings and keys. `store` is the permissions'."""
    paths = Paths(Path(os.path.realpath(store.parent)))
    return path in (paths.permissions, paths.settings, paths.credentials) or path.name.startswith(".permissions.json.")


def is_protected(path: Path) -> bool:
    """Whether a change of `path` deserves a look even where edits are accepted: it makes other programs act."""
    return any(part in _PROTECTED_FOLDERS for part in path.parts) or holds_secrets(path)
