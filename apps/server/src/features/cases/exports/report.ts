import { createHash } from 'node:crypto';
import type { Classification } from '@osprey/contract';
import MarkdownIt from 'markdown-it';
import type { Contents } from '../../../base/items/content.ts';
import { contentOf } from '../contents.ts';
import type { FrozenCase, FrozenComment, FrozenPart } from './frozen.ts';
import type { LandIn } from './land.ts';
import { type Mapped, mapsOf } from './report-map.ts';
import { holdsWhat } from './texts.ts';

export type Report = {
  frozen: FrozenCase;
  version: number;
  label: Classification;
  maker: string;
  madeUs: number;
  releasedBy: string | null;
  leftOut: boolean;
  server: { name: string; version: string };
  fingerprint: string;
  mapped: readonly Mapped[];
  landIn: LandIn;
  wordOf: (kind: FrozenPart['kind']) => string;
  /** Returns pictures of a part as data: URIs with their origin. */
  picturesOf: (part: FrozenPart) => Promise<{ src: string; caption: string | null }[]>;
};

/** Returns the name of a kind of part for the report. */
export function wordOf(contents: Contents, kind: FrozenPart['kind']): string {
  if (kind === 'note') return 'Note';
  return kind === 'track' ? 'Track' : (contentOf(contents, kind)?.report.word ?? kind);
}

/**
 * Yields `report.html`, which can be opened from a disk without the server, has no scripts, and fetches nothing. When
 * printed, each page shows label and page number. It is generated piece by piece, so that only one picture is in memory
 * at a time.
 */
export async function* reportHtml(report: Report): AsyncGenerator<string> {
  const { frozen, label, version } = report;
  const style = styleOf(label);
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const title = `Case ${frozen.number}: ${frozen.name}`;
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title><style>${style}</style></head>
<body><div class="label" aria-label="Label">${label}</div><main>
<h1>${html(title)}</h1>
${frozen.description === '' ? '' : `<p class="lead">${html(frozen.description)}</p>`}
<dl>${facts(report).map(fact).join('')}</dl>
<p>${html(holdsWhat(report.maker))}${report.leftOut ? ' The case has other parts, which are left out.' : ''}</p>
`;
  const [map, ...details] = await mapsOf(report.mapped, report.landIn);
  if (map !== undefined) {
    yield `<h2>Map</h2><figure>${map.svg}<figcaption>Numbers are those of the parts. Degrees on WGS 84. Land as Natural Earth draws it at 1:10,000,000: its shore may be a kilometre off.</figcaption></figure>`;
  }
  for (const { svg, numbers } of details) {
    yield `<figure>${svg}<figcaption>${numbers.length === 1 ? 'Part' : 'Parts'} ${numbers.join(', ')}, closer.</figcaption></figure>`;
  }
  yield '<h2>Parts</h2><div class="wide"><table class="parts"><thead><tr><th>No.</th><th>Kind</th><th>Title</th><th>Time (UTC)</th><th>Label</th></tr></thead><tbody>';
  for (const [at, part] of frozen.parts.entries()) {
    yield `<tr><td>${at + 1}</td><td>${report.wordOf(part.kind)}</td><td><a href="#part-${at + 1}">${html(part.title)}</a></td><td>${shortTimes(part)}</td><td>${part.label}</td></tr>`;
  }
  yield '</tbody></table></div>';
  for (const [at, part] of frozen.parts.entries()) yield* partHtml(report, part, at + 1);
  if (frozen.comments.length > 0)
    yield `<h2>Comments</h2><ol class="comments">${frozen.comments.map(commentHtml).join('')}</ol>`;
  yield `<h2>How to check</h2><p>Open <code>check.html</code>, taken from a server that you trust, and choose this package; or use the commands in <code>README.txt</code>. The fingerprint of the key must be the one that the server shows on its About page.</p>
</main><footer class="label">${label}</footer></body></html>
`;
  function fact([name, value]: readonly [string, string]): string {
    return `<dt>${name}</dt><dd>${html(value)}</dd>`;
  }
  function facts({ maker, madeUs, releasedBy, server, fingerprint }: Report): [string, string][] {
    return [
      ['Label', label],
      ['Version', String(version)],
      ['Made', `${utc(madeUs)} UTC by ${maker}`],
      ...(releasedBy === null ? [] : [['Released by', releasedBy] as [string, string]]),
      ['Server', server.name],
      ['Made with', `Osprey ${server.version}`],
      ['Parts', String(frozen.parts.length)],
      ['Comments', String(frozen.comments.length)],
      ['Key', fingerprint.match(/.{1,4}/g)?.join(' ') ?? fingerprint],
    ];
  }
}

async function* partHtml(report: Report, part: FrozenPart, number: number): AsyncGenerator<string> {
  const where = [part.missionName, part.sensorName].filter((name) => name !== null).join(', ');
  yield `<section id="part-${number}"><h3>${number}. ${html(part.title)}</h3><p class="quiet">${[
    report.wordOf(part.kind),
    part.label,
    where,
    times(part),
  ]
    .filter((text) => text !== '')
    .map(html)
    .join(' · ')}</p>`;
  if (part.remark !== '') yield `<p class="text">${html(part.remark)}</p>`;
  if (part.text !== null) yield `<div class="note">${await noteHtml(report, part.text)}</div>`;
  for (const { src, caption } of await report.picturesOf(part)) {
    const under = caption === null ? '' : `<figcaption>${html(caption)}</figcaption>`;
    yield `<figure><img src="${src}" alt="${html(`Picture of ${part.title}`)}">${under}</figure>`;
  }
  if (part.state === 'inBin')
    yield '<p>It lay in the bin when this version was made: its files are not in the package.</p>';
  if (part.state === 'gone') yield '<p>It was removed from the server before this version was made.</p>';
  if (part.files.length > 0) {
    yield '<div class="wide"><table class="files"><thead><tr><th>File</th><th>Bytes</th><th>SHA-256</th></tr></thead><tbody>';
    for (const { path, sizeBytes, sha256 } of part.files) {
      yield `<tr><td>${html(path)}</td><td>${sizeBytes}</td><td><code>${sha256}</code></td></tr>`;
    }
    yield '</tbody></table></div>';
  }
  yield '</section>';
}

function commentHtml({ author, text, created, edited, struck }: FrozenComment): string {
  const remarks = [utc(created), ...(edited === null ? [] : ['edited']), ...(struck ? ['struck through'] : [])];
  const words = struck ? `<s>${html(text)}</s>` : html(text);
  return `<li><p class="quiet"><b>${html(author)}</b> · ${remarks.join(' · ')}</p><p class="text">${words}</p></li>`;
}

const PART_PICTURE = /^part:([0-9a-f-]{36})$/;

/**
 * Converts Markdown without HTML. Links become text, since the report has none. Pictures of parts of the case are
 * included; others are replaced by their description.
 */
async function noteHtml({ frozen, picturesOf }: Report, text: string): Promise<string> {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const tokens = markdown.parse(text, {});
  const shown = new Map<string, string>();
  for (const address of tokens
    .flatMap(({ children }) => children ?? [])
    .map((token) => String(token.attrGet('src') ?? ''))) {
    const part = frozen.parts.find(({ id }) => id === PART_PICTURE.exec(address)?.[1]);
    const [picture] = part && !shown.has(address) ? await picturesOf(part) : [];
    if (picture) shown.set(address, picture.src);
  }
  markdown.renderer.rules.link_open = () => '';
  markdown.renderer.rules.link_close = () => '';
  markdown.renderer.rules.image = (all, at) => {
    const { content = '' } = all[at] ?? {};
    const picture = shown.get(String(all[at]?.attrGet('src') ?? ''));
    return picture === undefined ? html(`[${content}]`) : `<img src="${picture}" alt="${html(content)}">`;
  };
  return markdown.renderer.render(tokens, markdown.options, {});
}

function times({ startTime, endTime }: FrozenPart): string {
  if (startTime === null) return '';
  return endTime === null ? `${utc(startTime)} UTC` : `${utc(startTime)} to ${utc(endTime)} UTC`;
}

/** Formats times for a narrow column. */
function shortTimes({ startTime, endTime }: FrozenPart): string {
  if (startTime === null) return '–';
  return endTime === null ? utc(startTime) : `${utc(startTime)}<br>to ${utc(endTime)}`;
}

/** Formats a time in UTC to the millisecond. */
const utc = (us: number): string => new Date(us / 1000).toISOString().slice(0, 23).replace('T', ' ');

const html = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${String(one.codePointAt(0))};`);

const COLOURS: Record<Classification, string> = {
  UNCLASSIFIED: '#1B7A43',
  RESTRICTED: '#0B7570',
  CONFIDENTIAL: '#1F62B5',
  SECRET: '#B8232F',
  'TOP SECRET': '#B25300',
};

const styleOf = (label: Classification): string => `
@page { size: A4; margin: 20mm 16mm; @top-center { content: "${label}"; font: bold 10pt sans-serif; } @bottom-left { content: "${label}"; font: bold 9pt sans-serif; } @bottom-right { content: "page " counter(page) " of " counter(pages); font: 9pt sans-serif; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.55 Inter, system-ui, "DejaVu Sans", sans-serif; color: #1b2130; background: #fff; }
main { max-width: 800px; margin: 0 auto; padding: 24px 16px 48px; }
.label { background: ${COLOURS[label]}; color: #fff; text-align: center; font-weight: 700; letter-spacing: .04em; padding: 4px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 12px; }
h2 { font-size: 19px; margin: 32px 0 12px; }
h3 { font-size: 16px; margin: 0 0 2px; }
.lead, .text { white-space: pre-wrap; }
.quiet { color: #5c6773; margin: 0 0 4px; }
.comments { margin: 0; padding: 0; list-style: none; } .comments li { border-top: 1px solid #c9ced8; padding: 10px 0 0; break-inside: avoid; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 24px; margin: 0 0 16px; }
dt { color: #5c6773; } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: 13px; margin: 0 0 12px; }
th, td { text-align: left; vertical-align: top; padding: 5px 10px 5px 0; border-bottom: 1px solid #d8dce4; overflow-wrap: anywhere; }
.parts td:not(:nth-child(3)), th { white-space: nowrap; overflow-wrap: normal; } .parts td:nth-child(3) { width: 60%; min-width: 8em; }
.files td:first-child { width: 45%; min-width: 14em; } 
.files td:nth-child(2) { white-space: nowrap; } .files code { min-width: 20em; display: inline-block; }
.wide { overflow-x: auto; }
section { border-top: 1px solid #c9ced8; padding: 16px 0 8px; }
figure { margin: 0 0 12px; } figcaption { color: #5c6773; font-size: 13px; }
img { max-width: 100%; max-height: 420px; border: 1px solid #c9ced8; }
svg { width: 100%; height: auto; border: 1px solid #c9ced8; }
.sea { fill: #e4eef6; } .land { fill: #f4f1e8; fill-rule: evenodd; } .coast { fill: none; stroke: #8fa3b3; stroke-width: .8; stroke-linejoin: round; } .grid { stroke: #c3d3e0; stroke-width: .7; fill: none; } svg text { font: 10px sans-serif; fill: #4f5c6a; } svg .number { font-weight: 700; font-size: 12px; fill: #1b2130; }
.area { fill: #4453d622; stroke: #4453d6; } .place { fill: #4453d6; } .track { fill: none; stroke: #4453d6; stroke-width: 1.5; }
code { font: 11px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
a { color: inherit; }
@media print { .wide { overflow: visible; } table { font-size: 9pt; } .label { display: none; } main { max-width: none; padding: 0; } h2, h3 { break-after: avoid; } tr, figure { break-inside: avoid; } body { font-size: 11pt; } }
`;
