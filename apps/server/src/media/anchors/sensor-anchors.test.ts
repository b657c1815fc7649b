import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Annotation, AnnotationRow, FrameAnchor, Mission, ShownAnnotation } from '@osprey/contract';
import { createUnitReader } from '@osprey/mpegts';
import { simulateToFile } from '@osprey/simulator';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAnnotationBody } from '../../../test/annotations.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { sensorIndexes } from '../play/sensor-index-cache.ts';
import { sensorAnchors } from './sensor-anchors.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { get, post, put, delete: remove } = server.ask('SA');
const { db, storage } = server.dependencies;
const folder = await mkdtemp(join(tmpdir(), 'osprey-anchors-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const START_US = Date.UTC(2026, 5, 1) * 1000;
const anchors = sensorAnchors({ db, storage, indexes: sensorIndexes({ storage, damaged: () => {} }) });

async function flight(name: string, atSecond: number, seed: number) {
  const path = join(folder, name);
  const startUs = START_US + atSecond * 1e6;
  await simulateToFile({ seconds: 3, width: 320, height: 180, startUs, seed, gop: 25 }, path);
  return { path, name };
}

/** The bytes of each picture of a file that a decoder would get, by PTS. */
async function picturesOf(path: string): Promise<Map<number, string>> {
  const pictures = new Map<number, string>();
  const reader = createUnitReader({
    unit: ({ ptsTicks, bytes, start, end }) =>
      void pictures.set(ptsTicks, createHash('sha256').update(bytes.subarray(start, end)).digest('hex')),
  });
  reader.push(await readFile(path));
  reader.end();
  return pictures;
}

describe('anchors of a sensor', () => {
  let mission: Mission;
  let sensorId: string;
  let marks: { anchor: FrameAnchor; utcUs: number; picture: string }[];
  let pictures: Map<string, Map<number, string>>;
  const fileNamed = (name: string) =>
    db.selectFrom('files').select('id').where('sensor_id', '=', sensorId).where('name', '=', name).executeTakeFirst();
  const pictureOf = ({ fileId, pts }: FrameAnchor) => pictures.get(fileId)?.get(pts);

  /** The picture on screen at the current time of each mark. */
  async function shown(): Promise<(string | undefined)[]> {
    const times = await anchors.times(
      sensorId,
      marks.map(({ anchor }) => anchor),
    );
    return Promise.all(
      times.map(async (time) => (time === null ? undefined : pictureOf((await anchors.at(sensorId, time))!))),
    );
  }

  /** One drawn on each of the pictures, shown from a second before it to two seconds after it. */
  let drawn: string[];
  const rowsOf = async () => {
    const { body } = await get<AnnotationRow[]>(`/api/annotations?mission=${mission._id}`);
    return drawn.map((id) => body.find(({ _id }) => _id === id)!);
  };
  /** The picture under each drawing now, where the span of the drawing is as it was drawn around its frame. */
  const drawnOn = async () =>
    Promise.all(
      (await rowsOf()).map(async ({ frame, startTime, endTime }) => {
        expect([startTime! - frame!.time, endTime! - frame!.time]).toEqual([-1_000_000, 2_000_000]);
        return frame!.state === 'shown' ? pictureOf((await anchors.at(sensorId, frame!.time))!) : undefined;
      }),
    );
  const times = () =>
    anchors.times(
      sensorId,
      marks.map(({ anchor }) => anchor),
    );

  beforeAll(async () => {
    const files = [await flight('second.ts', 10, 2), await flight('third.ts', 20, 3)];
    ({ mission } = await server.record({ name: 'Marked' }, files));
    sensorId = mission.sensors[0]!._id;
    pictures = new Map();
    for (const { path, name } of files) pictures.set((await fileNamed(name))!.id, await picturesOf(path));
    marks = [];
    for (const second of [10, 10.5, 12.96, 20.011, 21.7]) {
      const utcUs = START_US + second * 1e6;
      const anchor = (await anchors.at(sensorId, utcUs))!;
      marks.push({ anchor, utcUs, picture: pictureOf(anchor)! });
    }
    drawn = [];
    for (const frameUs of await times()) {
      const span = { startTime: frameUs! - 1_000_000, endTime: frameUs! + 2_000_000 };
      const frame = { sensorId, time: frameUs! };
      const requested = newAnnotationBody({ audience: 'everyone', missionId: mission._id, ...span, frame });
      const made = await post<AnnotationRow>('/api/annotations', requested);
      expect([made.status, made.body.frame]).toMatchObject([200, { sensorId, time: frameUs, state: 'shown' }]);
      drawn.push(made.body._id);
    }
  }, 120_000);

  it('name a picture of the original, also for a moment within its time', async () => {
    for (const { picture } of marks) expect(picture).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(marks.map(({ picture }) => picture)).size).toBe(marks.length);
    const [, second, , fourth] = await times();
    // 20 and 11 ms after a picture: that picture, at its own time.
    expect(second).toBe(START_US + 10.48e6);
    expect(fourth).toBe(START_US + 20e6);
    expect(await anchors.at(sensorId, START_US + 15e6)).toBeNull();
  });

  it('stay on their pictures when a file comes before them, the sensor is shifted and its files are read again', async () => {
    const expected = marks.map(({ picture }) => picture);
    const [before] = await times();
    const { uploads } = await server.record({ name: 'Other' }, [await flight('first.ts', 0, 1)]);
    expect(uploads).toEqual([200]);
    const [first] = await db.selectFrom('files').selectAll().where('name', '=', 'first.ts').execute();
    // The file joins the sensor as an upload into a mission that has recordings does.
    await db.updateTable('files').set({ sensor_id: sensorId }).where('id', '=', first!.id).execute();
    await server.dependencies.queue.enqueue(db, 'ingest', { missionId: mission._id, sensorId });
    await server.work();
    expect(await shown()).toEqual(expected);
    expect(await drawnOn()).toEqual(expected);

    expect((await post(`/api/sensors/${sensorId}/shift`, { shift: 90_500_000 })).status).toBe(200);
    expect(await shown()).toEqual(expected);
    expect(await drawnOn()).toEqual(expected);
    const [shifted] = await times();
    expect(shifted! - before!).toBe(90_500_000);

    const file = await fileNamed('second.ts');
    const body = { klvPid: null, clock: 'other' };
    expect((await put(`/api/sensors/${sensorId}/files/${file!.id}/reading`, body)).status).toBe(200);
    await server.work();
    expect(await shown()).toEqual(expected);
    expect(await drawnOn()).toEqual(expected);
    // A map is sent the same times as the table.
    const { body: onMap } = await get<ShownAnnotation[]>('/api/annotations?bbox=-180,-90,180,90');
    const spans = (all: readonly { startTime: number | null }[]) => all.map(({ startTime }) => startTime).sort();
    expect(spans(onMap)).toEqual(spans(await rowsOf()));
  });

  it('keep drawings around their pictures over any shifts, whoever reads at once, and while a span is changed', async () => {
    const before = await drawnOn();
    const [first] = drawn;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -9e12, max: 9e12 }), { minLength: 1, maxLength: 4 }),
        async (shifts) => {
          for (const time_shift of shifts) {
            await db.updateTable('sensors').set({ time_shift }).where('id', '=', sensorId).execute();
            const { body } = await get<Annotation>(`/api/annotations?id=${first}`);
            const { startTime, endTime } = body;
            await Promise.all([rowsOf(), put(`/api/annotations/${first}`, { startTime, endTime }), rowsOf()]);
            expect(await drawnOn()).toEqual(before);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('have no time once their file is removed, and the others stay', async () => {
    const file = await fileNamed('second.ts');
    expect((await remove(`/api/sensors/${sensorId}/files/${file!.id}`)).status).toBe(200);
    await server.work();
    const gone = marks.map(({ anchor }) => anchor.fileId === file!.id);
    expect(gone).toEqual([true, true, true, false, false]);
    const left = marks.map(({ picture }, n) => (gone[n] ? undefined : picture));
    expect(await shown()).toEqual(left);
    expect(await drawnOn()).toEqual(left);
  });

  it('are not asked of a sensor that is not there', async () => {
    await expect(anchors.at(crypto.randomUUID(), START_US)).rejects.toMatchObject({ code: 'notFound' });
  });
});
