import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import { manifestVerdicts } from './manifest-files.ts';

const root = await mkdtemp(join(tmpdir(), 'osprey-manifests-'));
atEnd(() => rm(root, { recursive: true, force: true }));
const storage = folderStorage({ root });

type Row = Parameters<typeof manifestVerdicts>[1][number];

async function manifestOf(names: readonly string[]): Promise<Row> {
  const key = 'originals/list.json';
  const { sizeBytes } = await storage.put(key, [
    Buffer.from(JSON.stringify({ files: names.map((name) => ({ name })) })),
  ]);
  return { id: 'list', kind: 'manifest', name: 'list.json', storage_key: key, size_bytes: sizeBytes } as Row;
}

it('a manifest of a thousand files that are not there is reported in a few sentences', async () => {
  const list = await manifestOf(Array.from({ length: 1000 }, (_none, n) => `${n}.ts`));

  const { problems } = await manifestVerdicts(storage, [list]);

  expect(problems).toEqual([
    ...[0, 1, 2, 3, 4].map((n) => `list.json names ${n}.ts, which is not there.`),
    'The same is so for 995 other files.',
  ]);
});

it('a manifest that names the telemetry of a recording does not miss it', async () => {
  const beside = { id: 'track', kind: 'sidecar', name: 'flight.gpx', sha256: null } as Row;

  const { problems } = await manifestVerdicts(storage, [await manifestOf(['flight.gpx']), beside]);

  expect(problems).toEqual([]);
});
