import { Readable } from 'node:stream';
import { type Actor, AppError, classificationRank, exportLive, planLiveExport } from '@osprey/contract';
import type { FastifyReply } from 'fastify';
import { authorize } from '../../../base/access/authorize.ts';
import { callRoute, type Http } from '../../../base/http/call-route.ts';
import type { ExportSlots } from '../../../base/jobs/export-slots.ts';
import { checkExportRoom } from '../../../base/storage/export-room.ts';
import type { Storage } from '../../../base/storage/storage.ts';
import type { LiveSight, Watched } from '../../../live/rows/live-sight.ts';
import type { RecorderMirror } from '../../../live/rows/mirror.ts';
import type { RingSegment } from '../../../recorder-wire/protocol.ts';
import { clipName } from '../names.ts';
import { saved } from '../saved.ts';
import { auditedStream } from '../sent.ts';
import { ringCut, timesOf } from './ring-cut.ts';
import { openRingFile, type RingFile } from './ring-file.ts';

export type RingExportDeps = Http & {
  mirror: Pick<RecorderMirror, 'ring'>;
  sight: Pick<LiveSight, 'mayWatch' | 'watch'>;
  /** `live/ring` of the data folder, which the recorder writes. */
  ring: Pick<Storage, 'open'>;
  storage: Pick<Storage, 'space'>;
  slots: ExportSlots;
  /** Why the licence allows no exports now, as a sentence; null while it does. */
  exportRefusal: () => string | null;
  /** The name of a sensor of a platform; null where there is none. */
  nameOf: (sensorId: string) => Promise<string | null>;
};

/** What is kept of a live sensor that is not recorded, as a file. */
export function ringExportRoutes(deps: RingExportDeps): void {
  const { mirror, sight } = deps;

  callRoute(deps, planLiveExport, async ({ input: { params }, actor }) => {
    const watched = await sight.mayWatch(actor, params.sensor);
    const sensorName = await checked(actor, watched);
    const segments = mirror.ring(params.sensor).filter(({ sizeBytes }) => sizeBytes > 0);
    const { startUs, endUs, durationSeconds } = heldOf(segments, sensorName);
    return {
      fileName: `${nameOf(watched.platform, sensorName, segments)}.ts`,
      sizeBytes: segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      startTime: startUs,
      endTime: endUs,
      durationSeconds,
    };
  });

  callRoute(deps, exportLive, async ({ input: { params }, actor, session, request, reply, audit }) => {
    const sensorId = params.sensor;
    const gone = new AbortController();
    const close = () => {
      gone.abort();
      request.raw.socket.destroy();
    };
    const { end, ...watched } = await sight.watch({ actor, credentialId: session.credentialId, close }, sensorId);
    let file: RingFile | null = null;
    let leave = () => {};
    const over = () => {
      end();
      leave();
      void file?.close();
    };
    try {
      const sensorName = await checked(actor, watched);
      const { platform } = watched;
      if (request.method === 'HEAD') {
        const segments = [...mirror.ring(sensorId)];
        heldOf(segments, sensorName);
        say(reply, nameOf(platform, sensorName, segments));
        over();
        return Readable.from([]);
      }
      await deps.slots.check(actor.id);
      // At once: of many that ask together, each is counted before the next one looks.
      leave = deps.slots.enter(actor.id);
      await checkExportRoom(deps.storage);
      file = await openRingFile(deps.ring, sensorId, [...mirror.ring(sensorId)]);
      const { startUs, endUs } = heldOf(file.segments, sensorName);
      const cut = ringCut(file, classificationRank(platform.securityClassification));
      await cut.openFirst().catch((error: unknown) => {
        if (!(error instanceof RangeError)) throw error;
        throw new AppError('ruleRefused', { reason: `Sensor ${sensorName} has no picture to begin with.` }, error);
      });
      const { id, securityClassification, usergroups } = watched.item;
      const note = {
        ...{ itemId: id, itemLabel: securityClassification, usergroups },
        reason: `${sensorId} ${iso(startUs)} to ${iso(endUs)}`,
      };
      await audit.write({ ...note, action: 'platform.export', result: 'ts' });
      if (gone.signal.aborted) throw new AppError('notFound');
      say(reply, nameOf(platform, sensorName, file.segments));
      const actions = { whole: 'platform.exported', broken: 'platform.export' };
      const stream = auditedStream(cut.packets(), { reply, audit, note, actions, over });
      gone.signal.addEventListener('abort', () => stream.destroy());
      return stream;
    } catch (error) {
      over();
      throw error;
    }
  });

  /** The name of a sensor that may be exported now. @throws AppError guestDownload, forbidden, notFound, ruleRefused */
  async function checked(actor: Actor, { sensorId, platform, mission }: Watched): Promise<string> {
    try {
      authorize(actor, 'platform.export', platform);
    } catch (error) {
      const isGuest = error instanceof AppError && error.code === 'forbidden' && actor.role === 'guest';
      throw isGuest ? new AppError('guestDownload') : error;
    }
    const reason = deps.exportRefusal();
    if (reason !== null) throw new AppError('ruleRefused', { reason });
    const name = await deps.nameOf(sensorId);
    if (name === null) throw new AppError('notFound');
    if (mission !== null) {
      throw new AppError('ruleRefused', { reason: `Sensor ${name} is being recorded: export a clip of its mission.` });
    }
    return name;
  }
}

/** @throws AppError ruleRefused where the ring is empty */
function heldOf(segments: readonly RingSegment[], sensorName: string) {
  const times = timesOf(segments);
  if (times !== null) return times;
  throw new AppError('ruleRefused', { reason: `Nothing that sensor ${sensorName} sent is kept any more.` });
}

function nameOf(
  { name, securityClassification: label }: Watched['platform'],
  sensor: string,
  segments: readonly RingSegment[],
): string {
  const { startUs: inUs, durationSeconds } = heldOf(segments, sensor);
  return clipName({ label, mission: name, sensor, inUs, outUs: inUs + durationSeconds * 1e6 });
}

const say = (reply: FastifyReply, name: string) => saved(reply, `${name}.ts`).type('video/mp2t');

const iso = (us: number): string => new Date(us / 1000).toISOString();
