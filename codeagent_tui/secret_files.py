"""Which files usually hold secrets: keys, passwords, tokens. A guard against showing them by accident, not a wall."""

from __future__ import annotations

import fnmatch
from pathlib import Path

_NAMES = (
    *(".env", ".env.*", ".env-*", ".env_*", ".env~", "*.env", ".envrc", ".envrc.*"),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore"),
    *("*.ppk", "*.kdbx", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".npmrc", ".pypirc", ".htpasswd", ".dockercfg"),
    *(".git-credentials", "credentials", "credentials.json", "credentials.toml", "service-account*.json"),
    *(
        "secrets.json",
        "secrets.toml",
        "secrets.y*ml",
        "secrets.ini",
        "secret.y*ml",
        ".vault-token",
        "shadow",
        "gshadow",
    ),
)
_HARMLESS = ("*.example", "*.sample", "*.template", "*.dist", "*.pub", ".env.example.*", ".env.sample.*")
_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".password-store"})
_FILES_IN_FOLDERS = frozenset(
    {(".docker", "config.json"), (".kube", "config"), ("gh", "hosts.yml"), ("gcloud", "access_tokens.db")}
)
_OF_PROCESSES = frozenset({"environ", "mem", "maps", "cmdline"})


def holds_secrets(path: Path) -> bool:
    """Whether a file at `path` (resolved: links lead anywhere) usually holds secrets; `.env.example` does not."""
    parts = [part.lower() for part in path.parts]
    if not parts:
        return False
    name = parts[-1].rstrip(" .")
    if path.is_relative_to("/proc"):
        return name in _OF_PROCESSES
    if any(fnmatch.fnmatchcase(name, pattern) for pattern in _HARMLESS):
        return False
    if not _FOLDERS.isdisjoint(parts) or tuple(parts[-2:]) in _FILES_IN_FOLDERS:
        return True
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in _NAMES)
