"""The connect dialog's tools, made of the core."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from codeagent_tui.credentials import CredentialsError, store_key, stored_key
from codeagent_tui.llm.connect import probe_connection
from codeagent_tui.llm.discovery import discover
from codeagent_tui.llm.models_list import list_models
from codeagent_tui.llm.plain_http import GetFailed
from codeagent_tui.paths import Paths
from codeagent_tui.settings_file import save_user_settings
from codeagent_tui.tui.connecting import Connection, FoundServer, TrialReport


class CoreConnectionTools:
    """Finds, lists and tests through `llm`; knows the keys that are kept."""

    def __init__(self, paths: Paths, current: Connection) -> None:
        self._paths = paths
        self._current = current

    async def find_servers(self) -> Sequence[FoundServer]:
        """Return the servers of this machine."""
        return [FoundServer(server.name, server.base_url, server.models) for server in await discover()]

    def known_key(self, base_url: str) -> str:
        """Return the key in use for `base_url`, or the stored one."""
        if base_url == self._current.base_url.rstrip("/") and self._current.api_key:
            return self._current.api_key
        try:
            return stored_key(self._paths, base_url)
        except CredentialsError:
            return ""

    async def test(self, connection: Connection) -> TrialReport:
        """List the server's models, or chat with the chosen one."""
        if connection.model:
            report = await probe_connection(connection.base_url, connection.api_key, connection.model)
            return TrialReport(report.ok, report.message, report.models)
        try:
            models = tuple(await list_models(connection.base_url, connection.api_key))
        except GetFailed as error:
            return TrialReport(False, f"{error} A model's name can be typed all the same.")
        count = f"{len(models)} model{'' if len(models) == 1 else 's'}"
        return TrialReport(True, f"The server answers and lists {count}: choose one.", models)


async def remember_connection(paths: Paths, connection: Connection) -> None:
    """Keep the choice for the next start: server and model in the settings, a new key in its private file.

    Raises:
        CredentialsError, SettingsError, OSError: when it could not be kept; it is in use for this session all the same.
    """
    if connection.new_key:
        await asyncio.to_thread(store_key, paths, connection.base_url, connection.api_key)
    changes = {"base_url": connection.base_url, "model": connection.model}
    await asyncio.to_thread(save_user_settings, paths, changes)
