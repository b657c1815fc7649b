import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SensorTimeline, TelemetryPage } from '@osprey/contract';
import { decodePacket, encodeSt0601, packets, st0601Tags } from '@osprey/klv';
import { createDemuxer } from '@osprey/mpegts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../test/cleanup.ts';
import { klvFlight } from '../../test/klv-flight.ts';
import { recordingServer } from '../../test/recordings.ts';
import { createKlvRecords } from '../media/index/klv-records.ts';
import { type LiveRow, liveRow } from './live-row.ts';
import { telemetryReader } from './reader.ts';
import { createAnchors, utcOfPts } from './timebase.ts';
import { walk } from './walk.ts';
import { createTelemetryWriter } from './writer.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get } = server.ask('SA');

async function recorded(path: string) {
  const { mission } = await server.record({ name: `m-${crypto.randomUUID()}` }, [{ path: testData(path) }]);
  const place = `${mission._id}/${mission.sensors[0]!._id}`;
  const page = (query = '') => get<TelemetryPage>(`/api/sensors/telemetry/${place}${query}`);
  return { mission, place, page };
}

describe('telemetry of real recordings', () => {
  itWithData('holds every value that the packet decoder reads, to the step of its tag', async () => {
    const { page } = await recorded('ts/kwiver/h264_klv.ts');
    const { body } = await page();
    const decoded: Record<string, unknown>[] = [];
    const demuxer = createDemuxer({
      klv({ bytes, start, end }) {
        for (const packet of packets(bytes, start, end)) {
          decoded.push(decodePacket(bytes, packet.start, packet.end).values);
        }
      },
    });
    demuxer.push(readFileSync(testData('ts/kwiver/h264_klv.ts')));
    demuxer.end();

    expect(body.time).toEqual(decoded.map((values) => values['2']));
    let compared = 0;
    for (const [index, values] of decoded.entries()) {
      const nested = body.sets.find((set) => set.i === index) ?? {};
      for (const [tag, value] of Object.entries(values)) {
        const isUnknown = Array.isArray(value) && value.every((one) => one === null);
        if (['1', '2'].includes(tag) || isUnknown) continue;
        compared += 1;
        const { resolution } = st0601Tags.get(Number(tag))!;
        const reported = body.tags[tag]?.[index] ?? null;
        if (typeof value === 'number') {
          expect(Math.abs(Number(reported) - value)).toBeLessThanOrEqual(resolution ?? 0);
          expect(decimalsOf(Number(reported)), tag).toBeLessThanOrEqual(
            Math.max(0, Math.ceil(-Math.log10(resolution ?? 1))),
          );
        } else if (value === null || typeof value === 'string') expect(reported).toBe(value);
        else expect(nested, tag).toHaveProperty(tag);
      }
    }
    expect(compared).toBeGreaterThan(30 * 100);
  });

  itWithData('gives every set of osh at its own time, with nested targets where they occur', async () => {
    const { page } = await recorded('ts/osh/sample-stream.ts');
    const { body } = await page();

    expect(body).toMatchObject({ more: false });
    expect(body.time).toHaveLength(277);
    expect(body.time[0]).toBe(1340980354100000);
    expect(Object.values(body.tags).every((values) => values.length === 277)).toBe(true);
    expect(body.sets.filter((set) => '74' in set)).toHaveLength(37);
    expect(body.sets.filter((set) => Array.isArray((set['74'] as Record<string, unknown>)?.['101']))).toHaveLength(17);
  });

  itWithData('says of a set that comes live what the page of its recording says', async () => {
    const { page } = await recorded('ts/osh/sample-stream.ts');
    const { body } = await page();
    const records = createKlvRecords();
    const rows: LiveRow[] = [];
    const demuxer = createDemuxer({
      klv({ bytes, start, end }) {
        const { record } = records.read(bytes, start, end)!;
        rows.push(liveRow({ record: record!, bytes }));
      },
    });
    demuxer.push(readFileSync(testData('ts/osh/sample-stream.ts')));
    demuxer.end();

    expect(rows).toHaveLength(277);
    for (const [i, { tags, sets }] of rows.entries()) {
      const reported = Object.entries(body.tags).map(([tag, values]) => [tag, values[i] ?? null]);
      expect(Object.fromEntries(Object.keys(body.tags).map((tag) => [tag, tags[tag] ?? null]))).toEqual(
        Object.fromEntries(reported),
      );
      const { i: _, ...nested } = body.sets.find((set) => set.i === i) ?? { i };
      expect(JSON.parse(JSON.stringify(sets ?? {}))).toEqual(nested);
    }
  });

  itWithData('cuts by time, keeps the last record of each step, and says when there is more', async () => {
    const { page } = await recorded('ts/osh/sample-stream.ts');
    const all = (await page()).body.time;

    const [from, to] = [all[10]!, all[20]!];
    expect((await page(`?from=${from}&to=${to}`)).body.time).toEqual(all.slice(10, 21));
    const iso = new Date(from / 1000).toISOString();
    expect((await page(`?from=${encodeURIComponent(iso)}&to=${to}`)).body.time.at(-1)).toBe(to);
    const stepped = (await page('?every=1000')).body.time;
    const last = new Map(all.map((time) => [Math.floor(time / 1e6), time]));
    expect(stepped).toEqual([...last.values()]);
    expect((await page('?every=x')).status).toBe(400);
    expect((await page(`?from=${Number.MAX_SAFE_INTEGER}&to=1`)).body.time).toEqual([]);
    // Past what a number holds to the microsecond.
    expect((await page('?from=9999999999999999')).status).toBe(400);
  });

  it('gives at most 20,000 records, says that there are more, and goes on after them', async () => {
    const startUs = Date.UTC(2026, 5, 1) * 1000;
    const path = join(await mkdtemp(join(tmpdir(), 'osprey-dense-')), 'dense.ts');
    atEnd(() => rm(dirname(path), { recursive: true, force: true }));
    const times = Array.from({ length: 20_100 }, (_none, n) => startUs + n * 1000);
    const sets = times.map((time, n) => ({ atSeconds: n / 1000, bytes: encodeSt0601({ '2': time, '65': 17 }) }));
    await writeFile(path, klvFlight({ seconds: 21, sets }));
    const { mission } = await server.record({ name: 'dense' }, [{ path }]);
    const address = `/api/sensors/telemetry/${mission._id}/${mission.sensors[0]!._id}`;

    const first = (await get<TelemetryPage>(address)).body;
    const rest = (await get<TelemetryPage>(`${address}?from=${first.time.at(-1)! + 1}`)).body;

    expect([first.more, first.time.length, rest.more]).toEqual([true, 20_000, false]);
    expect([...first.time, ...rest.time]).toEqual(times);
  });

  itWithData('agrees with ffprobe about length, first picture and number of pictures', async () => {
    if (!existsSync('/usr/bin/ffprobe')) return;
    for (const path of ['ts/osh/sample-stream.ts', 'bad/ts/pts_wrap.ts', 'bad/ts/truncated_mid_packet.ts']) {
      const { place } = await recorded(path);
      const { body } = await get<SensorTimeline>(`/api/sensors/timeline/${place}`);
      const times = execFileSync('/usr/bin/ffprobe', [
        ...['-v', 'error', '-f', 'mpegts', '-select_streams', 'v:0', '-show_entries', 'packet=pts', '-of', 'csv=p=0'],
        testData(path),
      ])
        .toString()
        .split(/[\s,]+/)
        .filter((text) => text !== '')
        .map(Number)
        .sort((a, b) => a - b);
      const [run] = body.runs;
      // ffprobe counts times before a wrap from below zero.
      expect(run!.firstPts % 2 ** 33).toBe((times[0]! + 2 ** 33) % 2 ** 33);
      expect(Math.abs(run!.durationSeconds - (times.at(-1)! - times[0]! + 3000) / 90_000)).toBeLessThan(0.05);
    }
  });

  itWithData('tells how long the sensor looked at each place, and the way of the platform', async () => {
    const { place } = await recorded('ts/osh/sample-stream.ts');

    const centres = (await get<{ seconds: number }[]>(`/api/sensors/framecenterpoints/${place}`)).body;
    const path = (await get<{ geometry: { coordinates: number[][][] } }>(`/api/sensors/path/${place}`)).body;

    expect(centres.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(9.2, 0);
    expect(path.geometry.coordinates).toHaveLength(1);
    expect(path.geometry.coordinates[0]!.length).toBeGreaterThan(1);
  });
});

describe('the index', () => {
  const TAGS = 144;

  it('gives back what was written, with any values absent', async () => {
    const value = fc.option(fc.double({ min: -90, max: 90, noNaN: true }), { nil: null });
    const rows = fc.array(fc.record({ lat: value, heading: value, text: fc.option(fc.string(), { nil: null }) }), {
      minLength: 1,
      maxLength: 1200,
    });
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        const parts: Uint8Array[] = [];
        const writer = createTelemetryWriter({ write: (bytes) => parts.push(bytes) });
        for (const [index, { lat, heading, text }] of written.entries()) {
          const numbers = new Float64Array(TAGS).fill(Number.NaN);
          const present = new Uint8Array(TAGS);
          const texts = new Array<string | null>(TAGS).fill(null);
          if (lat !== null) numbers[13] = lat;
          if (heading !== null) numbers[96] = heading;
          texts[3] = text;
          present[13] = lat === null ? 0 : 1;
          present[96] = heading === null ? 0 : 1;
          present[3] = text === null ? 0 : 1;
          const record = { timeUs: index, numbers, present, texts, nested: [] };
          writer.add({ record, bytes: new Uint8Array(), ptsTicks: index * 3000, run: 0 });
        }
        writer.finish();
        const reader = telemetryReader({ storage: { open: async () => inMemory(Buffer.concat(parts)) } });
        const timebase = { clock: 'klv', klvUnitUs: 1, runs: [], shiftUs: 0 } as const;
        const file = { telemetryKey: 'k', timebase: { ...timebase, runs: [] }, window: [0, 1e9] as [number, number] };
        const read = [];
        for await (const { timeUs, block, row } of walk(reader, [file])) {
          const number = (tag: number) => {
            const column = block.columns.get(tag);
            const found = column?.kind === 'numbers' ? column.values[row]! : Number.NaN;
            return Number.isNaN(found) ? null : found;
          };
          const column = block.columns.get(3);
          read.push({
            timeUs,
            lat: number(13),
            wide: number(96),
            text: column?.kind === 'texts' ? column.at(row) : null,
          });
        }
        expect(read).toEqual(
          written.map(({ lat, heading, text }, timeUs) => ({
            timeUs,
            lat: lat === null ? null : expect.closeTo(lat, 6),
            wide: heading === null ? null : expect.closeTo(heading, 3),
            text,
          })),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('keeps of items that come more than once in a set the last, however many there are', async () => {
    const parts: Uint8Array[] = [];
    const writer = createTelemetryWriter({ write: (bytes) => parts.push(bytes) });
    const bytes = Uint8Array.from({ length: 140_000 }, (_, at) => (at >> 1) >> (at & 1 ? 0 : 8));
    const nested = Array.from({ length: 70_000 }, (_, i) => ({ tag: 102, start: 2 * i, end: 2 * i + 2 }));
    const empty = { numbers: new Float64Array(TAGS).fill(Number.NaN), present: new Uint8Array(TAGS) };
    const rowOf = (timeUs: number, items: typeof nested) => {
      const record = { ...empty, texts: new Array<string | null>(TAGS).fill(null), timeUs, nested: items };
      return { record, bytes, ptsTicks: timeUs, run: 0 };
    };

    writer.add(rowOf(1, nested));
    writer.add(rowOf(2, nested.slice(0, 3)));
    writer.add(rowOf(3, nested.slice(1, 3)));
    writer.finish();

    const reader = telemetryReader({ storage: { open: async () => inMemory(Buffer.concat(parts)) } });
    const timebase = { clock: 'klv' as const, klvUnitUs: 1 as const, runs: [], shiftUs: 0 };
    const file = { telemetryKey: 'k', timebase, window: [0, 1e9] as [number, number] };
    const read = [];
    for await (const { block, row } of walk(reader, [file])) {
      const column = block.columns.get(102);
      if (column?.kind === 'parts') read.push([...column.part(column.indexOf(row))]);
    }
    expect(read).toEqual([[...bytes.subarray(139_998)], [...bytes.subarray(4, 6)], [...bytes.subarray(4, 6)]]);
    expect(Buffer.concat(parts).length).toBeLessThan(4096);
  });

  it('maps PTS to UTC within its tolerance, with few anchors for a steady clock', () => {
    const anchors = createAnchors();
    for (let n = 0; n < 10_000; n += 1) anchors.add(0, n * 3003, 1_000_000_000_000_000 + Math.round((n * 3003) / 0.09));

    const runs = anchors.finish();
    const timebase = { clock: 'klv', klvUnitUs: 1, runs, shiftUs: 0 } as const;

    expect(runs[0]!.anchors.length).toBeLessThan(10);
    for (const n of [0, 1, 777, 5000, 9999]) {
      const expected = 1_000_000_000_000_000 + (n * 3003) / 0.09;
      expect(Math.abs(utcOfPts({ ...timebase, runs }, 0, n * 3003) - expected)).toBeLessThan(5);
    }
  });
});

const decimalsOf = (value: number) => String(value).split('.')[1]?.length ?? 0;

const inMemory = (bytes: Buffer) => ({
  sizeBytes: bytes.length,
  read: async (buffer: Uint8Array, position: number) => bytes.copy(buffer, 0, position, position + buffer.byteLength),
  close: async () => {},
});
