import { Readable } from 'node:stream';
import { type Actor, AppError, classificationRank, exportLive, planLiveExport } from '@osprey/contract';
import type { FastifyReply } from 'fastify';
import { authorize } from '../../../base/access/authorize.ts';
import { auditedItem } from '../../../base/audit/item-notes.ts';
import { callRoute, type Http } from '../../../base/http/call-route.ts';
import type { ExportSlots } from '../../../base/jobs/export-slots.ts';
import { checkExportRoom } from '../../../base/storage/export-room.ts';
import type { Storage } from '../../../base/storage/storage.ts';
import type { LiveAccess, Watched } from '../../../live/rows/live-access.ts';
import type { RecorderMirror } from '../../../live/rows/mirror.ts';
import type { RingSegment } from '../../../recorder-wire/protocol.ts';
import { saidToGuest } from '../export-rights.ts';
import { clipName, iso } from '../names.ts';
import { saved } from '../saved.ts';
import { auditedStream } from '../sent.ts';
import { ringCut, timesOf } from './ring-cut.ts';
import { openRingFile, type RingFile } from './ring-file.ts';

export type RingExportDeps = Http & {
  mirror: Pick<RecorderMirror, 'ring'>;
  access: Pick<LiveAccess, 'mayWatch' | 'watch'>;
  /** `live/ring` of the data folder, which the recorder writes. */
  ring: Pick<Storage, 'open'>;
  storage: Pick<Storage, 'space'>;
  slots: ExportSlots;
  /** Returns the reason, as a sentence, why the licence currently allows no exports; null if it allows them. */
  exportRefusal: () => string | null;
  /** Returns the name of a platform's sensor; null if it does not exist. */
  nameOf: (sensorId: string) => Promise<string | null>;
};

/** Serves exports of the ring of a live sensor that is not being recorded. */
export function ringExportRoutes(deps: RingExportDeps): void {
  const { mirror, access } = deps;

  callRoute(deps, planLiveExport, async ({ input: { params }, actor }) => {
    const watched = await access.mayWatch(actor, params.sensor);
    const sensor = await exportedBy(actor, watched);
    const segments = mirror.ring(params.sensor).filter(({ sizeBytes }) => sizeBytes > 0);
    const times = timesOf(segments);
    return {
      fileName: times === null ? null : `${nameOf(watched.platform, sensor, times)}.ts`,
      sizeBytes: segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      startTime: times?.startUs ?? null,
      endTime: times?.endUs ?? null,
      durationSeconds: times?.durationSeconds ?? 0,
      refusal: refusalOf(watched, sensor) ?? (times === null ? nothingOf(sensor) : null),
    };
  });

  callRoute(deps, exportLive, async ({ input: { params }, actor, session, request, reply, audit }) => {
    const sensorId = params.sensor;
    const gone = new AbortController();
    const close = () => {
      gone.abort();
      request.raw.socket.destroy();
    };
    const { end, ...watched } = await access.watch({ actor, credentialId: session.credentialId, close }, sensorId);
    let file: RingFile | null = null;
    let leave = () => {};
    const over = () => {
      end();
      leave();
      void file?.close();
    };
    try {
      const sensor = await exportedBy(actor, watched);
      refuse(refusalOf(watched, sensor));
      const { platform } = watched;
      if (request.method === 'HEAD') {
        writeHead(reply, nameOf(platform, sensor, heldOf(mirror.ring(sensorId), sensor)));
        over();
        return Readable.from([]);
      }
      await deps.slots.check(actor.id);
      // Take the slot before any await, so that concurrent requests cannot all pass the limit check.
      leave = deps.slots.enter(actor.id);
      await checkExportRoom(deps.storage);
      file = await openRingFile(deps.ring, sensorId, [...mirror.ring(sensorId)]);
      const times = heldOf(file.segments, sensor);
      const cut = ringCut(file, classificationRank(platform.securityClassification));
      await cut.openFirst().catch((error: unknown) => {
        if (!(error instanceof RangeError)) throw error;
        throw new AppError('ruleRefused', { reason: `Sensor ${sensor} has no picture to begin with.` }, error);
      });
      const note = {
        ...auditedItem(watched.item),
        reason: `${sensorId} ${iso(times.startUs)} to ${iso(times.endUs)}`,
      };
      await audit.write({ ...note, action: 'platform.export', result: 'ts' });
      if (gone.signal.aborted) throw new AppError('notFound');
      writeHead(reply, nameOf(platform, sensor, times));
      const actions = { whole: 'platform.exported', broken: 'platform.export' };
      const stream = auditedStream(cut.packets(), { reply, audit, note, actions, over });
      gone.signal.addEventListener('abort', () => stream.destroy());
      return stream;
    } catch (error) {
      over();
      throw error;
    }
  });

  /** The name of a sensor that the actor may export. @throws AppError guestDownload, forbidden, notFound */
  async function exportedBy(actor: Actor, { sensorId, platform }: Watched): Promise<string> {
    saidToGuest(actor, () => authorize(actor, 'platform.export', platform));
    const name = await deps.nameOf(sensorId);
    if (name === null) throw new AppError('notFound');
    return name;
  }

  /** Returns the reason, as a sentence, why the ring cannot be exported now; null if it can. */
  const refusalOf = ({ mission }: Watched, sensor: string): string | null =>
    deps.exportRefusal() ??
    (mission === null ? null : `Sensor ${sensor} is being recorded: export a clip of its mission.`);
}

const nothingOf = (sensor: string) => `Nothing that sensor ${sensor} sent is kept any more.`;

function refuse(reason: string | null): void {
  if (reason !== null) throw new AppError('ruleRefused', { reason });
}

type Times = NonNullable<ReturnType<typeof timesOf>>;

/** @throws AppError ruleRefused where the ring is empty */
function heldOf(segments: readonly RingSegment[], sensor: string): Times {
  const times = timesOf(segments);
  if (times === null) refuse(nothingOf(sensor));
  return times!;
}

function nameOf(
  { name, securityClassification: label }: Watched['platform'],
  sensor: string,
  { startUs: inUs, durationSeconds }: Times,
): string {
  return clipName({ label, mission: name, sensor, inUs, outUs: inUs + durationSeconds * 1e6 });
}

const writeHead = (reply: FastifyReply, name: string) => saved(reply, `${name}.ts`).type('video/mp2t');
