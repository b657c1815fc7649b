import { type Actor, AppError, classificationRank } from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import type { CutFiles } from '../../base/items/content.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { ZipSource } from '../../base/storage/zip-writer.ts';
import type { SensorIndexes } from '../../media/play/sensor-index-cache.ts';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { type Cutting, openMp4 } from './cut.ts';
import { clipName, iso } from './names.ts';
import { type CutSource, clipEntries, filesOf, metadataOf, type SensorCut } from './package.ts';
import { type AskedSpan, estimatedBytes, type PlanDeps, planCuts } from './plan.ts';
import type { ClipRepository } from './repository.ts';
import type { ClipSensor } from './routes.ts';
import { factsOfClip } from './rows.ts';
import { writers } from './telemetry/formats.ts';
import { places } from './telemetry/records.ts';
import { hasTelemetry, pieces, telemetrySource } from './telemetry/source.ts';

export type SpanFilesDeps = {
  storage: Storage;
  plan: PlanDeps;
  telemetry: TelemetryReader;
  indexes: SensorIndexes;
  clips: Pick<ClipRepository, 'one'>;
  /** @throws AppError notFound */
  sensorOf: (actor: Actor, mission: string, sensor: string) => Promise<ClipSensor>;
  server: { name: string; version: string };
  damaged: (fileId: string, error: unknown) => void;
  nowUs: () => number;
};

export type SpanFilesOf = ReturnType<typeof spanFiles>;

const FORMATS = ['csv', 'geojson', 'kml'] as const;

/** Files of clips and of spans of sensors, for packages of cases. */
export function spanFiles(deps: SpanFilesDeps) {
  const { storage } = deps;

  async function sourceOf({ indexKey, shiftUs }: ClipSensor, span: AskedSpan) {
    return telemetrySource(deps.telemetry, await deps.indexes.read(indexKey), { shiftUs, span });
  }

  async function* telemetryFiles(sensor: ClipSensor, span: AskedSpan, stem: string): AsyncGenerator<ZipSource> {
    const source = await sourceOf(sensor, span);
    if (!(await hasTelemetry(source))) return;
    const head = { label: sensor.mission.securityClassification, mission: sensor.mission.name, sensor: sensor.name };
    const date = new Date(deps.nowUs() / 1000);
    for (const format of FORMATS) {
      yield { name: `${stem}.${format}`, date, bytes: () => pieces(writers[format](source, head)) };
    }
  }

  /** Yields the same pictures as MP4 files. If that is not possible, a text file gives the reason. */
  async function* mp4Files(
    cut: SensorCut,
    cutSource: Omit<CutSource, 'sensor'>,
    cutting: Cutting,
  ): AsyncGenerator<ZipSource> {
    const date = new Date(deps.nowUs() / 1000);
    for (const file of filesOf(cut, 'mp4')) {
      try {
        const { bytes } = await openMp4(cutting, file, metadataOf(file, { ...cutSource, sensor: cut.name }));
        yield { name: file.name, date, bytes };
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        yield { name: `${file.name}.txt`, date, bytes: Buffer.from(`${error.message}\n`) };
      }
    }
  }

  function nameOf({ mission, name }: ClipSensor, [inUs, outUs]: AskedSpan): string {
    return clipName({ label: mission.securityClassification, mission: mission.name, sensor: name, inUs, outUs });
  }

  async function* tracksOf(cuts: readonly { sensor: ClipSensor; span: AskedSpan }[]) {
    for (const { sensor, span } of cuts) yield places(await sourceOf(sensor, span));
  }

  return {
    /** The pictures and the telemetry of a clip. @throws AppError notFound, forbidden, ruleRefused where it cannot be cut */
    async clip(actor: Actor, id: string, { mp4 }: { mp4: boolean }): Promise<CutFiles> {
      const { clip, mission } = await deps.clips.one(actor, id);
      authorize(actor, 'clip.export', factsOfClip(mission));
      const cuts: { cut: SensorCut; sensor: ClipSensor; span: AskedSpan }[] = [];
      for (const { sensorId, startTime, endTime } of clip.cuts) {
        const sensor = sensorId === null ? null : await deps.sensorOf(actor, mission.id, sensorId);
        const span: AskedSpan = [startTime, endTime];
        const planned = sensor === null ? [] : await planCuts(deps.plan, sensor, span);
        if (sensor === null || planned.length === 0) {
          const reason = `Clip ${clip.title} cannot be cut: its recording was removed, or has not been read yet.`;
          throw new AppError('ruleRefused', { reason });
        }
        const { id: sensorKey, name } = sensor;
        cuts.push({ cut: { id: sensorKey, name, fileName: nameOf(sensor, span), pieces: planned }, sensor, span });
      }
      const label = mission.securityClassification;
      const manifest = {
        ...{ format: 'osprey-clip' as const, version: 1 as const, label, by: actor.username },
        ...{ server: deps.server.name, serverVersion: deps.server.version, created: iso(deps.nowUs()) },
        mission: { id: mission.id, name: mission.name },
        asked: { in: iso(clip.startTime), out: iso(clip.endTime) },
      };
      const cutting = { storage, rank: classificationRank(label), damaged: deps.damaged };
      const once = cuts.flatMap(({ cut }) => cut.pieces).reduce((sum, piece) => sum + estimatedBytes(piece), 0);
      return {
        sizeBytes: mp4 ? 2 * once : once,
        async *entries() {
          const sensors = cuts.map(({ cut }) => cut);
          const entries = clipEntries({ ...cutting, container: 'ts', sensors, manifest, nowUs: deps.nowUs() });
          for await (const entry of entries) {
            // The package has its own checksums.
            if (entry.name !== 'SHA256SUMS') yield entry;
          }
          if (mp4) for (const cut of sensors) yield* mp4Files(cut, { label, mission: mission.name }, cutting);
          for (const { cut, sensor, span } of cuts) yield* telemetryFiles(sensor, span, cut.fileName);
        },
        tracks: () => tracksOf(cuts),
      };
    },

    /** The telemetry of a span of a sensor. @throws AppError notFound, forbidden */
    async track(actor: Actor, { missionId, sensorId, span }: { missionId: string; sensorId: string; span: AskedSpan }) {
      const sensor = await deps.sensorOf(actor, missionId, sensorId);
      authorize(actor, 'clip.export', factsOfClip(sensor.mission));
      return {
        sizeBytes: 0,
        entries: () => telemetryFiles(sensor, span, nameOf(sensor, span)),
        tracks: () => tracksOf([{ sensor, span }]),
      } satisfies CutFiles;
    },
  };
}
