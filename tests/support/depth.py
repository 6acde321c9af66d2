"""How long property tests search: quickly in the suite, for minutes with CODEAGENT_DEEP=1 (or another factor)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

_FACTOR_OF_ONE = 30


def searching(examples: int) -> settings:
    """Return settings that try `examples` cases, many times more when CODEAGENT_DEEP asks for it."""
    wanted = os.environ.get("CODEAGENT_DEEP", "")
    factor = int(wanted) if wanted.isdecimal() else 0
    factor = _FACTOR_OF_ONE if factor == 1 else factor
    return settings(
        max_examples=examples * max(1, factor),
        deadline=None,
        derandomize=not factor,
        # The seed of a conversation does not shrink to anything simpler, and explaining takes minutes.
        phases=(Phase.explicit, Phase.reuse, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
    )
