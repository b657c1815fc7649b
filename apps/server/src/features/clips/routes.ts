import { Readable } from 'node:stream';
import {
  type Actor,
  AppError,
  type Clip,
  type ClipContainer,
  classificationRank,
  createClip,
  deleteClips,
  exportClip,
  exportVideo,
  listClips,
  orderClip,
  orderVideo,
  planClip,
  updateClip,
} from '@osprey/contract';
import { TICKS_PER_SECOND } from '@osprey/mpegts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../../base/access/authorize.ts';
import type { OpenReads } from '../../base/access/open-reads.ts';
import { auditedItem, auditedParts } from '../../base/audit/item-notes.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Session } from '../../base/http/session.ts';
import { actorAgain } from '../../base/http/still-allowed.ts';
import type { ExportSlots } from '../../base/jobs/export-slots.ts';
import { beginExport } from '../../base/jobs/export-tasks.ts';
import { checkExportRoom } from '../../base/storage/export-room.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { watchedRead } from '../../media/play/transfer.ts';
import { checkCut, codingsOf, cutBytes, openMp4 } from './cut.ts';
import { mayExport } from './export-rights.ts';
import { clipName, iso } from './names.ts';
import { clipZip, filesOf, manifestOf, metadataOf, type SensorCut } from './package.ts';
import { type AskedSpan, estimatedBytes, type PlanDeps, planCuts } from './plan.ts';
import type { ClipRepository } from './repository.ts';
import { type ClippedMission, factsOfClip } from './rows.ts';
import { saved } from './saved.ts';
import { auditedStream } from './sent.ts';
import { askedSpan } from './span.ts';

export type ClipSensor = {
  id: string;
  name: string;
  indexKey: string | null;
  shiftUs: number;
  mission: ClippedMission;
};

export type ClipRoutesDeps = Http & {
  storage: Storage;
  plan: PlanDeps;
  reads: OpenReads;
  slots: ExportSlots;
  server: { name: string; version: string };
  /** Returns the reason, as a sentence, why the licence currently allows no exports; null if it allows them. */
  exportRefusal: () => string | null;
  /** A sensor that the actor may read, by names or ids. @throws AppError notFound */
  sensorOf: (actor: Actor, mission: string, sensor: string) => Promise<ClipSensor>;
  /** Returns the ids of a mission's sensors, if the actor may read it. */
  sensorsOf: (actor: Actor, missionId: string) => Promise<string[]>;
  /** Returns the time at which a mission begins, in UTC microseconds; null if it has no recording. */
  startOf: (actor: Actor, missionId: string) => Promise<number | null>;
  damaged: (fileId: string, error: unknown) => void;
  clips: ClipRepository;
  /** Returns a mission by id or name, if the actor may read it. @throws AppError notFound */
  missionOf: (
    actor: Actor,
    idOrName: string,
  ) => Promise<ClippedMission & { startTime: number | null; endTime: number | null }>;
  /**
   * Refuses an old name of a mission. Call it before a change that names the mission. @throws AppError missionRenamed
   */
  refuseOldName: (actor: Actor, idOrName: string) => Promise<void>;
  changed: (noun: 'clips', missionIds: string[]) => void;
};

export type Asking = {
  actor: Actor;
  session: Session;
  request: FastifyRequest;
  reply: FastifyReply;
  audit: RequestAudit;
};

/** Clips of recordings, cut while they are sent. */
export function clipRoutes(deps: ClipRoutesDeps): void {
  const { storage, clips } = deps;

  callRoute(deps, planClip, async ({ input: { params, query }, actor }) => {
    const sensor = await deps.sensorOf(actor, params.mission, params.sensor);
    mayExport(actor, sensor.mission);
    const span = askedSpan(query.markIn, query.markOut, await deps.startOf(actor, sensor.mission.id));
    const { fileName, pieces } = await plannedCut(sensor, span);
    const shown = pieces.reduce((sum, { askedTicks, lengthTicks }) => sum + lengthTicks - askedTicks, 0);
    const [first, last] = [pieces[0]!, pieces.at(-1)!];
    return {
      fileName,
      sizeBytes: pieces.reduce((sum, piece) => sum + estimatedBytes(piece), 0),
      startTime: first.utcOf(0),
      endTime: last.utcOf(last.lengthTicks),
      files: filesOf({ fileName, pieces }, query.format ?? 'ts').length,
      ...(await codingsOf({ storage, rank: 0, damaged: deps.damaged }, first)),
      converted: pieces.some(({ converted }) => converted),
      gapSeconds: Math.max(0, (span[1] - span[0]) / 1e6 - shown / TICKS_PER_SECOND),
    };
  });

  callRoute(deps, exportVideo, async ({ input: { params, query }, ...asking }) => {
    const { actor } = asking;
    const sensor = await deps.sensorOf(actor, params.mission, params.sensor);
    mayExport(actor, sensor.mission);
    refuseUnlicensed();
    const { startTime, endTime } = await deps.missionOf(actor, sensor.mission.id);
    // A mission that runs has no end yet.
    const markOut = query.markOut ?? { us: endTime ?? deps.nowUs() };
    const span = askedSpan(query.markIn, markOut, startTime);
    const cut = await plannedCut(sensor, span);
    const others = query.allSensors ? await otherCuts(actor, sensor, span) : [];
    const isZip = (query.sidecar ?? false) || (query.allSensors ?? false);
    const container = query.format ?? 'ts';
    return send(asking, { mission: sensor.mission, span, cuts: [cut, ...others], container, isZip });
  });

  callRoute(deps, orderVideo, async ({ input: { params, body }, actor, audit }) => {
    const sensor = await deps.sensorOf(actor, params.mission, params.sensor);
    mayExport(actor, sensor.mission);
    refuseUnlicensed();
    const span = askedSpan(body.markIn, body.markOut, await deps.startOf(actor, sensor.mission.id));
    const cut = await plannedCut(sensor, span);
    const others = body.allSensors ? await otherCuts(actor, sensor, span) : [];
    const cuts = [cut, ...others].map((one) => ({ ...one, span }));
    return order({ actor, audit }, { mission: sensor.mission, cuts, container: body.format ?? 'ts' });
  });

  callRoute(deps, listClips, async ({ input: { query }, actor, audit }) => {
    const mission = await deps.missionOf(actor, query.missionIdOrName);
    authorize(actor, 'clip.read', factsOfClip(mission));
    await audit.read('clip.read', mission);
    return clips.ofMission(actor, mission);
  });

  callRoute(deps, createClip, async ({ input: { body }, actor, audit }) => {
    await deps.refuseOldName(actor, body.missionIdOrName);
    const mission = await deps.missionOf(actor, body.missionIdOrName);
    authorize(actor, 'clip.create', factsOfClip(mission));
    const found = new Map<string, ClipSensor>();
    for (const ref of body.sensors) {
      const sensor = await deps.sensorOf(actor, mission.id, ref);
      found.set(sensor.id, sensor);
    }
    const span = askedSpan(body.markIn, body.markOut, mission.startTime);
    const { title, note, tags } = body;
    const id = await clips.create(actor, mission, { sensors: [...found.values()], span, words: { title, note, tags } });
    await audit.write(auditedParts('clip.create', mission, [id]));
    deps.changed('clips', [mission.id]);
    return { ...(await clips.one(actor, id)).clip, message: `Clip ${title} saved.` };
  });

  callRoute(deps, updateClip, async ({ input: { params, body }, actor, audit }) => {
    const mission = await clips.update(actor, params.id, body);
    await audit.write(auditedParts('clip.update', mission, [params.id]));
    deps.changed('clips', [mission.id]);
    return (await clips.one(actor, params.id)).clip;
  });

  callRoute(deps, deleteClips, async ({ input: { body }, actor, audit }) => {
    const { missions, titles } = await clips.remove(actor, body.clips);
    for (const { facts, ids } of missions) await audit.write(auditedParts('clip.delete', facts, ids));
    deps.changed(
      'clips',
      missions.map(({ facts }) => facts.id),
    );
    return { message: `Clip(s) ${titles.join(', ')} deleted.` };
  });

  callRoute(deps, exportClip, async ({ input: { params, query }, ...asking }) => {
    const { actor } = asking;
    const { clip } = await clips.one(actor, params.id);
    const mission = await deps.missionOf(actor, clip.missionId);
    mayExport(actor, mission);
    refuseUnlicensed();
    const cuts = await cutsOf(actor, clip);
    const span: AskedSpan = [clip.startTime, clip.endTime];
    const isZip = (query.sidecar ?? false) || cuts.length > 1;
    return send(asking, { mission, span, cuts, container: query.format ?? 'ts', isZip });
  });

  callRoute(deps, orderClip, async ({ input: { params, body }, actor, audit }) => {
    const { clip } = await clips.one(actor, params.id);
    const mission = await deps.missionOf(actor, clip.missionId);
    mayExport(actor, mission);
    refuseUnlicensed();
    return order({ actor, audit }, { mission, cuts: await cutsOf(actor, clip), container: body.format ?? 'ts' });
  });

  type SpannedCut = SensorCut & { span: AskedSpan };

  /** Returns the cuts of a saved clip. @throws AppError ruleRefused if some of its sources no longer exist */
  async function cutsOf(actor: Actor, clip: Clip): Promise<SpannedCut[]> {
    const cuts: SpannedCut[] = [];
    for (const { sensorId, startTime, endTime, state } of clip.cuts) {
      if (sensorId === null || state === 'gone') {
        throw new AppError('ruleRefused', {
          reason: 'A recording of this clip was removed, so it can no longer be cut.',
        });
      }
      const span: AskedSpan = [startTime, endTime];
      cuts.push({ ...(await plannedCut(await deps.sensorOf(actor, clip.missionId, sensorId), span)), span });
    }
    return cuts;
  }

  type Ordered = { mission: ClippedMission; cuts: readonly SpannedCut[]; container: ClipContainer };

  /** @throws AppError ruleRefused, tooManyRequests, diskFull */
  async function order({ actor, audit }: Pick<Asking, 'actor' | 'audit'>, { mission, cuts, container }: Ordered) {
    if (cuts.some(({ id }) => deps.plan.recording(id) !== null)) {
      throw new AppError('ruleRefused', {
        reason: 'A recording that goes on is exported at once, not in the background.',
      });
    }
    const sizeBytes = cuts.flatMap(({ pieces }) => pieces).reduce((sum, piece) => sum + estimatedBytes(piece), 0);
    await checkExportRoom(storage, sizeBytes);
    await deps.slots.check(actor.id);
    const { id: itemId, securityClassification: itemLabel, usergroups } = mission;
    const reason = cuts.map(({ id, span }) => `${id} ${iso(span[0])} to ${iso(span[1])}`).slice(0, NAMED_MAX);
    await audit.write({
      ...{ action: 'clip.export', itemId, itemLabel, usergroups },
      ...{ result: 'zip in the background', reason: reason.join(', ') },
    });
    const ordered = cuts.map(({ id: sensorId, span: [inUs, outUs] }) => ({ sensorId, inUs, outUs }));
    const input = { missions: [mission.id], clips: { container, cuts: ordered } };
    return { id: await beginExport({ db: deps.plan.db, ...deps }, actor, { title: mission.name, input }) };
  }

  function refuseUnlicensed(): void {
    const reason = deps.exportRefusal();
    if (reason !== null) throw new AppError('ruleRefused', { reason });
  }

  /** @throws AppError ruleRefused if nothing was recorded in the span */
  async function plannedCut(sensor: ClipSensor, span: AskedSpan): Promise<SensorCut> {
    const pieces = await planCuts(deps.plan, sensor, span);
    const [inUs, outUs] = span;
    const { securityClassification: label, name: mission } = sensor.mission;
    const fileName = clipName({ label, mission, sensor: sensor.name, inUs, outUs });
    if (pieces.length === 0) {
      throw new AppError('ruleRefused', { reason: `Sensor ${sensor.name} recorded nothing between In and Out.` });
    }
    return { id: sensor.id, name: sensor.name, fileName, pieces };
  }

  /** Cuts of the other sensors of the mission; those that recorded nothing in the span are left out. */
  async function otherCuts(actor: Actor, { id, mission }: ClipSensor, span: AskedSpan): Promise<SensorCut[]> {
    const cuts: SensorCut[] = [];
    for (const other of await deps.sensorsOf(actor, mission.id)) {
      if (other === id) continue;
      const sensor = await deps.sensorOf(actor, mission.id, other);
      if ((await planCuts(deps.plan, sensor, span)).length > 0) cuts.push(await plannedCut(sensor, span));
    }
    return cuts;
  }

  type Sent = {
    mission: ClippedMission;
    span: AskedSpan;
    cuts: readonly SensorCut[];
    container: ClipContainer;
    isZip: boolean;
  };

  async function send(asking: Asking, { mission, span, cuts, container, isZip }: Sent): Promise<Readable> {
    const { actor, request, reply, audit } = asking;
    const cutting = { storage, rank: classificationRank(mission.securityClassification), damaged: deps.damaged };
    const files = cuts.flatMap((cut) => filesOf(cut, container));
    const asZip = isZip || files.length > 1;
    const writeHead = () => {
      const name = asZip ? `${cuts[0]!.fileName}.zip` : files[0]!.name;
      saved(reply, name).type(asZip ? 'application/zip' : TYPES[container]);
    };
    if (request.method === 'HEAD') {
      writeHead();
      return Readable.from([]);
    }
    await deps.slots.check(actor.id);
    // Take the slot before any await, so that concurrent requests cannot all pass the limit check.
    const release = deps.slots.enter(actor.id);
    try {
      await checkExportRoom(storage);
      for (const { pieces } of cuts) await checkCut(cutting, pieces[0]!);
      const note = {
        ...auditedItem(mission),
        reason: `${cuts.map(({ id }) => id).join(', ')} ${iso(span[0])} to ${iso(span[1])}`,
      };
      const mp4 = asZip || container === 'ts' ? null : await openedMp4();
      await audit.write({ ...note, action: 'clip.export', result: asZip ? 'zip' : container });
      const nowUs = deps.nowUs();
      const bytes = () =>
        asZip
          ? clipZip({
              ...cutting,
              container,
              sensors: cuts,
              nowUs,
              manifest: manifestOf({ server: deps.server, actor, mission, span, nowUs }),
            })
          : (mp4?.bytes() ?? cutBytes(cutting, files[0]!, () => {}));
      const again = async () => {
        const now = await actorAgain(deps, request, { media: true });
        mayExport(now, (await deps.sensorOf(now, mission.id, cuts[0]!.id)).mission);
      };
      const begin = () => {
        writeHead();
        if (mp4 !== null) reply.header('content-length', mp4.sizeBytes);
        const actions = { whole: 'clip.exported', broken: 'clip.export' };
        return auditedStream(bytes(), { reply, audit, note, actions, over: release });
      };
      return await watchedRead(deps.reads, asking, [mission], { again, begin });
    } catch (error) {
      release();
      throw error;
    }

    /**
     * Makes an MP4. The tables come first in the file, so everything is read before sending. Stops when the client
     * disconnects.
     */
    async function openedMp4() {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const { securityClassification: label, name } = mission;
      const metadata = metadataOf(files[0]!, { label, mission: name, sensor: cuts[0]!.name });
      return openMp4(cutting, files[0]!, { ...metadata, signal: gone.signal });
    }
  }
}

const TYPES: Record<ClipContainer, string> = { ts: 'video/mp2t', mp4: 'video/mp4' };

/** Maximum number of ids in an audit row; further ones are only counted. */
const NAMED_MAX = 10;
