import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { reportOf } from '../../../test/ais.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabase } from '../../../test/database.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import { aisImport } from './import.ts';

const START = Date.UTC(2026, 2, 4, 3, 57, 10) * 1000;
const db = await testDatabase();
const root = await mkdtemp(join(tmpdir(), 'osprey-ais-import-'));
atEnd(() => rm(root, { recursive: true, force: true }));
const storage = folderStorage({ root });

/** Reads a file of a new sensor, and what became of it. */
async function imported(bytes: Buffer, signal = new AbortController().signal) {
  const key = `originals/${crypto.randomUUID()}`;
  await storage.put(key, [bytes]);
  const missionId = await addMission(db);
  const sensorId = await addSensor(db, missionId);
  const read = aisImport({ db, storage, nowUs: () => Date.now() * 1000 });
  const file = { id: crypto.randomUUID(), name: 'log.nmea', key, times: null };
  const wish = { missionId, sensorId, files: [file], streams: [], signal, progress: () => undefined };
  const [found] = (await read(wish)).files;
  const { rows } = await db
    .selectFrom('ais_mission_positions')
    .innerJoin('ais_sources', 'ais_sources.id', 'source_id')
    .where('mission_id', '=', missionId)
    .select('time')
    .orderBy('time')
    .execute()
    .then((times) => ({ rows: times.map(({ time }) => time) }));
  return { ...found!, times: rows };
}

const lineAt = (n: number) => reportOf({ latitude: 37 + n / 1e5, longitude: 24, timeUs: START + n * 1e6 });
const all = Array.from({ length: 1500 }, (_, n) => START + n * 1e6);

it('Lines end by LF, CR or both, packed or not, and the last one without an end counts', async () => {
  for (const end of ['\n', '\r', '\r\n', '\n\r']) {
    const text = Buffer.from(all.map((_, n) => lineAt(n)).join(end));
    for (const bytes of [text, gzipSync(text)]) {
      const { times, message } = await imported(bytes);
      expect([times, message], JSON.stringify(end)).toEqual([all, null]);
    }
  }
});

it('A line of up to 64 KiB is read, longer ones are counted and said', async () => {
  const within = `{"nmea":["${lineAt(0)}"],"pad":"${'x'.repeat(60_000)}"}`;
  const beyond = `${'x'.repeat(200_000)}${lineAt(1)}`;
  const { times, message } = await imported(Buffer.from([within, beyond, lineAt(2), beyond].join('\n')));
  expect(times).toEqual([START, START + 2e6]);
  expect(message).toBe('log.nmea: 2 lines over 64 KiB left out.');
});

it('A file cut at any byte, or with noise in its lines, is read as far as it goes', async () => {
  const text = Buffer.from(
    [lineAt(0), '$GPRMC,035710.00,A,5000.00,N,00100.00,E,5.0,090.0,040326,,,A*55', lineAt(1)].join('\r'),
  );
  for (let length = 0; length <= text.length; length += 7) {
    const { times } = await imported(text.subarray(0, length));
    expect(times.length, String(length)).toBeLessThanOrEqual(2);
  }
  for (const odd of ['1e999', '\u0000', '9'.repeat(40), '-1', 'NaN', '\\c:1e999*00\\']) {
    const { times } = await imported(
      Buffer.from(`${odd} ${reportOf({ latitude: 1, longitude: 1 })} ${odd}\n`, 'utf16le'),
    );
    expect(times).toEqual([]);
    expect((await imported(Buffer.from(`${odd} ${lineAt(3)} ${odd}`))).times).toEqual([START + 3e6]);
  }
});

itWithData('A log that ends its lines by CR alone has all its positions', async () => {
  const { times } = await imported(await readFile(testData('field3/ais-cr-only-large.nmea')));
  expect(times).toHaveLength(1500);
});

itWithData('Dates of day and month that cannot be told apart are named, and the file says what to do', async () => {
  const { message, dated } = await imported(await readFile(testData('field3/ais-slash-date.txt')));
  expect(message).toMatch(/^log\.nmea: Its dates do not tell day and month apart .* Set times\.$/);
  expect(dated).toMatchObject({ none: 3 });
});
