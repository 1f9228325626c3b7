// What all reports share: one file of HTML that fetches nothing, in the colours of the reader's scheme, with its data in it.
import { both, TOKENS } from '#analysis/palette';

/** Control characters but tab and the ends of lines, and halves of characters. */
const NO_TEXT = /[\p{Cc}\p{Surrogate}\ufffe\uffff]/gu;
const ALLOWED = '\t\n\r';

/** Everything that goes into a document from elsewhere passes through here. What is no text is marked as such. */
export const safe = (text: string): string =>
  text
    .replaceAll(NO_TEXT, (found) => (ALLOWED.includes(found) ? found : '\ufffd'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** JSON that cannot end the element in which it stands. */
export const dataText = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');

export const dataBlock = (data: unknown): string =>
  `<script type="application/json" id="data">${dataText(data)}</script>`;

const tokens = Object.entries(TOKENS)
  .map(([name, [light, dark]]) => `--${name}:${both(light, dark)}`)
  .join(';');

const STYLE = `
:root{color-scheme:light dark;${tokens};--good:var(--accent);--soft:var(--ink-2);--line:var(--hairline)}
*{box-sizing:border-box}
body{font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--surface);max-width:1080px;margin:0 auto;padding:32px 16px 64px;overflow-wrap:break-word}
h1{font-size:26px;line-height:1.25;margin:0 0 8px}h2{font-size:19px;margin:44px 0 8px;border-top:1px solid var(--line);padding-top:18px}h3{font-size:15px;margin:24px 0 4px}
p,li,td{color:var(--soft)}p,li{max-width:76ch}a{color:var(--accent)}
svg{max-width:100%;height:auto;display:block;overflow:visible}
svg text{fill:var(--ink);font-size:12px}
table{border-collapse:collapse;width:100%;font-size:13px}th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid var(--line)}
th{font-weight:600}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}
code{font-size:.93em;overflow-wrap:anywhere}`;

interface ReportHead {
  readonly title: string;
  /** Of this kind of report, after what all have. */
  readonly style: string;
}

export const reportHead = ({ title, style }: ReportHead): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${safe(title)}</title><style>${STYLE}${style}</style></head>
<body>`;

export const REPORT_END = '</body></html>\n';

/** A number in an attribute of SVG. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);
