import { DEFAULT_SENSOR, newMissionForm, timeInName, timeStamp } from '@osprey/contract';
import type { DroppedFile } from '../../base/dropped-files.ts';
import { MANIFEST_NAME, TELEMETRY_NAME } from '../dialog/files.ts';
import { nextName } from '../dialog/form.ts';
import { asMissionName, asSensorName, stemOf } from '../dialog/offers.ts';
import { INSPECTED_BYTES, type Inspection } from './inspect.ts';

/** A dropped file with the inspection of its first bytes. `id` is its number in the drop. */
export type InspectedFile = DroppedFile & { id: number; inspection: Inspection };

export type ProposedSensor = { key: string; name: string; files: InspectedFile[] };

/** A proposed mission. `startUs`: start of its first file, in UTC microseconds; null if no file has a start time. */
export type ProposedMission = {
  key: string;
  name: string;
  /** The user typed the name, so it is not replaced by another one if it is taken. */
  isTyped: boolean;
  platform: string | null;
  startUs: number | null;
  sensors: ProposedSensor[];
  /** Reason why the mission was not created; null if there is none. */
  problem: string | null;
};

export type Proposal = { missions: ProposedMission[]; leftOut: InspectedFile[] };

/** Recordings that are further apart than this belong to different flights, in microseconds. */
const PAUSE_US = 30 * 60 * 1_000_000;

const SENSOR_WORD =
  /(?<![a-z0-9])(?:eo[-_]?ir|eo|ir|swir|mwir|lwir|thermal|infrared|cam(?:era)?[-_ ]?\d*|sensor[-_ ]?\d*)(?![a-z0-9])/i;
const SENSOR_FOLDER = new RegExp(
  `^(?:${SENSOR_WORD.source}|day|night|visible|rgb|wide|zoom|left|right|front|rear)$`,
  'i',
);

const folderOf = ({ path }: DroppedFile): string => path.split('/').slice(0, -1).join('/');
const lastOf = (folder: string): string => folder.split('/').at(-1) ?? '';
const parentOf = (folder: string): string => folder.split('/').slice(0, -1).join('/');

/** Returns the folder of the flight. A folder named after a sensor counts as part of its parent folder. */
function flightFolder(file: DroppedFile): string {
  const folder = folderOf(file);
  return SENSOR_FOLDER.test(lastOf(folder)) ? parentOf(folder) : folder;
}

/** Returns the part of a name that all files of a series have in common: without times, numbers and sensor words. */
const seriesOf = (name: string): string =>
  stemOf(name)
    .replace(SENSOR_WORD, '')
    .replace(/[\d:.tTzZ_-]*\d{4,}[\d:.tTzZ_-]*|\d+/g, '')
    .replace(/[-_. ()]+/g, '-')
    .replace(/^-|-$/g, '');

const startOf = ({ inspection, file }: InspectedFile): number | null =>
  inspection.startUs ?? timeInName(file.name, Date.now() * 1000);

/** Estimated duration of the whole file in microseconds, assuming that the rest is coded like its beginning. */
const lengthOf = ({ inspection, file }: InspectedFile): number =>
  (inspection.seconds ?? 0) * Math.max(1, file.size / INSPECTED_BYTES) * 1e6;

const byName = (a: DroppedFile, b: DroppedFile) => a.path.localeCompare(b.path, 'en', { numeric: true });
const byStart = (a: InspectedFile, b: InspectedFile) => (startOf(a) ?? 0) - (startOf(b) ?? 0) || byName(a, b);

function gathered<Value>(
  files: readonly InspectedFile[],
  keyOf: (file: InspectedFile) => Value,
): Map<Value, InspectedFile[]> {
  const groups = new Map<Value, InspectedFile[]>();
  for (const file of files) {
    const key = keyOf(file);
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return groups;
}

/**
 * Proposes missions with sensors. Files are grouped by the Mission ID of the KLV, else by folder, else by name, and
 * each group is split where nothing was recorded for half an hour. The user can still move each file.
 */
export function propose(files: readonly InspectedFile[]): Proposal {
  const missions = missionsOf(files.filter((file) => !isCompanion(file)));
  const alone: InspectedFile[] = [];
  for (const file of files.filter(isCompanion)) {
    const sensor = companyOf(file, missions);
    if (sensor === null) alone.push(file);
    else sensor.files.push(file);
  }
  missions.push(...missionsOf(alone.filter(({ file }) => TELEMETRY_NAME.test(file.name))));
  missions.sort((a, b) => (a.startUs ?? 0) - (b.startUs ?? 0));
  const used = new Set<string>();
  for (const mission of missions) {
    while (used.has(mission.name)) mission.name = nextName(mission.name);
    used.add(mission.name);
  }
  return { missions, leftOut: alone.filter(({ file }) => !TELEMETRY_NAME.test(file.name)) };
}

/**
 * Whether the file is telemetry or a manifest that accompanies a recording in the same folder. Telemetry can also be a
 * mission by itself; a manifest cannot.
 */
const isCompanion = ({ file }: InspectedFile): boolean =>
  TELEMETRY_NAME.test(file.name) || MANIFEST_NAME.test(file.name);

function isNamesake({ file }: InspectedFile, other: InspectedFile): boolean {
  const [own, stem] = [stemOf(file.name).toLowerCase(), stemOf(other.file.name).toLowerCase()];
  return own.startsWith(stem) || stem.startsWith(own);
}

/**
 * Returns the recording that a telemetry file would be joined to among the files of its sensor: the recording with the
 * same name, or `sensor` if none has it. Null for other files, and if there is no recording.
 */
export function joinedTo(file: InspectedFile, files: readonly InspectedFile[]): InspectedFile | 'sensor' | null {
  if (!TELEMETRY_NAME.test(file.file.name)) return null;
  const recordings = files.filter((other) => !isCompanion(other));
  if (recordings.length === 0) return null;
  return recordings.find((other) => isNamesake(file, other)) ?? 'sensor';
}

/**
 * Returns the sensor that a telemetry file or manifest belongs to: that of the recording with its name, else the first
 * sensor of the only mission with files in its folder. Null if there is none.
 */
function companyOf(file: InspectedFile, missions: readonly ProposedMission[]): ProposedSensor | null {
  const inFolder = (other: InspectedFile) => folderOf(other) === folderOf(file);
  const near = missions.filter(({ sensors }) => sensors.some(({ files }) => files.some(inFolder)));
  const isOfName = (other: InspectedFile) => inFolder(other) && isNamesake(file, other);
  const namesake = near.flatMap(({ sensors }) => sensors).find(({ files }) => files.some(isOfName));
  return namesake ?? (near.length === 1 ? (near[0]?.sensors[0] ?? null) : null);
}

function missionsOf(files: readonly InspectedFile[]): ProposedMission[] {
  const platforms = new Map<string, string>();
  for (const { inspection } of files) {
    if (inspection.missionId !== null && inspection.platform !== null && !platforms.has(inspection.missionId)) {
      platforms.set(inspection.missionId, inspection.platform);
    }
  }
  const placeOf = (file: InspectedFile) => {
    const folder = flightFolder(file);
    return folder === '' ? `name ${seriesOf(file.file.name).toLowerCase()}` : `folder ${folder}`;
  };
  const flightOf = ({ inspection: { missionId, platform } }: InspectedFile) =>
    missionId === null ? null : `klv ${missionId} ${platform ?? platforms.get(missionId) ?? ''}`;
  const places = gathered(files, placeOf);
  const groups = gathered(files, (file) => {
    const own = flightOf(file);
    if (own !== null) return own;
    // A recording without KLV joins the recordings in the same place if all of them belong to one flight.
    const flights = new Set(places.get(placeOf(file))?.flatMap((other) => flightOf(other) ?? []));
    const [only] = flights;
    return only !== undefined && flights.size === 1 ? only : placeOf(file);
  });
  return [...groups.values()].flatMap((group) => {
    const flights = cutAtPauses(group);
    return flights.map((flight) => missionOf(flight, nameOf(group), flights.length > 1));
  });
}

function cutAtPauses(files: readonly InspectedFile[]): InspectedFile[][] {
  const timed = files.filter((file) => startOf(file) !== null).sort(byStart);
  const untimed = files.filter((file) => startOf(file) === null);
  const flights: InspectedFile[][] = [];
  let endUs = Number.NEGATIVE_INFINITY;
  for (const file of timed) {
    const startUs = startOf(file)!;
    if (startUs - endUs > PAUSE_US) flights.push([]);
    flights.at(-1)!.push(file);
    endUs = Math.max(endUs, startUs + lengthOf(file));
  }
  for (const file of untimed) {
    // The last flight with a file whose name sorts before this one.
    const flight = flights.findLast((known) => known.some((other) => byName(other, file) < 0)) ?? flights[0];
    if (flight) flight.push(file);
    else flights.push([file]);
  }
  return flights;
}

function nameOf(group: readonly InspectedFile[]): string {
  const missionId = group.find(({ inspection }) => inspection.missionId !== null)?.inspection.missionId;
  const [first] = group;
  const folders = new Set(group.map(flightFolder));
  const folder = folders.size === 1 ? lastOf([...folders][0]!) : '';
  const series = first === undefined ? '' : group.length === 1 ? stemOf(first.file.name) : seriesOf(first.file.name);
  const words = [missionId ?? '', folder, series];
  return words.flatMap((word) => asMissionName(word) ?? [])[0] ?? newMissionForm.name;
}

function missionOf(files: readonly InspectedFile[], name: string, isOneOfMany: boolean): ProposedMission {
  const starts = files.flatMap((file) => startOf(file) ?? []);
  const startUs = starts.length === 0 ? null : Math.min(...starts);
  const day = isOneOfMany && startUs !== null ? timeStamp(startUs).slice(0, 8) : null;
  return {
    key: crypto.randomUUID(),
    name: day === null ? name : (asMissionName(`${name.slice(0, 55)}-${day}`) ?? name),
    isTyped: false,
    platform: files.find(({ inspection }) => inspection.platform !== null)?.inspection.platform ?? null,
    startUs,
    sensors: sensorsOf(files),
    problem: null,
  };
}

function sensorWord(file: InspectedFile): string | null {
  const folder = lastOf(folderOf(file));
  if (SENSOR_FOLDER.test(folder)) return folder;
  const word = SENSOR_WORD.exec(stemOf(file.file.name))?.[0] ?? null;
  return word !== null && word.length <= 5 ? word.toUpperCase() : word;
}

function sensorsOf(files: readonly InspectedFile[]): ProposedSensor[] {
  const named = gathered([...files].sort(byStart), (file) => {
    return asSensorName(file.inspection.sensor ?? sensorWord(file) ?? '') ?? DEFAULT_SENSOR.name;
  });
  return [...named].flatMap(([name, ofName]) =>
    atOnce(ofName).map((lane, n) => ({
      key: crypto.randomUUID(),
      name: n === 0 ? name : nextSensor(name, n),
      files: lane,
    })),
  );
}

/** Name of the n-th further sensor of the same name, such as "EO/IR-2" for the second one. */
export const nextSensor = (name: string, n: number): string => `${name.slice(0, 58)}-${n + 1}`;

/**
 * Distributes the files over cameras. One camera records one file at a time, so a file that begins in the first half of
 * another comes from another camera. Later overlaps are ignored, since the durations are estimates.
 */
function atOnce(files: readonly InspectedFile[]): InspectedFile[][] {
  const lanes: InspectedFile[][] = [];
  for (const file of files) {
    const startUs = file.inspection.startUs;
    const isFree = (lane: readonly InspectedFile[]) => {
      const last = lane.at(-1);
      if (last === undefined || startUs === null || last.inspection.startUs === null) return true;
      return startUs >= last.inspection.startUs + lengthOf(last) / 2;
    };
    const lane = lanes.find(isFree);
    if (lane) lane.push(file);
    else lanes.push([file]);
  }
  return lanes;
}
