"""How far the estimate is from what the provider counts, learned from its `usage`, for each model."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from enum import StrEnum

LEAST_FACTOR = 0.5
MOST_FACTOR = 3.0
_WEIGHT_OF_NEW = 0.5
# Below this the fixed overhead of a request (roles, separators) outweighs its text, so the ratio says nothing.
_LEAST_TOKENS = 200
_CUT_SHARE = 0.6
"""A server that counts under this share of the plain estimate has cut the prompt: no tokenizer is that thrifty."""
_STUCK_GROWTH = 1.05
_STUCK_REPORTS = 2
"""So often the same count for a request that grew each time: the server's window is full."""
_SUMMED_TOLERANCE = 0.1
_NEAR = 0.25
"""A request within this share of the last one that was counted counts as measured; beyond, it is an estimate."""
_REMEMBERED_MODELS = 50


class Observation(StrEnum):
    """What a provider's report was good for."""

    LEARNED = "learned"
    IGNORED = "ignored"
    """Missing, absurd, summed over requests, or too small to tell anything."""
    TRUNCATED = "truncated"
    """The server counted far less than was sent: it has cut the prompt silently."""


@dataclass(slots=True)
class _Learned:
    """What is known of one model. `estimated` and `counted` are of the last report, `used` the last one learned."""

    factor: float = 1.0
    reports: int = 0
    used: int = 0
    estimated: int = 0
    counted: int = 0
    total: int = 0
    stuck: int = 0


class Calibration:
    """A smoothed, bounded factor between estimated and reported prompt tokens for each model. Lives in RAM only.

    What was learned about a model is there again when it is asked again.
    """

    def __init__(self, *, enabled: bool = True) -> None:
        """`enabled` False: the factor stays 1 whatever is reported; cut prompts are recognised all the same."""
        self.enabled = enabled
        self._model = ""
        self._models: OrderedDict[str, _Learned] = OrderedDict()

    @property
    def factor(self) -> float:
        """What an estimate is multiplied by; between 0.5 and 3."""
        return self._of(self._model).factor if self.enabled else 1.0

    @property
    def measured(self) -> bool:
        """Whether anything was learned about the model that is asked."""
        return self.enabled and self._of(self._model).reports > 0

    @property
    def reports(self) -> int:
        """How many reports of the model that is asked were learned from."""
        return self._of(self._model).reports

    def use_model(self, name: str) -> None:
        """Count for the model `name` from now on."""
        self._model = name

    def is_near(self, estimated: int) -> bool:
        """Whether a request estimated at `estimated` tokens is about what the provider counted last."""
        last = self._of(self._model).used
        return self.measured and abs(estimated - last) <= _NEAR * last

    def observe(
        self, estimated: int, reported: int, *, plain: int | None = None, answered: int = 0, model: str | None = None
    ) -> Observation:
        """Learn from one request.

        Args:
            estimated: Our uncalibrated estimate of it.
            reported: The provider's prompt tokens, cached ones included; 0 when it said none.
            plain: The plain estimate, against which a cut prompt shows; `estimated` when not given.
            answered: The tokens of the answer: prompt and answer together never pass a server's window.
            model: The model that was asked; the one in use when not given.
        """
        learned = self._of(self._model if model is None else model)
        if estimated < _LEAST_TOKENS or reported <= 0:
            return Observation.IGNORED
        stuck = self._is_stuck(learned, estimated, reported, reported + answered)
        summed = _is_sum(learned, estimated, reported)
        learned.estimated, learned.counted, learned.total = estimated, reported, reported + answered
        if reported < (estimated if plain is None else plain) * _CUT_SHARE or learned.stuck >= _STUCK_REPORTS:
            return Observation.TRUNCATED
        ratio = reported / estimated
        if stuck or summed or ratio > MOST_FACTOR or not self.enabled:
            return Observation.IGNORED
        weight = _WEIGHT_OF_NEW if learned.reports else 1.0
        learned.factor += (max(LEAST_FACTOR, ratio) - learned.factor) * weight
        learned.reports += 1
        learned.used = estimated
        return Observation.LEARNED

    @staticmethod
    def _is_stuck(learned: _Learned, estimated: int, reported: int, total: int) -> bool:
        same = reported == learned.counted or total == learned.total
        stuck = same and estimated > learned.estimated * _STUCK_GROWTH
        learned.stuck = learned.stuck + 1 if stuck else 0
        return stuck

    def apply(self, tokens: int) -> int:
        """Return the estimate `tokens` corrected; exactly itself while nothing was learned."""
        return round(tokens * self.factor) if self.measured else tokens

    def reset(self) -> None:
        """Forget what was learned about the model in use."""
        self._models.pop(self._model, None)

    def _of(self, model: str) -> _Learned:
        learned = self._models.get(model)
        if learned is None:
            learned = self._models[model] = _Learned()
            if len(self._models) > _REMEMBERED_MODELS:
                self._models.popitem(last=False)
        return learned


def _is_sum(learned: _Learned, estimated: int, reported: int) -> bool:
    """Whether `reported` is the count before plus this request's: some servers add up over a turn."""
    if not learned.reports:
        return False
    expected = learned.factor * estimated
    far_more = reported > expected * (1 + _SUMMED_TOLERANCE)
    return far_more and abs(reported - learned.counted - expected) <= _SUMMED_TOLERANCE * expected
