/** The look of a report: light and dark by the reader's setting, no fonts or images from elsewhere, printable. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --surface: #ffffff; --text: #1b2330; --soft: #5b6675; --line: #dfe3e9; --grid: #e7eaef;
  --accent: #2457c5; --good: #17713f; --bad: #b3261e; --warn: #8a5a00;
    --phase-environment: #c3c9d2; --phase-start: #8a94a6; --phase-runtime: #e0a030; --phase-download: #2f74d0;
  --phase-session: #2a9d8f; --phase-first: #c8553d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11151c; --surface: #1a202a; --text: #e6eaf0; --soft: #9aa5b5; --line: #2c3544; --grid: #2a3240;
    --accent: #82aaff; --good: #6fd39b; --bad: #ff8f85; --warn: #f0c060;
    --phase-environment: #4a5568; --phase-start: #8d99ae; --phase-runtime: #e9b44c; --phase-download: #5b9bf0;
    --phase-session: #3fbfae; --phase-first: #ea7a62;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif;
}
main { max-width: 1060px; margin: 0 auto; padding: 28px 20px 56px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 0 0 12px; }
p { margin: 0 0 10px; }
.soft, .note, figcaption { color: var(--soft); font-size: 13px; }
.note { margin: 8px 0 0; }
header { margin-bottom: 20px; }
section {
  background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; margin-bottom: 18px;
}
.headline { border-left: 5px solid var(--good); }
.headline.none { border-left-color: var(--bad); }
.headline.doubtful { border-left-color: var(--warn); }
.headline h2 { font-size: 20px; margin-bottom: 4px; overflow-wrap: anywhere; }
dl.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 16px 0 0; }
dl.tiles div { border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
dl.tiles dt { color: var(--soft); font-size: 12px; }
dl.tiles dd { margin: 2px 0 0; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; }
dl.tiles dd small { display: block; font-size: 12px; font-weight: 400; color: var(--soft); }
figure { margin: 0 0 18px; }
figure svg { width: 100%; height: auto; display: block; }
figcaption { margin-top: 6px; }
ul.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; margin: 0 0 8px; padding: 0; font-size: 13px; }
ul.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px; vertical-align: -1px; }
.scroll { overflow-x: auto; }
.scroll + .scroll, .note + .scroll, details + .scroll { margin-top: 18px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
caption { text-align: left; font-weight: 600; padding-bottom: 6px; font-size: 14px; }
th, td { text-align: left; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
tr > :last-child { padding-right: 0; }
.titled > h2 + .scroll caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
figure h3 { font-size: 14px; margin: 0 0 6px; }
thead th { color: var(--soft); font-weight: 500; font-size: 12px; }
tbody th { font-weight: 500; }
tbody tr:last-child > * { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.wraps { white-space: normal; min-width: 180px; overflow-wrap: anywhere; }
code {
  font: 12px ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace;
  background: var(--page); border-radius: 4px; padding: 1px 4px;
}
.strong { font-weight: 600; }
.faint { color: var(--soft); }
.good, .bad, .warn { font-weight: 600; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.warn { color: var(--warn); }
details { margin-top: 14px; }
summary { cursor: pointer; color: var(--accent); font-size: 14px; }
details > .scroll { margin-top: 10px; }
td details { margin-top: 2px; }
td summary { font-size: 12px; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; margin: 0; font-size: 13px; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
footer { color: var(--soft); font-size: 12px; }
@media (max-width: 600px) { dl.facts { grid-template-columns: 1fr; } dl.facts dd { margin-bottom: 6px; } }
@media print { body { background: none; } section { break-inside: avoid; } main { max-width: none; padding: 0; } }
`;
