import { describe, expect, it } from 'vitest';
import { propose } from './group.ts';
import { emptyInspection, INSPECTED_BYTES, type Inspection } from './inspect.ts';
import { moveFiles } from './proposal.ts';

const HOUR_US = 3_600_000_000;
const NOON_US = Date.UTC(2023, 10, 14, 12) * 1000;

/** Paths with what their KLV says. */
const dropOf = (files: Record<string, Partial<Inspection> | null>) =>
  Object.entries(files).map(([path, inspection], id) => ({
    id,
    path,
    file: { name: path.split('/').at(-1)!, size: INSPECTED_BYTES } as File,
    inspection: { ...emptyInspection, ...inspection },
  }));

/** Missions as `name: sensor = files`. */
const shortOf = ({ missions, leftOut }: ReturnType<typeof propose>) => ({
  ...Object.fromEntries(
    missions.map(({ name, sensors }) => [
      name,
      Object.fromEntries(sensors.map((sensor) => [sensor.name, sensor.files.map(({ path }) => path)])),
    ]),
  ),
  ...(leftOut.length > 0 && { out: leftOut.map(({ path }) => path) }),
});

const proposed = (files: Record<string, Partial<Inspection> | null>) => shortOf(propose(dropOf(files)));

describe('missions are proposed', () => {
  it('by the Mission ID, with the sensors that the KLV names, wherever the files are', () => {
    const kea = { missionId: 'Kea Night', startUs: NOON_US, seconds: 600 };
    expect(
      proposed({
        'a/1.ts': { ...kea, sensor: 'EO Nose' },
        'b/2.ts': { ...kea, sensor: 'IR Nose' },
        'b/other.ts': { missionId: 'Milos', startUs: NOON_US, sensor: 'EO' },
      }),
    ).toEqual({
      'Kea-Night': { 'EO Nose': ['a/1.ts'], 'IR Nose': ['b/2.ts'] },
      Milos: { EO: ['b/other.ts'] },
    });
  });

  it('by folders, where one that is named like a sensor is a sensor', () => {
    expect(
      proposed({ 'Flights/Kea/EO/1.ts': null, 'Flights/Kea/IR/1.ts': null, 'Flights/Milos/one.ts': null }),
    ).toEqual({
      Kea: { EO: ['Flights/Kea/EO/1.ts'], IR: ['Flights/Kea/IR/1.ts'] },
      Milos: { 'EO/IR': ['Flights/Milos/one.ts'] },
    });
  });

  it('by names without their numbers', () => {
    expect(proposed({ 'kea_01.ts': null, 'kea_02.ts': null, 'kea_IR_01.ts': null, 'Milos run.mp4': null })).toEqual({
      kea: { 'EO/IR': ['kea_01.ts', 'kea_02.ts'], IR: ['kea_IR_01.ts'] },
      'Milos-run': { 'EO/IR': ['Milos run.mp4'] },
    });
  });

  it('apart where nothing was recorded for half an hour, with the day in their names', () => {
    const at = (startUs: number) => ({ startUs, seconds: 60 });
    expect(
      proposed({
        'Kea/1.ts': at(NOON_US),
        'Kea/2.ts': at(NOON_US + HOUR_US / 4),
        'Kea/3.ts': at(NOON_US + 24 * HOUR_US),
      }),
    ).toEqual({
      'Kea-20231114': { 'EO/IR': ['Kea/1.ts', 'Kea/2.ts'] },
      'Kea-20231115': { 'EO/IR': ['Kea/3.ts'] },
    });
    expect(Object.keys(proposed({ 'DJI_20231114120000_1.MP4': null, 'DJI_20231114140000_2.MP4': null }))).toEqual([
      'DJI-20231114',
      'DJI-20231114-2',
    ]);
  });

  it('with two sensors of a name for what was recorded at the same time', () => {
    const at = (startUs: number) => ({ missionId: 'Kea', startUs, seconds: 600 });
    expect(proposed({ '1.ts': at(NOON_US), '2.ts': at(NOON_US), '3.ts': at(NOON_US + HOUR_US / 6) })).toEqual({
      Kea: { 'EO/IR': ['1.ts', '3.ts'], 'EO/IR-2': ['2.ts'] },
    });
  });

  it('with telemetry at the recording of its name, and leaves out manifests without a recording', () => {
    expect(proposed({ 'DJI_0011.MP4': null, 'DJI_0011.SRT': null, 'track.gpx': null, 'notes.txt': null })).toEqual({
      // The only mission in the folder.
      DJI_0011: { 'EO/IR': ['DJI_0011.MP4', 'DJI_0011.SRT', 'track.gpx', 'notes.txt'] },
    });
    expect(proposed({ 'a/one.ts': null, 'b/track.gpx': null, 'c/notes.txt': null })).toEqual({
      a: { 'EO/IR': ['a/one.ts'] },
      b: { 'EO/IR': ['b/track.gpx'] },
      out: ['c/notes.txt'],
    });
  });

  it('of recordings without KLV, with those next to them that have some', () => {
    expect(proposed({ 'x/eo.ts': { missionId: 'Kea', startUs: NOON_US }, 'x/ir.ts': null })).toEqual({
      Kea: { EO: ['x/eo.ts'], IR: ['x/ir.ts'] },
    });
  });
});

describe('files are moved', () => {
  const drop = propose(dropOf({ 'Kea/EO/1.ts': null, 'Kea/EO/2.ts': null, 'Milos/3.ts': null }));
  const [kea, milos] = drop.missions as [(typeof drop.missions)[0], (typeof drop.missions)[0]];

  it('to another sensor; a mission without files is gone', () => {
    const moved = moveFiles(drop, [2], { kind: 'sensor', mission: kea.key, sensor: kea.sensors[0]!.key });
    expect(shortOf(moved)).toEqual({ Kea: { EO: ['Kea/EO/1.ts', 'Kea/EO/2.ts', 'Milos/3.ts'] } });
  });

  it('to a new sensor, to a new mission, out, and back', () => {
    const sensor = moveFiles(drop, [1], { kind: 'newSensor', mission: milos.key });
    expect(shortOf(sensor)).toEqual({
      Kea: { EO: ['Kea/EO/1.ts'] },
      Milos: { 'EO/IR': ['Milos/3.ts'], 'EO/IR-2': ['Kea/EO/2.ts'] },
    });
    const mission = moveFiles(sensor, [0], { kind: 'newMission' });
    expect(shortOf(mission)).toMatchObject({ 1: { 'EO/IR': ['Kea/EO/1.ts'] } });
    const out = moveFiles(mission, [0, 1], { kind: 'out' });
    expect(shortOf(out)).toEqual({ Milos: { 'EO/IR': ['Milos/3.ts'] }, out: ['Kea/EO/1.ts', 'Kea/EO/2.ts'] });
    expect(shortOf(moveFiles(out, [0], { kind: 'newMission' })).out).toEqual(['Kea/EO/2.ts']);
  });
});
