import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { namedKinds } from './content-kinds.ts';

const root = resolve(import.meta.dirname, '../..');
const PAGE = 'apps/web/src/cases/case/PartRow.tsx';

/** Each line names a kind of content in a way of its own. */
const named = [
  "if (part.kind === 'clip') open();",
  "const isOurs = ['note', 'bookmark'].includes(part.kind);",
  'const kind = `snapshot`;',
  'const icons = { clip: mdiMovie }[part.kind];',
  "const names = { 'document': 'Document', note: 'Note' };",
  "const byKind = new Map([['annotation', mdiVectorPolygon]]);",
  "const has = 'bookmark' in icons;",
  "switch (part.kind) { case 'document': open(); }",
  "type Mark = 'note' | 'annotation';",
  'const row = <Part kind="snapshot" />;',
  "const query = sql`select from case_parts where kind = 'clip'`;",
  'const own = { [`document`]: open };',
  "const open = { kind: 'document' as const };",
  'enum Kind { note, clip }',
];
/** Words that are no kinds of content. */
const harmless = [
  "const path = '/clips';",
  "const box = { overflowX: 'clip' };",
  "const facts = items.factsOf('document', db, id);",
  'const stored = { mission: missions, document: documents, annotation: annotations };',
  "const jobs = { ingest: 'Reading', document: 'Reading' };",
  'const given = { document, label };',
  'const copied = { bookmark: row.bookmark };',
  'type Props = { document: DocumentRow };',
  "type Snapshot = DocumentRow['snapshot'];",
  "const column = picture.as('snapshot');",
  'const { clip } = props;',
  'const row = <Viewer document={document} />;',
  "const text = 'The clip, the bookmark and the document';",
  "import { clip } from './clip';",
];

it('finds each way to name a kind of content, and nothing else', () => {
  const lines = namedKinds(PAGE, [...named, ...harmless].join('\n')).map((line) => Number(line.split(':')[1]));
  expect([...new Set(lines)]).toEqual(named.map((_, index) => index + 1));
});

it('finds maps of several kinds whatever their entries are', () => {
  expect(namedKinds(PAGE, 'const all = { clip, bookmark };')).toHaveLength(2);
  expect(namedKinds(PAGE, 'type All = { clip: string; snapshot: string };')).toHaveLength(2);
  expect(namedKinds(PAGE, 'const all = { mission, clip: one, document: two };')).toHaveLength(2);
});

it('lets a feature name its own kind, and tests, builders of tests and migrations all', () => {
  const source = "const kind = 'clip';";
  for (const home of ['apps/server/src/features/clips/content.ts', 'apps/web/src/clips/content.ts']) {
    expect(namedKinds(home, source)).toEqual([]);
    expect(namedKinds(home, "const kind = 'bookmark';")).toEqual([`${home}:1: bookmark`]);
  }
  expect(namedKinds('apps/web/src/snapshots/SnapshotDialog.tsx', "useReaders('document');")).toEqual([]);
  for (const free of [
    'apps/server/src/features/cases/cases.test.ts',
    'apps/web/src/testing/cases.ts',
    'apps/server/src/base/db/migrations/0033-cases.ts',
    'apps/server/test/cases.ts',
  ]) {
    expect(namedKinds(free, source)).toEqual([]);
  }
});

it('finds no kind of content outside the folders of its feature', () => {
  const files = globSync(['apps/server/src/**/*.ts', 'apps/web/src/**/*.{ts,tsx}'], { cwd: root });
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap((path) => namedKinds(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
