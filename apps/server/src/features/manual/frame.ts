import type { ManualHit } from '@osprey/contract';
import type { Manual, ManualPage } from './manual.ts';

/**
 * Style of pages without any script, which therefore work in every browser, even on a machine that is being repaired.
 */
const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --link: light-dark(#4453d6, #8e9bff); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.6 Inter, "DejaVu Sans", sans-serif; background: light-dark(#fff, #0b0e13); color: light-dark(#1b2130, #e6e9ef); }
a { color: var(--link); }
a:focus-visible, input:focus-visible, button:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
header { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; padding: 8px 24px; border-bottom: 1px solid var(--line); }
header a { font-weight: 600; text-decoration: none; }
form { display: flex; gap: 8px; margin-left: auto; }
input, button { font: inherit; padding: 4px 12px; border: 1px solid color-mix(in srgb, currentColor 55%, transparent); border-radius: 6px; background: transparent; color: inherit; min-width: 0; min-height: 32px; }
.frame { display: grid; grid-template-columns: 220px minmax(0, 1fr); max-width: 1120px; margin: 0 auto; }
nav { padding: 24px 16px; border-right: 1px solid var(--line); }
nav ol { list-style: none; margin: 0; padding: 0; position: sticky; top: 24px; }
nav a { display: block; padding: 4px 8px; border-radius: 6px; text-decoration: none; color: inherit; }
nav a[aria-current] { background: light-dark(#e7eafc, #1e2340); font-weight: 600; }
main { padding: 24px 32px 64px; }
h1 { font-size: 24px; line-height: 1.3; margin: 0 0 16px; }
h2 { font-size: 18px; margin: 32px 0 8px; }
h3 { font-size: 15px; margin: 24px 0 4px; }
p, li { max-width: 46rem; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; margin: 8px 0; }
.wide { overflow-x: auto; margin: 12px 0; }
table { border-collapse: collapse; font-size: 14px; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
code, kbd, pre { font: 13px/1.5 "DejaVu Sans Mono", monospace; }
pre { overflow-x: auto; padding: 12px; border: 1px solid var(--line); border-radius: 6px; }
.hits li { margin: 0 0 16px; }
@media (max-width: 720px) { .frame { grid-template-columns: minmax(0, 1fr); } nav { border-right: 0; border-bottom: 1px solid var(--line); padding: 8px 16px; }
 nav ol { position: static; display: flex; flex-wrap: wrap; } main { padding: 16px; } header { padding: 8px 16px; } form { margin-left: 0; } nav a { padding: 10px 8px; } }
`;

const MISSING =
  '<h1>Not found</h1><p>The manual has no such page. Its pages are listed here, and it can be searched by words.</p>';

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

type Frame = { manual: Manual; nonce: string; title: string; current: string | null; words: string; body: string };

function frame({ manual, nonce, title, current, words, body }: Frame): string {
  const entries = manual.pages.map(({ slug, title: name }) => {
    const mark = slug === current ? ' aria-current="page"' : '';
    return `<li><a href="/help/plain/${slug}"${mark}>${escapeHtml(name)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)} · Osprey manual</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/osprey.svg">
<style nonce="${nonce}">${STYLE}</style></head>
<body><header><a href="/missions">Back to Osprey</a><a href="/help/plain">Manual</a>
<form action="/help/plain/search" role="search"><input type="search" name="q" value="${escapeHtml(words)}" aria-label="Search the manual" placeholder="Search the manual" maxlength="100"><button>Search</button></form></header>
<div class="frame"><nav aria-label="Pages of the manual"><ol>${entries.join('')}</ol></nav><main>${body}</main></div>
</body></html>`;
}

export const manualPage = (manual: Manual, page: ManualPage, nonce: string): string =>
  frame({ manual, nonce, title: page.title, current: page.slug, words: '', body: page.html });

export const missingPage = (manual: Manual, nonce: string): string =>
  frame({ manual, nonce, title: 'Not found', current: null, words: '', body: MISSING });

export function searchPage(manual: Manual, words: string, hits: readonly ManualHit[], nonce: string): string {
  const found = hits.map(
    ({ slug, anchor, page, title, text }) =>
      `<li><a href="/help/plain/${slug}#${anchor}">${escapeHtml(title === page ? page : `${page}: ${title}`)}</a><br>${escapeHtml(text)}</li>`,
  );
  const none = '<p>Nothing was found. Try fewer words, or the beginning of a word.</p>';
  const body = `<h1>Search</h1>${hits.length === 0 ? none : `<ul class="hits">${found.join('')}</ul>`}`;
  return frame({ manual, nonce, title: 'Search', current: null, words, body });
}
