import { type Call, errorCatalogue } from '@osprey/contract';
import { z } from 'zod';
import { contractCalls } from './calls.ts';
import { BEYOND_CALLS } from './openapi.ts';

const STYLE = `
body { font: 15px/1.5 Inter, "DejaVu Sans", sans-serif; margin: 0 auto; max-width: 62rem; padding: 1.5rem; color-scheme: light dark; }
h2 { margin-top: 2.5rem; text-transform: capitalize; }
details { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 6px; margin: .5rem 0; padding: .5rem .75rem; }
summary { cursor: pointer; }
code, pre { font: 13px/1.45 "DejaVu Sans Mono", monospace; }
pre { overflow-x: auto; max-height: 30rem; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
.right { opacity: .7; float: right; }
`;

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

/** Writes the documentation of all calls as one HTML page without scripts. */
export function docsPage(nonce: string): string {
  const groups = Map.groupBy(contractCalls(), ({ call }) => call.path.split('/')[1] ?? '');
  const sections = [...groups].map(
    ([noun, calls]) => `<h2>${escapeHtml(noun)}</h2>${calls.map(({ call }) => callSection(call)).join('')}`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Osprey API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>Osprey API</h1>
<p>Every call takes Basic with the password, or with the device credential that <code>POST /api/login</code> answers.
Times are UTC microseconds; queries also take ISO 8601 with a zone. Failures answer
<code>{ code, status, text, values }</code>. The same for programs: <a href="/api/openapi.json">openapi.json</a>.</p>
<p>${escapeHtml(BEYOND_CALLS)}</p>
${sections.join('\n')}
</main></body></html>`;
}

function callSection(call: Call): string {
  const input = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' });
  const parts = Object.entries(input.properties ?? {});
  const errors = call.errors.map((code) => {
    const { status, text } = errorCatalogue[code];
    return `<li><code>${status} ${code}</code> ${escapeHtml(text)}</li>`;
  });
  return `<details><summary><span class="method">${call.method}</span> <code>/api${escapeHtml(call.path)}</code>
<span class="right">${escapeHtml(call.action)}</span><br>${escapeHtml(call.summary)}</summary>
${parts.map(([name, schema]) => `<h4>${escapeHtml(name)}</h4>${jsonBlock(schema)}`).join('')}
<h4>answer</h4>${call.raw === 'media' ? '<p>Bytes.</p>' : jsonBlock(z.toJSONSchema(call.answer, { io: 'output', unrepresentable: 'any' }))}
${errors.length === 0 ? '' : `<h4>errors</h4><ul>${errors.join('')}</ul>`}</details>`;
}

function jsonBlock(schema: unknown): string {
  const { $schema, ...shape } = schema as Record<string, unknown>;
  return `<pre>${escapeHtml(JSON.stringify(shape, null, 2))}</pre>`;
}
