"""Settings from five sources: what wins, and what an error says."""

import json
import stat
from pathlib import Path

import pytest

from codeagent_tui.credentials import CredentialsError, store_key, stored_key
from codeagent_tui.paths import Paths
from codeagent_tui.settings import PermissionMode, RankerName, Settings
from codeagent_tui.settings_file import PROJECT_FILE, SettingsError, load_settings, save_user_settings


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "home")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "proj" / PROJECT_FILE).parent.mkdir(parents=True)
    return tmp_path / "proj"


def write(path: Path, data: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")


def test_defaults_without_any_file(paths: Paths, project: Path) -> None:
    assert load_settings(paths, project, {}) == Settings()


def test_each_source_wins_over_the_one_before(paths: Paths, project: Path) -> None:
    write(paths.settings, {"model": "user", "window": 1, "max_steps": 1, "command_timeout": 5})
    write(project / PROJECT_FILE, {"model": "project", "window": 2, "max_steps": 2})
    env = {"CODEAGENT_MODEL": "env", "CODEAGENT_WINDOW": "3"}
    settings = load_settings(paths, project, env, {"model": "flag"})
    assert (settings.model, settings.window, settings.max_steps, settings.command_timeout) == ("flag", 3, 2, 5.0)
    assert len(settings.sources) == 5


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{", "no valid JSON"),
        ("[]", "one JSON object"),
        ({"modle": "x"}, "no setting 'modle'"),
        ({"window": "big"}, "a whole number"),
        ({"window": True}, "a whole number"),
        ({"window": False}, "a whole number"),
        ({"window": 2.5}, "a whole number"),
        ({"window": -1}, "a whole number"),
        ({"window": 1e300}, "a whole number"),
        ({"command_timeout": "soon"}, "a number"),
        ('{"longest_wait": NaN}', "a number"),
        ("[" * 100_000, "no valid JSON"),
        ({"max_steps": 0}, "at least 1"),
        ({"mode": "yolo"}, "accept-edits"),
        ({"retrieval_ranker": "vectors"}, "formula, weighted"),
        ({"discover": "maybe"}, "true or false"),
        ({"model": 5}, "a text"),
    ],
)
def test_an_error_names_its_source_and_what_is_expected(paths: Paths, project: Path, data: object, said: str) -> None:
    write(paths.settings, data)
    with pytest.raises(SettingsError, match=said) as caught:
        load_settings(paths, project, {})
    assert str(paths.settings) in str(caught.value)


@pytest.mark.parametrize("setting", [{"base_url": "http://evil"}, {"api_key": "k"}, {"mode": "unattended"}])
def test_a_project_cannot_decide_where_keys_go_or_what_runs_unasked(
    paths: Paths, project: Path, setting: dict[str, str]
) -> None:
    write(project / PROJECT_FILE, setting)
    with pytest.raises(SettingsError, match="may not decide"):
        load_settings(paths, project, {})


def test_a_wrong_variable_is_named(paths: Paths, project: Path) -> None:
    with pytest.raises(SettingsError, match="CODEAGENT_WINDOW"):
        load_settings(paths, project, {"CODEAGENT_WINDOW": "large"})


def test_in_the_home_folder_the_users_file_is_no_projects_file(tmp_path: Path) -> None:
    paths = Paths(tmp_path / ".code-agent-cli")
    write(paths.settings, {"base_url": "http://127.0.0.1:1/v1", "mode": "plan"})
    assert load_settings(paths, tmp_path, {}).mode is PermissionMode.PLAN


def test_saving_keeps_what_else_is_in_the_file(paths: Paths, project: Path) -> None:
    write(paths.settings, {"mode": "plan"})
    save_user_settings(paths, {"model": "m"})
    settings = load_settings(paths, project, {})
    assert (settings.mode, settings.model) == (PermissionMode.PLAN, "m")


def test_a_key_is_private_and_found_again_for_its_endpoint(paths: Paths, project: Path) -> None:
    store_key(paths, "http://127.0.0.1:1/v1/", "secret")
    assert stat.S_IMODE(paths.credentials.stat().st_mode) == 0o600
    assert stored_key(paths, "http://127.0.0.1:1/v1") == "secret"
    write(paths.settings, {"base_url": "http://127.0.0.1:1/v1"})
    assert load_settings(paths, project, {"OPENAI_API_KEY": "other"}).api_key == "secret"


def test_a_stored_key_does_not_go_to_an_endpoint_from_the_environment(paths: Paths, project: Path) -> None:
    store_key(paths, "http://one", "secret")
    write(paths.settings, {"base_url": "http://one"})
    assert load_settings(paths, project, {"OPENAI_BASE_URL": "http://two"}).api_key == ""


def test_a_key_of_the_users_file_does_not_go_to_another_endpoint(paths: Paths, project: Path) -> None:
    write(paths.settings, {"base_url": "http://one", "api_key": "for one"})
    assert load_settings(paths, project, {}).api_key == "for one"
    assert load_settings(paths, project, {"OPENAI_BASE_URL": "http://two"}).api_key == ""
    given = {"OPENAI_BASE_URL": "http://two", "OPENAI_API_KEY": "for two"}
    assert load_settings(paths, project, given).api_key == "for two"


def test_a_stored_key_is_found_for_an_endpoint_of_the_command_line(paths: Paths, project: Path) -> None:
    store_key(paths, "http://two", "for two")
    assert load_settings(paths, project, {}, {"base_url": "http://two"}).api_key == "for two"
    assert load_settings(paths, project, {"OPENAI_API_KEY": "given"}, {"base_url": "http://two"}).api_key == "given"


def test_a_key_is_not_in_the_repr() -> None:
    assert "secret" not in repr(Settings(api_key="secret"))


def test_a_damaged_credentials_file_is_left_alone(paths: Paths) -> None:
    write(paths.credentials, "{broken")
    with pytest.raises(CredentialsError):
        store_key(paths, "", "k")
    assert paths.credentials.read_text() == "{broken"


@pytest.mark.parametrize("name", ["retrieval_ranker", "retrieval.ranker"])
def test_the_ranker_may_be_chosen(paths: Paths, tmp_path: Path, name: str) -> None:
    assert load_settings(paths, tmp_path, {}).retrieval_ranker is RankerName.FORMULA
    write(paths.settings, {name: "weighted"})
    assert load_settings(paths, tmp_path, {}).retrieval_ranker is RankerName.WEIGHTED
