import { Readable } from 'node:stream';
import {
  type AccessFacts,
  type Actor,
  AppError,
  addVideoSensor,
  type Clip,
  deleteAsset,
  getFrameCenterPoints,
  getKlvHealth,
  getSensorPath,
  getSensorPictures,
  getSensorSheets,
  getSensorTimeline,
  getTelemetry,
  getTelemetrySet,
  type KlvHealth,
  listSensors,
  type Mission,
  type PictureSheet,
  playSensor,
  readFileAs,
  type SensorTimeline,
  setSidecar,
  shiftSensor,
} from '@osprey/contract';
import { authorize } from '../../../base/access/authorize.ts';
import { auditedItem } from '../../../base/audit/item-notes.ts';
import { type CallContext, callRoute, type Http } from '../../../base/http/call-route.ts';
import type { SensorIndex } from '../../../media/index/sensor-index.ts';
import type { SensorIndexes } from '../../../media/play/sensor-index-cache.ts';
import type { TelemetrySets } from '../../../media/play/telemetry-set.ts';
import { telemetryPageOf } from '../../../telemetry/page.ts';
import { frameCentres, platformPath } from '../../../telemetry/places.ts';
import type { TelemetryReader } from '../../../telemetry/reader.ts';
import { shifted } from '../../../telemetry/walk.ts';
import type { AddedSensor } from './further-videos.ts';
import type { ReadSensor, RemovedFile, SensorRepository, SidecarSettings } from './repository.ts';

/** The facts of a mission needed to decide about rights. */
type MissionItem = AccessFacts & { id: string; name: string };

export type SensorRoutesDeps = Http & {
  sensors: SensorRepository;
  /** Returns the sensors of a mission that the actor may read, in the API format. @throws AppError notFound */
  sensorsOfMission: (actor: Actor, idOrName: string) => Promise<{ sensors: Mission['sensors']; mission: MissionItem }>;
  /** Returns the clips of a mission, with the rights of the actor. */
  clipsOf: (actor: Actor, mission: MissionItem) => Promise<Clip[]>;
  indexes: SensorIndexes;
  telemetry: TelemetryReader;
  sets: TelemetrySets;
  /** Returns the thumbnails along a sensor that exist so far. */
  picturesOf: (sensor: {
    id: string;
    missionId: string;
    indexKey: string | null;
  }) => Promise<{ time: number; url: string }[]>;
  /** Returns the sheets of these thumbnails that exist so far. */
  sheetsOf: (sensor: {
    id: string;
    missionId: string;
    indexKey: string | null;
    shiftUs: number;
  }) => Promise<PictureSheet[]>;
  /** Creates a sensor for a further video of a file. */
  addVideo: (sensor: ReadSensor, video: { fileId: string; pid: number }) => Promise<AddedSensor>;
  /** Called before the row of a file is deleted, so that items tied to its frames can store their times. */
  fileGoing: (sensor: ReadSensor) => Promise<void>;
  /** Removes the bytes of a file whose row was deleted. */
  fileRemoved: (sensor: ReadSensor, file: RemovedFile) => Promise<void>;
  changed: (noun: 'missions', ids: string[]) => void;
};

type Asked = Pick<CallContext<{ params: { mission: string; sensor: string } }, Actor>, 'input' | 'actor' | 'audit'>;

export function sensorRoutes(deps: SensorRoutesDeps): void {
  const { sensors, indexes, telemetry, changed } = deps;

  callRoute(deps, listSensors, async ({ input: { query }, actor, audit }) => {
    const { sensors, mission } = await deps.sensorsOfMission(actor, query.missionIdOrName);
    await audit.read('sensor.list', mission);
    if (query.clips !== true) return sensors;
    const clips = await deps.clipsOf(actor, mission);
    const ofSensor = (id: string) => clips.filter(({ cuts }) => cuts.some(({ sensorId }) => sensorId === id));
    return sensors.map((sensor) => ({ ...sensor, clips: ofSensor(sensor._id) }));
  });

  /** Finds the sensor of a request and its index, and audits the access if the label is above UNCLASSIFIED. */
  async function findSensor({ input: { params }, actor, audit }: Asked, action: string) {
    const sensor = await sensors.find(actor, params.mission, params.sensor);
    await audit.read(action, sensor.mission);
    const index = await indexes.read(sensor.indexKey);
    return { sensor, index, files: shifted(index?.files ?? [], sensor.shiftUs) };
  }

  callRoute(deps, getSensorTimeline, async (context) => {
    const { sensor, index } = await findSensor(context, 'telemetry.read');
    if (!index?.timeline) throw new AppError('notFound');
    return shiftedTimeline(index.timeline, sensor.shiftUs);
  });

  callRoute(deps, getTelemetry, async (context) => {
    const { sensor, index, files } = await findSensor(context, 'telemetry.read');
    const { from, to, every } = context.input.query;
    const { start, end } = shownTimes(index, sensor.shiftUs);
    const query = { fromUs: from ?? start, toUs: to ?? end, everyMs: every || null };
    const page = await telemetryPageOf(telemetry, files, query);
    // The arrays may contain a million values, so they are sent without validating each one against the schema.
    context.reply.type('application/json; charset=utf-8');
    return Readable.from([JSON.stringify({ sensor: sensor.id, ...page })]);
  });

  callRoute(deps, getTelemetrySet, async (context) => {
    const { sensor, files } = await findSensor(context, 'telemetry.read');
    const { time } = context.input.query;
    return { sensor: sensor.id, time, ...(await deps.sets.read({ sensorId: sensor.id, files, timeUs: time })) };
  });

  callRoute(deps, getFrameCenterPoints, async (context) => {
    const { files } = await findSensor(context, 'telemetry.read');
    return frameCentres(telemetry, files);
  });

  callRoute(deps, getSensorPath, async (context) => {
    const { sensor, files } = await findSensor(context, 'telemetry.read');
    return {
      type: 'Feature' as const,
      properties: { mission: sensor.mission.name, sensor: sensor.name },
      geometry: { type: 'MultiLineString' as const, coordinates: await platformPath(telemetry, files) },
    };
  });

  callRoute(deps, getKlvHealth, async (context) => {
    const { sensor, index } = await findSensor(context, 'telemetry.read');
    // Older stored reports lack items that were introduced later; these are filled with empty values.
    return shiftedHealth({ ...noHealth(sensor.id), ...index?.health }, sensor.shiftUs);
  });

  callRoute(deps, getSensorPictures, async (context) => {
    const { sensor } = await findSensor(context, 'thumbnail.read');
    const pictures = await deps.picturesOf({ id: sensor.id, missionId: sensor.mission.id, indexKey: sensor.indexKey });
    return pictures.map(({ time, url }) => ({ time: time + sensor.shiftUs, url }));
  });

  // No audit row: the list has times alone, and each sheet that is read has a row of its own.
  callRoute(deps, getSensorSheets, async ({ input: { params }, actor }) => {
    const { id, indexKey, shiftUs, mission } = await sensors.find(actor, params.mission, params.sensor);
    return deps.sheetsOf({ id, indexKey, shiftUs, missionId: mission.id });
  });

  callRoute(deps, shiftSensor, async ({ input: { params, body }, actor }) => {
    const sensor = await sensors.byId(actor, params.id);
    authorize(actor, 'mission.update', sensor.mission);
    await sensors.shift(sensor, body.shift);
    changed('missions', [sensor.mission.id]);
    return { message: `Sensor ${sensor.name} shifted.` };
  });

  callRoute(deps, setSidecar, async ({ input: { params, body }, actor, audit }) => {
    const sensor = await sensors.byId(actor, params.id);
    authorize(actor, 'mission.update', sensor.mission);
    const { name, before, after } = await sensors.setSidecar(sensor, params.fileId, body);
    await audit.write({
      ...{ action: 'mission.update', ...auditedItem(sensor.mission) },
      ...{ result: `POST ${setSidecar.path}`, reason: sidecarChange(name, before, after) },
    });
    changed('missions', [sensor.mission.id]);
    return { message: `Telemetry file ${name} is read again.` };
  });

  callRoute(deps, readFileAs, async ({ input: { params, body }, actor, audit }) => {
    const sensor = await sensors.byId(actor, params.id);
    authorize(actor, 'mission.update', sensor.mission);
    const { klvPid, clock, joined = false, ais = null } = body;
    const reading = {
      ...(klvPid !== null && { klvPid }),
      ...(clock !== null && { clock }),
      ...(joined && { joined: true as const }),
      ...(ais !== null && { ais: { startUs: ais.start, perSecond: ais.perSecond } }),
    };
    const isFree = Object.keys(reading).length === 0;
    const name = await sensors.readAs(sensor, params.fileId, isFree ? null : reading);
    await audit.write({
      action: 'mission.update',
      ...auditedItem(sensor.mission),
      result: 'PUT /sensors/:id/files/:fileId/reading',
      reason: `${name}: ${klvPid === null ? 'telemetry by the rules' : `telemetry of PID ${klvPid}`}, ${clock === null ? 'clock by the rules' : 'the other reading of the clock'}${joined ? ', begins where the file before it ends' : ''}${ais === null ? '' : ', times of AIS by hand'}`,
    });
    changed('missions', [sensor.mission.id]);
    return { message: isFree ? `${name} is read by the rules again.` : `${name} is read as chosen.` };
  });

  callRoute(deps, addVideoSensor, async ({ input: { params, body }, actor, audit }) => {
    const sensor = await sensors.byId(actor, params.id);
    authorize(actor, 'mission.update', sensor.mission);
    const added = await deps.addVideo(sensor, { fileId: params.fileId, pid: body.pid });
    await audit.write({
      ...{ action: 'mission.update', ...auditedItem(sensor.mission) },
      result: `POST ${addVideoSensor.path}`,
      reason: `${added.fileName}: video of PID ${body.pid} as sensor ${added.name}`,
    });
    changed('missions', [sensor.mission.id]);
    return { message: `Sensor ${added.name} was added.`, _id: added.sensorId };
  });

  callRoute(deps, playSensor, async ({ input: { params }, actor }) => {
    const sensor = await sensors.byId(actor, params.id);
    if (await sensors.countView(actor.id, sensor)) changed('missions', [sensor.mission.id]);
    return { message: 'Counted.' };
  });

  callRoute(deps, deleteAsset, async ({ input: { params }, actor }) => {
    const sensor = await sensors.byId(actor, params.id);
    authorize(actor, 'mission.update', sensor.mission);
    await deps.fileGoing(sensor);
    await deps.fileRemoved(sensor, await sensors.removeFile(sensor, params.fileId));
    changed('missions', [sensor.mission.id]);
    return { message: 'The file was removed.' };
  });
}

/** Describes changed settings of a telemetry file, for the audit. */
function sidecarChange(name: string, before: SidecarSettings, after: SidecarSettings): string {
  const seconds = ({ offset }: SidecarSettings) => `${offset / 1e6} s`;
  const order = ({ exchanged }: SidecarSettings) => (exchanged ? 'exchanged' : 'as read');
  return `${name}: offset ${seconds(before)} to ${seconds(after)}, coordinates ${order(before)} to ${order(after)}`;
}

function shownTimes(index: SensorIndex | null, shiftUs: number): { start: number; end: number } {
  const { startTime = 0, endTime = 0 } = index?.timeline ?? {};
  return { start: startTime + shiftUs, end: endTime + shiftUs };
}

function shiftedTimeline(timeline: SensorTimeline, by: number): SensorTimeline {
  if (by === 0) return timeline;
  return {
    ...timeline,
    startTime: timeline.startTime + by,
    endTime: timeline.endTime + by,
    runs: timeline.runs.map((run) => ({
      ...run,
      startTime: run.startTime + by,
      endTime: run.endTime + by,
      anchors: run.anchors.map(([pts, time]): [number, number] => [pts, time + by]),
    })),
    gaps: timeline.gaps.map(({ start, end }) => ({ start: start + by, end: end + by })),
  };
}

function shiftedHealth(health: KlvHealth, by: number): KlvHealth {
  const { clock, course } = health;
  const gaps = clock.gaps.map((gap) => ({ ...gap, time: gap.time + by }));
  const jumps = clock.jumps.map((jump) => ({ ...jump, time: jump.time === null ? null : jump.time + by }));
  const findings = health.findings.map((one) => ({ ...one, ...(one.time !== undefined && { time: one.time + by }) }));
  const moved = course && { ...course, time: course.time.map((time) => time + by) };
  const wrong = clock.wrong?.map((part) => ({ ...part, time: part.time + by }));
  const sidecars = health.sidecars.map((one) => {
    return { ...one, startTime: one.startTime + by, endTime: one.endTime + by };
  });
  const moments = { gaps, jumps, ...(wrong && { wrong }) };
  return { ...health, findings, clock: { ...clock, ...moments }, course: moved, sidecars };
}

const noHealth = (sensor: string): KlvHealth => ({
  sensor,
  findings: [],
  streams: [],
  sets: 0,
  ratePerSecond: null,
  checksum: { good: 0, bad: 0, missing: 0 },
  missing: [],
  clock: {
    trustworthy: false,
    reason: null,
    millisecondsByMistake: 0,
    duplicates: 0,
    backwards: 0,
    gaps: [],
    jumps: [],
  },
  latencyMs: null,
  course: null,
  tags: [],
  faults: [],
  transport: {},
  sidecars: [],
});
