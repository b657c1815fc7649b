import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { filming, TABLES } from '../../../test/ring-parts.ts';
import type { FromRecorder, RingSegment } from '../../recorder-wire/protocol.ts';
import type { LiveListener, LiveStream } from '../components.ts';
import { ring } from './ring.ts';

const SENSOR = '6f1f64b4-2b53-4a5e-9c0e-6ad7e1f3a1c1';
const GIB = 1024 ** 3;

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-ring-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Options = {
  folder?: string;
  minutes?: number;
  freeBytes?: () => number;
  startUs?: number;
  /** Resolves when the files of an earlier run have been read. */
  loaded?: () => Promise<void>;
};

/** A ring with one stream of 25 pictures a second and a key frame each second. */
async function ringOf({ folder, minutes = 10, freeBytes = () => 50 * GIB, startUs, loaded }: Options = {}) {
  const place = folder ?? (await dataFolder());
  const listeners = new Set<LiveListener>();
  const notify = (say: (listener: LiveListener) => void) => listeners.forEach(say);
  const camera = filming(
    {
      unit: (unit, facts) => notify((each) => each.unit(unit, facts)),
      packets: (bytes, arrivalUs) => notify((each) => each.packets(bytes, arrivalUs)),
    },
    startUs === undefined ? {} : { startUs },
  );
  const stream = {
    sensorId: SENSOR,
    listen(listener: LiveListener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as LiveStream;
  const said: FromRecorder[] = [];
  const part = ring({
    config: { dvrMinutes: minutes },
    streams: { find: () => stream, each: (add) => void add(stream) },
    storage: { space: async () => ({ freeBytes: freeBytes(), totalBytes: 100 * GIB }) } as never,
    folder: place,
    send: (message) => said.push(structuredClone(message)),
    log: pino({ level: 'silent' }),
    nowUs: camera.nowUs,
    nowMs: camera.nowMs,
  });
  await part.load();
  await loaded?.();
  await vi.waitFor(() => expect(listeners.size).toBe(1));
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= part.close();
    return closed;
  };
  atEnd(close);
  const segments = () => part.segments() as RingSegment[];
  const filmedFrom = camera.nowUs();
  const saidUntil = () => {
    const last = said.findLast((message) => message.kind === 'ring');
    return last ? last.segment.startUs + last.segment.durationSeconds * 1e6 : filmedFrom;
  };
  return {
    part,
    folder: place,
    camera,
    said,
    notify,
    segments,
    close,
    /** As a camera does, so that the disk keeps up. */
    async filmFor(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        camera.film(25);
        while (saidUntil() < camera.nowUs() - 2e6) await nextTurn();
      }
    },
    /** Waits until this many segments are whole on the disk. */
    written: (count: number) =>
      vi.waitFor(() => expect(segments().filter(({ done }) => done).length).toBeGreaterThanOrEqual(count)),
  };
}

const fileOf = (folder: string, n: number) => readFile(join(folder, 'ring', SENSOR, `${n}.ts`));

async function gather(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

describe('the ring of a live sensor', () => {
  it('says each part when its bytes are in the file', async () => {
    const { camera, said, segments, folder, written } = await ringOf();

    camera.film(25 * 4 + 1);
    await written(2);

    const [first, second] = segments();
    expect(second!.n).toBe(first!.n + 1);
    expect([first!.discontinuity, second!.discontinuity]).toEqual([true, false]);
    // Players keep arrays of that length.
    expect(second!.breaks).toBe(first!.breaks);
    expect(first!.breaks).toBeLessThan(100_000);
    const bytes = await fileOf(folder, first!.n);
    expect(bytes.length).toBe(first!.sizeBytes);
    expect(bytes).toEqual(Buffer.concat([TABLES, ...camera.sent.slice(0, 50)]));
    const parts = said.flatMap((message) =>
      message.kind === 'ring' && message.segment.n === first!.n ? [message.segment.parts.length] : [],
    );
    expect(parts).toEqual([1, 2, 3, 4, 5]);
    expect(first!.parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(first!.sizeBytes);
  });

  it('is there again after a restart, and goes on with the next number and a break', async () => {
    const before = await ringOf();
    before.camera.film(25 * 5);
    await before.close();
    const retained = before.segments();

    const after = await ringOf({ folder: before.folder, startUs: before.camera.nowUs() });

    expect(after.segments()).toEqual(retained);
    expect(retained.at(-1)!.done).toBe(true);
    after.camera.film(25 * 3);
    await after.written(retained.length + 1);
    const fresh = after.segments()[retained.length]!;
    expect(fresh).toMatchObject({
      n: retained.at(-1)!.n + 1,
      discontinuity: true,
      breaks: retained.at(-1)!.breaks + 1,
    });
  });

  it('keeps the announced segments of a recorder that was killed, and no other files', async () => {
    const before = await ringOf();
    before.camera.film(25 * 3 + 20);
    await before.written(1);
    await vi.waitFor(() => expect(before.segments().at(-1)!.parts.length).toBeGreaterThan(2));
    const place = join(before.folder, 'ring', SENSOR);
    // As the disk is at this moment, without the good order of a close.
    const copy = await dataFolder();
    await vi.waitFor(async () => {
      const noted = before.segments().map(({ n }) => readFile(join(place, `${n}.json`), 'utf8'));
      expect((await Promise.all(noted)).map((text) => JSON.parse(text))).toEqual(before.segments());
    });
    // A name with `.new` is on its way to the one without, and may be gone by the time it would be copied.
    await cp(before.folder, copy, { recursive: true, filter: (from) => !from.endsWith('.new') });
    const said = before.segments();

    const after = await ringOf({ folder: copy, startUs: before.camera.nowUs() });

    expect(after.segments()).toEqual(said.map((segment) => ({ ...segment, done: true })));

    await after.close();
    await writeFile(join(copy, 'ring', SENSOR, `${said.at(-1)!.n + 1}.ts`), 'half');
    const again = await ringOf({ folder: copy, startUs: before.camera.nowUs() });
    expect(again.segments()).toEqual([]);
    expect(await readdir(join(copy, 'ring', SENSOR))).toEqual([]);
  });

  it('removes what is older than its minutes, and says so', async () => {
    const { filmFor, segments, folder, said } = await ringOf({ minutes: 1 });

    await filmFor(180);

    const retained = segments();
    const seconds = retained.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
    expect(seconds).toBeGreaterThanOrEqual(58);
    expect(seconds).toBeLessThan(66);
    expect(said.findLast(({ kind }) => kind === 'ringCut')).toMatchObject({ sensorId: SENSOR, first: retained[0]!.n });
    await vi.waitFor(async () => {
      const numbers = (await readdir(join(folder, 'ring', SENSOR))).map((name) => Number.parseInt(name, 10));
      expect(Math.min(...numbers)).toBe(retained[0]!.n);
    });
  });

  it('keeps the last seconds only where rewinding is switched off', async () => {
    const { filmFor, segments } = await ringOf({ minutes: 0 });

    await filmFor(120);

    const seconds = segments().reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
    expect(seconds).toBeGreaterThanOrEqual(30);
    expect(seconds).toBeLessThan(46);
  });

  it('gives a recording what came before it, up to the very packet, also when the ring forgets it meanwhile', async () => {
    const { camera, part, written } = await ringOf();
    camera.film(25 * 7 + 3);
    await written(3);
    camera.film(30);

    const history = part.history(SENSOR, 3)!;
    part.forget(SENSOR, 0);
    camera.film(25);

    const bytes = await gather(history.read());
    const before = Buffer.concat(camera.sent.slice(0, 25 * 7 + 33));
    expect(bytes.equals(before.subarray(before.length - bytes.length))).toBe(true);
    expect(bytes.length / 188).toBeGreaterThanOrEqual(75);
    expect(history.tables).toEqual(TABLES);
  });

  it('has no history across a break', async () => {
    const { camera, part, notify } = await ringOf();
    camera.film(25 * 5);
    notify((listener) => listener.lost?.());

    expect(part.history(SENSOR, 30)).toBeNull();
    camera.film(25);

    expect((await gather(part.history(SENSOR, 30)!.read())).length / 188).toBe(25);
  });

  it('forgets what was recorded, and never says it again', async () => {
    const { camera, part, segments, said, folder, written } = await ringOf();
    camera.film(25 * 5);
    await written(2);
    // The third is being written: its number is taken, whether or not the disk has its first part.
    await vi.waitFor(() => expect(segments()).toHaveLength(3));
    const last = segments().at(-1)!.n;

    part.forget(SENSOR, 0);

    expect(segments()).toEqual([]);
    expect(said.at(-1)).toEqual({ kind: 'ringCut', sensorId: SENSOR, first: last + 1 });
    camera.film(25 * 3);
    await written(1);
    expect(segments()[0]).toMatchObject({ n: last + 1, discontinuity: true });
    await vi.waitFor(async () =>
      expect((await readdir(join(folder, 'ring', SENSOR))).some((name) => name.startsWith(`${last}.`))).toBe(false),
    );
  });

  it('gives way before recordings do as the disk fills', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    atEnd(() => vi.useRealTimers());
    let freeBytes = 50 * GIB;
    const { camera, filmFor, segments, said, written } = await ringOf({ freeBytes: () => freeBytes });
    await filmFor(90);
    expect(segments().length).toBeGreaterThan(40);

    freeBytes = 1.5 * GIB;
    await vi.advanceTimersByTimeAsync(5000);
    await vi.waitFor(() => expect(segments().length).toBeLessThan(25));
    freeBytes = 0.2 * GIB;
    await vi.advanceTimersByTimeAsync(5000);
    await vi.waitFor(() => expect(said.filter(({ kind }) => kind === 'error')).toHaveLength(2));
    camera.film(25 * 10);

    await vi.waitFor(() => expect(segments().filter(({ done }) => !done)).toEqual([]));
    expect(said.find(({ kind }) => kind === 'error')).toMatchObject({ info: expect.stringContaining('nearly full') });
    freeBytes = 50 * GIB;
    await vi.advanceTimersByTimeAsync(5000);
    camera.film(25 * 5);
    await written(1);
  });

  it('is there once the disk gives what it refused at the start', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    atEnd(() => vi.useRealTimers());
    const folder = await dataFolder();
    // A folder cannot be removed like a file, which stands in for any refusal of the disk.
    const refused = join(folder, 'ring', SENSOR, '7.ts');
    await mkdir(refused, { recursive: true });
    const loaded = async () => {
      await rm(refused, { recursive: true });
      vi.advanceTimersByTime(5000);
    };

    const { camera, said, written } = await ringOf({ folder, loaded });
    camera.film(25 * 3);
    await written(1);

    expect(said).toContainEqual({
      ...{ kind: 'error', info: 'live video cannot be kept for rewinding, see the log' },
      ...{ platformId: null, missionId: null },
    });
  });

  it('says it when it cannot write, and goes on when it can', async () => {
    const { camera, said, folder, segments, written } = await ringOf();
    const place = join(folder, 'ring', SENSOR);
    await rm(place, { recursive: true, force: true });
    await writeFile(place, 'in the way');

    camera.film(25 * 4);
    await vi.waitFor(() => expect(said.filter(({ kind }) => kind === 'error')).toHaveLength(1));

    await rm(place);
    camera.film(25 * 15);
    await written(1);
    expect(segments()[0]!.discontinuity).toBe(true);
  });
});
