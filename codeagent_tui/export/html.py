"""A session as one HTML page that looks like the screen: no script, nothing from elsewhere, tool output folded."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from codeagent_tui import __version__
from codeagent_tui.export.call_body import BodyKind
from codeagent_tui.export.html_style import STYLE
from codeagent_tui.export.html_text import code, diff, preformatted, prose
from codeagent_tui.export.steps import AnswerStep, CallStep, State, Step, ThoughtStep, UserStep, moment, steps_of
from codeagent_tui.export.transcript import Mark, SessionTranscript
from codeagent_tui.text import one_line

_SIGNS = {State.OK: "✓", State.FAILED: "✗", State.REFUSED: "⊘", State.NOT_RUN: "⊘"}
_OPEN_LINES = 24
"""A diff of up to so many lines is not folded, as on the screen."""
_TITLE = 120
# Nothing may be loaded or run, whatever a text has smuggled in.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def as_html(transcript: SessionTranscript, *, masked: int | None) -> str:
    """Return the page; `masked` is in how many places a secret was masked, None when nobody looked for any."""
    title = one_line(transcript.title, _TITLE) or "CodeAgent session"
    steps = list(steps_of(transcript))
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        '<head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{STYLE}</style></head>",
        "<body>",
        *_header(transcript, title, steps),
        "<main>",
        *(part for step in steps for part in _parts(step)),
        "</main>",
        f"<footer><p>{escape(_footer(masked))}</p></footer>",
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _header(transcript: SessionTranscript, title: str, steps: list[Step]) -> Iterator[str]:
    turns = f"{transcript.turns} turn{'' if transcript.turns == 1 else 's'}"
    tokens = f" · {transcript.tokens:,} tokens" if transcript.tokens else ""
    when = f"{moment(transcript.began)} to {moment(transcript.ended)}"
    yield f"<header><h1>{escape(title)}</h1>"
    yield f"<p>{escape(f'{one_line(transcript.cwd)} · {when} · session {transcript.session_id}{tokens}')}</p>"
    for notice in transcript.notices:
        yield f'<p class="note">{escape(notice)}</p>'
    said = [step for step in steps if isinstance(step, UserStep) and step.number]
    if len(said) > 1:
        links = "".join(f'<a href="#turn-{s.number}">{s.number}  {escape(one_line(s.text, _TITLE))}</a>' for s in said)
        yield f"<details><summary>{turns}</summary><nav>{links}</nav></details>"
    yield "</header>"


def _footer(masked: int | None) -> str:
    if masked is None:
        secrets = "Secrets were not looked for."
    elif not masked:
        secrets = "Nothing in it looked like a secret."
    else:
        secrets = f"What looked like a secret was masked in {masked} place{'' if masked == 1 else 's'}."
    return f"Exported by CodeAgent {__version__}. {secrets}"


def _parts(step: Step) -> Iterator[str]:
    match step:
        case UserStep():
            yield _user(step)
        case ThoughtStep():
            yield f'<details class="thought"><summary>thinking</summary>{preformatted(step.text)}</details>'
        case AnswerStep():
            yield f'<div class="answer">{prose(step.text)}</div>'
            if step.interrupted:
                yield '<p class="note">interrupted</p>'
        case CallStep():
            yield _call(step)
        case Mark():
            yield _mark(step)


def _user(step: UserStep) -> str:
    when = f"<time>{escape(moment(step.at))}</time>"
    if not step.number:
        body = f"<details><summary>{escape(step.heading)} {when}</summary>{preformatted(step.text)}</details>"
        return f'<section class="user other">{body}</section>'
    who = f'<div class="who"><span>{escape(step.heading)}</span>{when}</div>'
    return f'<section class="user" id="turn-{step.number}">{who}{preformatted(step.text)}</section>'


def _call(step: CallStep) -> str:
    name, _, rest = step.title.partition(" ")
    state = "" if step.state is State.OK else f' <span class="state">{step.state.value}</span>'
    words = f'<span class="name">{escape(name)}</span> {escape(rest)}'
    head = f'<span class="sign">{_SIGNS[step.state]}</span> {words}{state}'
    parts = []
    if step.body.kind is BodyKind.DIFF:
        parts.append(diff(step.body.text))
    elif step.body.kind is BodyKind.CODE:
        parts.append(code(step.body.text, step.body.language))
    if step.output.strip():
        parts.append(preformatted(step.output, "output"))
    kind = f"call {step.state.value.replace(' ', '')}"
    if not parts:
        return f'<div class="{kind}">{head}</div>'
    short_diff = step.body.kind is BodyKind.DIFF and step.body.text.count("\n") < _OPEN_LINES
    opened = " open" if short_diff or step.state is State.FAILED else ""
    return f'<details class="{kind}"{opened}><summary>{head}</summary>{"".join(parts)}</details>'


def _mark(mark: Mark) -> str:
    words = f"{escape(mark.text)} <time>{escape(moment(mark.at))}</time>"
    if not mark.detail.strip():
        return f'<div class="mark"><p>{words}</p></div>'
    return f'<div class="mark"><details><summary>{words}</summary>{preformatted(mark.detail)}</details></div>'
