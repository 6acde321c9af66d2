"""Every budget that follows from the model's window."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_WINDOW = 128_000
"""Assumed, with a notice, when nobody knows a model's window."""

_SMALLEST_TRIGGER_RATIO = 0.5
_LEAST_TRIGGER_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class ContextProfile:
    """Token budgets for one window. Figures in tokens, formulas as specified:

    ======================  ================================
    short-term budget       floor(window x 0.45)
    summary reserve         min(20,000, window / 4)
    safety buffer           min(13,000, window / 8)
    history trigger         window - reserve - buffer
    hard ceiling            window - reserve
    memory context          min(window / 200, 5,000)
    ======================  ================================
    """

    window: int
    short_term_budget: int
    summary_reserve: int
    safety_buffer: int
    history_trigger: int
    hard_ceiling: int
    memory_context_tokens: int
    compression_trigger_ratio: float
    trigger_share: float = 0.0

    @classmethod
    def for_window(
        cls, window: int, *, compression_trigger_ratio: float = 0.8, trigger_share: float = 0.0
    ) -> ContextProfile:
        """Return the budgets of a window of `window` tokens; a compression ratio below 0.5 counts as 0.5.

        `trigger_share` of the window sets the history trigger, at most at the hard ceiling and at least at a tenth of
        the window; 0 for the formula above.

        Raises:
            ValueError: when the window is not positive.
        """
        if window <= 0:
            raise ValueError(f"A window must be positive, not {window}.")
        reserve = min(20_000, window // 4)
        buffer = min(13_000, window // 8)
        trigger = window - reserve - buffer
        if trigger_share:
            trigger = max(1, min(window - reserve, int(window * max(_LEAST_TRIGGER_SHARE, trigger_share))))
        return cls(
            window=window,
            short_term_budget=window * 45 // 100,
            summary_reserve=reserve,
            safety_buffer=buffer,
            history_trigger=trigger,
            hard_ceiling=window - reserve,
            memory_context_tokens=min(window // 200, 5_000),
            compression_trigger_ratio=max(_SMALLEST_TRIGGER_RATIO, compression_trigger_ratio),
            trigger_share=trigger_share,
        )

    def resized(self, window: int) -> ContextProfile:
        """Return the same choices for another window."""
        return self.for_window(
            window, compression_trigger_ratio=self.compression_trigger_ratio, trigger_share=self.trigger_share
        )
