import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mission, TelemetryPage } from '@osprey/contract';
import { type EncodeValues, encodeSt0601 } from '@osprey/klv';
import { createDemuxer } from '@osprey/mpegts';
import { afterAll, describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { klvFlight } from '../../../test/klv-flight.ts';
import { recorded } from '../../../test/played.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { type TakenUnit, takeApart, written } from '../../../test/remux.ts';
import { picture, SPS } from '../../../test/transport.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const folder = await mkdtemp(join(tmpdir(), 'osprey-several-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const osh = async () => takeApart(await readFile(testData('ts/osh/sample-stream.ts')));
const VIDEO = { pid: 256, kind: 'h264' } as const;
const klv = (pid: number) => ({ pid, kind: 'klvAsync' }) as const;
const placed = (unit: TakenUnit, pid: number): TakenUnit => ({ ...unit, pid });
const textOf = ({ health }: Awaited<ReturnType<typeof recorded>>) => health.findings.map(({ text }) => text).join(' ');

/** An EG 0104 set: its key, and one item that no table of ours names. */
const universalSet = Buffer.from('060e2b34020101010e0103010100000000', 'hex');
/** A local set of ST 0102 that says SECRET: tag 1 is 4. */
const secret = Buffer.from('060e2b3402030101 0e01030302000000 03 010104'.replaceAll(' ', ''), 'hex');

describe('a program with several KLV streams', () => {
  itWithData('has the records of the first, and says which others were left out', async () => {
    const units = (await osh()).flatMap((unit) =>
      unit.isVideo ? [placed(unit, 256)] : [placed(unit, 257), placed(unit, 258), placed(unit, 259)],
    );
    const found = await recorded(server, folder, written({ streams: [VIDEO, klv(257), klv(258), klv(259)] }, units));

    expect(found.time).toHaveLength(277);
    expect(found.health).toMatchObject({ sets: 277, clock: { trustworthy: true, duplicates: 0, backwards: 0 } });
    expect(found.health.streams.map(({ pid }) => pid)).toEqual([257]);
    expect(textOf(found)).toContain('2 more telemetry streams are left out (PIDs 258, 259).');
  });

  itWithData('has no record of an earlier stream that carries no ST 0601', async () => {
    const units = (await osh()).flatMap((unit) => {
      if (unit.isVideo) return [placed(unit, 256)];
      return [{ ...unit, pid: 257, bytes: universalSet }, placed(unit, 258)];
    });
    const found = await recorded(server, folder, written({ streams: [VIDEO, klv(257), klv(258)] }, units));

    expect(found.time).toHaveLength(277);
    expect(found.health.streams.map(({ pid, sets }) => [pid, sets])).toEqual([[258, 277]]);
    expect(textOf(found)).toContain('one more telemetry stream is left out (PID 257).');
  });

  itWithData(
    'has the records of the one with most positions, also where another with a position comes first',
    async () => {
      const units = (await osh()).flatMap((unit, n) => {
        if (unit.isVideo) return [placed(unit, 256)];
        return n < 20 ? [placed(unit, 257), placed(unit, 258)] : [placed(unit, 258)];
      });
      const found = await recorded(server, folder, written({ streams: [VIDEO, klv(257), klv(258)] }, units));

      expect(found.time).toHaveLength(277);
      expect(found.health.streams.map(({ pid }) => pid)).toEqual([258]);
      expect(found.health.choices).toMatchObject([{ chosen: 258, by: 'positions' }]);
    },
  );

  itWithData('goes on with the other stream when the map no longer names the first', async () => {
    const units = await osh();
    const half = units.findIndex((unit, i) => i > units.length / 2 && unit.keyframe === true);
    const before = units.slice(0, half).flatMap((unit) => {
      return unit.isVideo ? [placed(unit, 256)] : [placed(unit, 257), placed(unit, 258)];
    });
    const after = units.slice(half).map((unit) => placed(unit, unit.isVideo ? 256 : 258));
    const bytes = Buffer.concat([
      written({ streams: [VIDEO, klv(257), klv(258)] }, before),
      written({ streams: [VIDEO, klv(258)] }, after),
    ]);
    const found = await recorded(server, folder, bytes);

    expect(found.time).toHaveLength(277);
    expect(found.health.streams.map(({ pid }) => pid)).toEqual([257, 258]);
  });

  itWithData(
    'goes on with the other stream when the first is silent for ten seconds, though the map names both',
    async () => {
      // Three times as slow, since ten seconds are longer than the recording.
      const slow = (await osh()).map((unit) => ({
        ...unit,
        ptsTicks: unit.ptsTicks * 3,
        ...(unit.dtsTicks == null ? {} : { dtsTicks: unit.dtsTicks * 3 }),
      }));
      const times = slow.filter(({ isVideo }) => !isVideo).map(({ ptsTicks }) => ptsTicks);
      const silentFrom = times[50]!;
      const units = slow.flatMap((unit) => {
        if (unit.isVideo) return [placed(unit, 256)];
        return unit.ptsTicks <= silentFrom ? [placed(unit, 257), placed(unit, 258)] : [placed(unit, 258)];
      });
      const found = await recorded(server, folder, written({ streams: [VIDEO, klv(257), klv(258)] }, units));

      const before = times.filter((ticks) => ticks <= silentFrom).length;
      const after = times.filter((ticks) => ticks > silentFrom + 10 * 90_000).length;
      expect(after).toBeGreaterThan(50);
      expect(found.health.streams.map(({ pid, sets }) => [pid, sets])).toEqual([
        [257, before],
        [258, after],
      ]);
      expect(found.time).toHaveLength(before + after);
    },
  );

  itWithData('is labelled by the marks of all of them', async () => {
    const units = (await osh()).flatMap((unit) => {
      if (unit.isVideo) return [placed(unit, 256)];
      return [placed(unit, 257), { ...unit, pid: 258, bytes: secret }];
    });
    const { mission } = await recorded(server, folder, written({ streams: [VIDEO, klv(257), klv(258)] }, units));

    expect(mission.securityClassification).toBe('SECRET');
  });
});

describe('KLV streams that complete each other', () => {
  /** Ten seconds at ten sets a second, of what each stream says at a time. */
  const flown = (said: Record<number, (seconds: number) => EncodeValues | null>) => {
    const sets = Array.from({ length: 100 }, (_, n) => n / 10).flatMap((seconds) =>
      Object.entries(said).flatMap(([pid, at]) => {
        const values = at(seconds);
        if (values === null) return [];
        return [
          { pid: Number(pid), atSeconds: seconds, bytes: encodeSt0601({ 2: START_US + seconds * 1e6, ...values }) },
        ];
      }),
    );
    return klvFlight({ seconds: 10, sets });
  };
  const START_US = Date.UTC(2026, 5, 1) * 1000;
  const place = (n: number) => ({ 13: 60 + n, 14: 25, 15: 500 });
  const telemetryOf = async ({ mission, sensor }: Awaited<ReturnType<typeof recorded>>) => {
    const path = `/api/sensors/telemetry/${mission._id}/${sensor._id}`;
    return (await server.ask('SA').get<TelemetryPage>(path)).body.tags;
  };

  it('fill in tags that the shown one has nowhere within a second, whole groups alone, and health says which', async () => {
    const found = await recorded(
      server,
      folder,
      flown({
        // The heading comes once in five seconds.
        257: (seconds) => ({ ...place(0), ...(seconds % 5 === 0 && { 5: 10 }) }),
        258: () => ({ 5: 200, 6: 3, 10: 'KEA', 23: 61, 24: 26 }),
      }),
    );

    const tags = await telemetryOf(found);
    expect(found.time).toHaveLength(100);
    expect(tags['10']).toEqual(Array(100).fill('KEA'));
    expect(tags['23']?.[50]).toBeCloseTo(61, 4);
    // Within a second of 0 and 5 s the shown stream has an attitude of its own.
    const headings = tags['5']!.map((heading) => (heading === null ? null : Math.round(Number(heading))));
    expect(headings.map((heading, n) => (heading === 200 ? n : -1)).filter((n) => n >= 0)).toEqual([
      ...Array.from({ length: 29 }, (_, n) => n + 11),
      ...Array.from({ length: 39 }, (_, n) => n + 61),
    ]);
    expect(headings.filter((heading) => heading === 10)).toHaveLength(2);
    expect(tags['6']!.map((pitch) => pitch !== null)).toEqual(headings.map((heading) => heading === 200));
    expect(found.health.choices).toMatchObject([
      {
        ...{ chosen: 257, by: 'positions' },
        streams: [
          { pid: 257, sets: 100, positions: 100 },
          { pid: 258, sets: 100, positions: 0, filled: [5, 6, 10, 23, 24] },
        ],
      },
    ]);
    expect(textOf(found)).not.toContain('left out');
  });

  it('are never joined where both hold positions, also where the second shows its own later', async () => {
    const found = await recorded(
      server,
      folder,
      flown({
        257: () => place(0),
        258: (seconds) => ({ 10: 'KEA', ...(seconds > 5 && place(1)) }),
      }),
    );

    const tags = await telemetryOf(found);
    expect(tags['10'] ?? []).toEqual([]);
    expect(tags['13']!.every((lat) => Math.abs(Number(lat) - 60) < 0.001)).toBe(true);
    expect(found.health.choices?.[0]?.streams.map(({ filled }) => filled)).toEqual([undefined, undefined]);
    expect(textOf(found)).toContain('one more telemetry stream is left out (PID 258).');
  });
});

describe('a further video', () => {
  /** Two videos of one program: a key frame each second, the second at half the rate. */
  function twoVideos(): Buffer {
    const streams = [VIDEO, { pid: 260, kind: 'h264' as const }, klv(257)];
    const units = Array.from({ length: 100 }, (_, n) => {
      const [ptsTicks, keyframe] = [900_000 + n * 9000, n % 10 === 0];
      const second = { pid: 260, ptsTicks, keyframe, bytes: picture(keyframe, 100, SPS.sd) };
      return [{ pid: 256, ptsTicks, keyframe, bytes: picture(keyframe, 200) }, ...(n % 2 === 0 ? [second] : [])];
    });
    return written({ streams }, units.flat());
  }

  /** PIDs of the videos that a segment announces. */
  function videosIn(segment: Uint8Array): number[] {
    const pids = new Set<number>();
    const demuxer = createDemuxer({
      program: ({ streams }) => {
        for (const { pid, kind } of streams) if (kind === 'h264') pids.add(pid);
      },
    });
    demuxer.push(segment);
    demuxer.end();
    return [...pids];
  }

  it('becomes a sensor of its own by choice, with the same bytes and its own pictures', async () => {
    const found = await recorded(server, folder, twoVideos());
    const { mission, sensor, health } = found;
    expect(health.videos).toMatchObject([{ pids: [260] }]);
    const { fileId } = health.videos![0]!;
    const path = `/api/sensors/${sensor._id}/files/${fileId}/videos`;
    const { post, get, put, delete: remove } = server.ask('SA');

    expect((await post(path, { pid: 261 })).status).toBe(422);
    expect((await post(path, { pid: 260 })).status).toBe(200);
    expect((await post(path, { pid: 260 })).status).toBe(422);
    await server.work();

    const shown = (await get<Mission>(`/api/missions/${mission._id}`)).body.sensors;
    expect(shown.map(({ name, state }) => [name, state])).toEqual([
      [sensor.name, 'Ready'],
      [`${sensor.name} PID 260`, 'Ready'],
    ]);
    const own = shown[1]!;
    const { video } = await server.db
      .selectFrom('sensors')
      .select('video')
      .where('id', '=', own._id)
      .executeTakeFirstOrThrow();
    expect(video).toMatchObject({ width: 640, frameRate: 5 });
    expect(own.assets[0]).toMatchObject({ sizeBytes: sensor.assets[0]!.sizeBytes });
    const playlist = (await get<string>(own.hlsProps!.url)).body;
    const [name] = playlist.split('\n').filter((line) => /\.ts/.test(line));
    const segment = (await get(`/api/media/${own._id}/${name}`)).raw;
    expect(videosIn(segment)).toEqual([260]);
    // The other video's packets carry the clock of the program: only those with a clock are in the segment.
    const isClock = (at: number) => (segment[at + 3]! & 0x20) !== 0 && (segment[at + 5]! & 0x10) !== 0;
    const packets = Array.from({ length: segment.length / 188 }, (_, n) => n * 188);
    const others = packets.filter((at) => (segment.readUInt16BE(at + 1) & 0x1fff) === 256);
    expect(others.every(isClock)).toBe(true);

    // Other choices for the new sensor keep its video, and the first sensor's file can be removed.
    const ownFile = own.assets[0]!._id;
    await put(`/api/sensors/${own._id}/files/${ownFile}/reading`, { klvPid: null, clock: null });
    expect((await remove(`/api/sensors/${sensor._id}/files/${fileId}`)).status).toBe(200);
    await server.work();
    const after = (await get<Mission>(`/api/missions/${mission._id}`)).body.sensors[1]!;
    expect(after).toMatchObject({ name: own.name, state: 'Ready' });
    expect((await get(`/api/media/${own._id}/${name}`)).raw.length).toBe(segment.length);
    const rows = await server.db.selectFrom('audit').select('reason').where('item_id', '=', mission._id).execute();
    expect(rows.filter(({ reason }) => reason?.includes('video of PID 260 as sensor'))).toHaveLength(1);
  });
});

describe('a program with several videos', () => {
  itWithData('plays the first and names the others', async () => {
    const units = (await osh()).flatMap((unit) => {
      return unit.isVideo ? [placed(unit, 256), placed(unit, 260)] : [placed(unit, 257)];
    });
    const streams = [VIDEO, klv(257), { pid: 260, kind: 'h264' as const }];
    const found = await recorded(server, folder, written({ streams }, units));

    expect(found.sensor.hlsProps?.durationSeconds).toBeCloseTo(9.23, 1);
    expect(found.timeline.frameRate).toBeCloseTo(30, 0);
    expect(textOf(found)).toContain('one more video stream is not shown (PID 260).');
  });
});
