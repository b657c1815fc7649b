import { Readable } from 'node:stream';
import { type Actor, AppError, exportTelemetry, type TelemetryFormat } from '@osprey/contract';
import { authorize } from '../../../base/access/authorize.ts';
import type { OpenReads } from '../../../base/access/open-reads.ts';
import { attachment } from '../../../base/http/attachment.ts';
import { callRoute, type Http } from '../../../base/http/call-route.ts';
import { actorAgain } from '../../../base/http/still-allowed.ts';
import type { ExportSlots } from '../../../base/jobs/export-slots.ts';
import { writeZip } from '../../../base/storage/zip-writer.ts';
import type { SensorIndexes } from '../../../media/play/sensor-index-cache.ts';
import { watchedRead } from '../../../media/play/transfer.ts';
import type { TelemetryReader } from '../../../telemetry/reader.ts';
import { clipName } from '../names.ts';
import { type PlanDeps, planCuts } from '../plan.ts';
import type { ClipSensor } from '../routes.ts';
import { factsOfClip } from '../rows.ts';
import { askedSpan } from '../span.ts';
import { kmlText, type SubtitleTimes, srtText, writers } from './formats.ts';
import type { TelemetryHead, TelemetrySource } from './records.ts';
import { hasTelemetry, pieces, telemetrySource } from './source.ts';

export type TelemetryRoutesDeps = Http & {
  telemetry: TelemetryReader;
  indexes: SensorIndexes;
  plan: PlanDeps;
  reads: OpenReads;
  slots: ExportSlots;
  exportRefusal: () => string | null;
  /** @throws AppError notFound */
  sensorOf: (actor: Actor, mission: string, sensor: string) => Promise<ClipSensor>;
  startOf: (actor: Actor, missionId: string) => Promise<number | null>;
};

/** Frame rate assumed if the recording does not state one, in pictures per second. */
const USUAL_RATE = 25;

const TYPES: Record<TelemetryFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
  kmz: 'application/vnd.google-earth.kmz',
  gpx: 'application/gpx+xml',
  srt: 'application/x-subrip; charset=utf-8',
};

/** Telemetry of a span as a file, written while it is sent. */
export function telemetryRoutes(deps: TelemetryRoutesDeps): void {
  callRoute(deps, exportTelemetry, async ({ input: { params, query }, ...asking }) => {
    const { actor, request, reply, audit } = asking;
    const sensor = await deps.sensorOf(actor, params.mission, params.sensor);
    const { mission } = sensor;
    authorize(actor, 'clip.export', factsOfClip(mission));
    const refusal = deps.exportRefusal();
    if (refusal !== null) throw new AppError('ruleRefused', { reason: refusal });
    const index = await deps.indexes.read(sensor.indexKey);
    const [startUs, endUs] = [index?.timeline?.startTime ?? 0, index?.timeline?.endTime ?? 0];
    const ends = {
      markIn: query.markIn ?? { us: startUs + sensor.shiftUs },
      markOut: query.markOut ?? { us: endUs + sensor.shiftUs + 1 },
    };
    const [fromUs, toUs] = askedSpan(ends.markIn, ends.markOut, await deps.startOf(actor, mission.id));
    const source = telemetrySource(deps.telemetry, index, { shiftUs: sensor.shiftUs, span: [fromUs, toUs] });
    if (!(await hasTelemetry(source))) {
      throw new AppError('ruleRefused', { reason: `Sensor ${sensor.name} has no telemetry between In and Out.` });
    }
    const [first] = query.format === 'srt' ? await planCuts(deps.plan, sensor, [fromUs, toUs]) : [];
    const head = { label: mission.securityClassification, mission: mission.name, sensor: sensor.name };
    const span = { inUs: Math.max(fromUs, startUs + sensor.shiftUs), outUs: Math.min(toUs, endUs + sensor.shiftUs) };
    const writeHead = () => {
      reply
        .header('content-disposition', attachment(`${clipName({ ...head, ...span })}.${query.format}`))
        .header('cache-control', 'private, no-store')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .type(TYPES[query.format]);
    };
    if (request.method === 'HEAD') {
      writeHead();
      return Readable.from([]);
    }
    await deps.slots.check(actor.id);
    const release = deps.slots.enter(actor.id);
    try {
      await audit.read('telemetry.export', mission);
      const again = async () => {
        const now = await actorAgain(deps, request, { media: true });
        authorize(now, 'clip.export', factsOfClip((await deps.sensorOf(now, mission.id, sensor.id)).mission));
      };
      const begin = () => {
        writeHead();
        const pictureUs = 1e6 / (index?.timeline?.frameRate ?? USUAL_RATE);
        return written(query.format, source, head, { zeroUs: first?.utcOf(0) ?? fromUs, pictureUs }, deps.nowUs());
      };
      const bytes = await watchedRead(deps.reads, asking, [mission], { again, begin });
      bytes.once('close', release);
      return bytes;
    } catch (error) {
      release();
      throw error;
    }
  });
}

function written(
  format: TelemetryFormat,
  source: TelemetrySource,
  head: TelemetryHead,
  times: SubtitleTimes,
  nowUs: number,
): Readable {
  if (format === 'srt') return Readable.from(pieces(srtText(source, head, times)), { objectMode: false });
  if (format !== 'kmz') return Readable.from(pieces(writers[format](source, head)), { objectMode: false });
  async function* entry() {
    yield { name: 'doc.kml', date: new Date(nowUs / 1000), bytes: () => pieces(kmlText(source, head)) };
  }
  return writeZip(entry());
}
