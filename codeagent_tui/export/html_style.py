"""The look of an exported page: the screen's two themes, chosen by what the reader's system prefers."""

# The colours are those of the screen's themes; the texts keep a contrast of 4.5 or more on every ground.
STYLE = """\
:root {
  color-scheme: light dark;
  --background: #fbfaf7; --surface: #f4f2ed; --panel: #eae7e0; --text: #23272e; --muted: #545b66; --faint: #7b7f86;
  --accent: #0b57a8; --success: #1e6b35; --warning: #7a5200; --error: #b3261e; --added: #e3efdf; --removed: #f6e0dc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #0f1217; --surface: #151a21; --panel: #1b212a; --text: #d5dae2; --muted: #9aa4b2; --faint: #6a7482;
    --accent: #79b8ff; --success: #7ec699; --warning: #e3b341; --error: #ff8a80; --added: #15291f; --removed: #331c1e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 2ch 3rem; max-width: 110ch; background: var(--background); color: var(--text);
  font: 14px/1.5 ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC",
    monospace;
  overflow-wrap: anywhere; tab-size: 4;
}
header h1 { margin: 0; font-size: 1em; color: var(--accent); }
header p, footer p { margin: 0; color: var(--muted); }
header { border-bottom: 1px solid var(--faint); padding-bottom: .75rem; margin-bottom: 1rem; }
footer { border-top: 1px solid var(--faint); padding-top: .75rem; margin-top: 1.5rem; }
nav a { display: block; color: var(--text); text-decoration: none; overflow: hidden; white-space: nowrap;
  text-overflow: ellipsis; }
nav a:hover, nav a:focus { background: var(--panel); }
pre { margin: 0; font: inherit; white-space: pre-wrap; }
a { color: var(--accent); }
time { color: var(--muted); }
summary { cursor: pointer; list-style: none; color: var(--muted); }
summary::-webkit-details-marker { display: none; }
summary::after { content: " \\25b8"; }
details[open] > summary::after { content: " \\25be"; }
summary:focus-visible, a:focus-visible { outline: 1px solid var(--accent); }
.user { margin: 1.25rem 0 .75rem; padding: .1rem 1.4ch; background: var(--panel);
  border-left: .6ch solid var(--accent); }
.user .who { color: var(--muted); display: flex; justify-content: space-between; gap: 2ch; }
.other { border-left-color: var(--faint); }
.answer { margin: .75rem 0; padding-left: 2ch; }
.answer > :first-child { margin-top: 0; }
.answer > :last-child { margin-bottom: 0; }
.answer h1, .answer h2, .answer h3, .answer h4, .answer h5, .answer h6 { font-size: 1em; color: var(--accent);
  margin: 1em 0 .5em; }
.answer p, .answer ul, .answer ol, .answer blockquote, .answer table { margin: .5em 0; }
.answer ul, .answer ol { padding-left: 4ch; }
.answer blockquote { border-left: .3ch solid var(--faint); padding-left: 1.5ch; color: var(--muted); }
.answer code { background: var(--panel); padding: 0 .5ch; }
.answer hr { border: 0; border-top: 1px solid var(--faint); }
.answer table { border-collapse: collapse; display: block; overflow-x: auto; }
.answer th, .answer td { border: 1px solid var(--faint); padding: 0 1ch; text-align: left; }
.code, .answer pre { background: var(--surface); padding: .25rem 1ch; margin: .25rem 0; }
.code code, .answer pre code { background: none; padding: 0; }
.note { color: var(--warning); padding-left: 2ch; }
.thought, .call { margin: .1rem 0 .1rem 2ch; }
.thought pre { color: var(--muted); padding-left: 2ch; }
.call .name { color: var(--text); font-weight: bold; }
.ok .sign { color: var(--success); }
.failed .sign, .failed .state { color: var(--error); }
.refused .sign, .refused .state, .notrun .sign, .notrun .state { color: var(--warning); }
.output { border-left: .3ch solid var(--faint); margin: .15rem 0 .4rem 2ch; padding-left: 1.2ch; color: var(--muted); }
.diff { margin: .15rem 0 .4rem 2ch; }
.diff span { display: block; padding-left: 3ch; text-indent: -2ch; }
.diff .added { background: var(--added); }
.diff .removed { background: var(--removed); }
.diff .place { color: var(--muted); }
.diff b { font-weight: normal; }
.added b { color: var(--success); }
.removed b { color: var(--error); }
.mark { margin: 1rem 0; color: var(--muted); }
.mark > p, .mark > details > summary { margin: 0; border-top: 1px dashed var(--faint); padding-top: .3rem; }
.mark pre { padding: .25rem 2ch; }
.hl [class^=k], .hl .ow { color: var(--accent); }
.hl [class^=s] { color: var(--success); }
.hl [class^=c] { color: var(--muted); font-style: italic; }
.hl [class^=m], .hl .kc { color: var(--warning); }
.hl .nf, .hl .nc, .hl .nt, .hl .nd { font-weight: bold; }
.hl .gi { color: var(--success); }
.hl .gd { color: var(--error); }
@media print { body { max-width: none; } }
"""
