import { type Classification, classificationOf } from '@osprey/contract';
import product from '../../../../package.json' with { type: 'json' };
import { asSystem } from '../base/access/as-system.ts';
import { aboutNow } from '../base/audit/about-now.ts';
import { requestAudit } from '../base/audit/request-audit.ts';
import { auditWriter } from '../base/audit/writer.ts';
import { readSetting, writeSetting } from '../base/db/settings.ts';
import type { Ffmpeg } from '../base/ffmpeg/ffmpeg.ts';
import { remakeOldClips } from '../base/jobs/export-tasks.ts';
import { taskRunner } from '../base/jobs/tasks.ts';
import { isDiskAway } from '../base/stored/away.ts';
import { faultText } from '../base/stored/damage-sentence.ts';
import { type FoundDamage, reportDamage } from '../base/stored/report-damage.ts';
import { type StoredFile, storedFiles } from '../base/stored/stored-files.ts';
import { exportTaskDefinition } from '../features/archives/export-task.ts';
import { importTaskDefinition } from '../features/archives/import-task.ts';
import { sweepTasks } from '../features/archives/old-tasks.ts';
import { sweepCaseExports } from '../features/cases/exports/sweep.ts';
import { orderedClips } from '../features/clips/in-background.ts';
import { archivedMissions } from '../features/missions/archived.ts';
import { missionBin, retireMission } from '../features/missions/bin.ts';
import { missionChanges } from '../features/missions/changes.ts';
import { compareFiles } from '../features/missions/compare-files.ts';
import { removeDoomed } from '../features/missions/leftovers.ts';
import { putOrphansAside } from '../features/missions/orphans.ts';
import { applyRetention } from '../features/retention/apply.ts';
import { noteDiskUse } from '../features/retention/disk-use.ts';
import { comparison } from '../features/stored/compare.ts';
import { readingAgain } from '../features/stored/read-again.ts';
import { listTaskDefinition } from '../features/watched-folders/list-task.ts';
import { folderScanner } from '../features/watched-folders/scan.ts';
import { sheetKeeping } from '../media/convert/sheet-keeping.ts';
import { coverageKeeping } from '../media/ingest/coverage-keeping.ts';
import { markKeeping } from '../media/ingest/mark-keeping.ts';
import { orderMissingStreams } from '../media/ingest/missing-renditions.ts';
import { sensorIndexes } from '../media/play/sensor-index-cache.ts';
import { telemetryReader } from '../telemetry/reader.ts';
import { caseExportDefinition } from './case-exports.ts';
import { productContents } from './contents.ts';
import type { Dependencies } from './dependencies.ts';
import { foldersOf } from './keeping.ts';
import { admissionOf } from './uploads.ts';

const SECOND_MS = 1000;
const CHECK_MS = 2 * SECOND_MS;
const FILES_MS = 5 * SECOND_MS;
const HOUR_MS = 3600 * SECOND_MS;
const STORED_MS = 30 * SECOND_MS;
const COMPARE_MS = 6 * HOUR_MS;

/** Maximum number of storage paths named in one log line. */
const NAMED = 20;

type Note = {
  action: string;
  itemId: string;
  label: Classification;
  /** If absent, the usergroups that the item has now are used. */
  usergroups?: readonly string[];
  reason: string;
};

/** Opens what the worker's services need in addition to its jobs. */
export function keepingDependencies(dependencies: Dependencies) {
  const { db, storage, queue, events, nowUs, nowMs, log, config } = dependencies;
  const own = requestAudit(
    auditWriter({ db, node: 'worker', log }),
    { actor: null, session: null, address: '' },
    nowUs,
  );
  const audit = async ({ action, itemId, label: itemLabel, usergroups, reason }: Note) => {
    const groups = usergroups ?? (await aboutNow(db, itemId)).usergroups ?? [];
    await own.write({ action, itemId, itemLabel, usergroups: groups, reason });
  };
  const changes = missionChanges({ db, nowUs, systemHigh: config.systemHigh });
  const room = admissionOf(dependencies);
  const { changed, flow } = events;
  const accept = { db, storage, queue, changed, flow, nowUs, audit, createMission: changes.create };
  const watchedFolders = {
    ...accept,
    admit: (userId: string, bytes: number, madeBytes: number) => room.check({ userId, bytes, madeBytes }),
  };
  const scanner = folderScanner({ ...watchedFolders, nowMs, log });
  // Only logged: a damaged index is rebuilt when the recording is opened.
  const damaged = (key: string) => log.warn({ key }, 'an index of an export is damaged');
  const readers = { indexes: sensorIndexes({ storage, damaged }), telemetry: telemetryReader({ storage, damaged }) };
  const contentParts = { ...dependencies, ...readers };
  const contents = productContents(contentParts);
  const missions = archivedMissions(db);
  const definitions = [
    exportTaskDefinition({
      ...{ db, storage, contents, missions, nowUs, serverName: config.serverName },
      clipsOf: (actor, ids, requested) => orderedClips(clipParts(dependencies), actor, ids, requested),
    }),
    importTaskDefinition({
      ...accept,
      reserveBytes: config.uploadReserveBytes,
      checkQuota: room.checkQuota,
      systemHigh: config.systemHigh,
      ...{ contents, missions, ownAudit: own },
    }),
    listTaskDefinition({ ...watchedFolders, note: scanner.note }),
    caseExportDefinition(contentParts, contents, own),
  ];
  return { audit, scanner, tasks: taskRunner({ db, definitions, nowUs, log }) };
}

/**
 * Dependencies for cutting clips in the worker. It cuts recordings that have been read completely; recordings in
 * progress are cut by the api process.
 */
function clipParts({ db, storage, config, nowUs, log }: Dependencies) {
  const note = (file: string, error?: unknown) => log.error({ item: file, error }, 'a file of a clip cannot be read');
  const indexes = sensorIndexes({ storage, damaged: note });
  return {
    ...{ storage, nowUs, damaged: note, server: { name: config.serverName, version: product.version } },
    plan: { db, storage, indexes, recording: () => null, segments: () => [] },
  };
}

type Chore = { name: string; everyMs: number; run: () => Promise<unknown>; isLater?: boolean };

/** Compares database rows with files, and re-reads a share of the stored files each day. */
function storedReading(dependencies: Dependencies) {
  const { db, storage, config, nowUs, nowMs, log, events } = dependencies;
  const writer = auditWriter({ db, node: 'worker', log });
  const audit = requestAudit(writer, { actor: null, session: null, address: '' }, nowUs);
  const stored = storedFiles({ db, nowUs });
  const notify = (found: readonly FoundDamage[]) => reportDamage({ db, audit, log }, found);

  function changed(items: readonly { noun: StoredFile['noun']; itemId: string }[]): void {
    for (const [noun, own] of Map.groupBy(items, (item) => item.noun)) {
      const ids = [...new Set(own.map(({ itemId }) => itemId))];
      events.changed(noun === 'documents' ? 'documents' : 'missions', ids);
    }
    events.backupsChanged();
  }

  const compare = comparison({
    ...{ storage, stored, changed, missing: notify },
    look: () => compareFiles({ db, storage }),
    state: { read: () => readSetting(db, 'files'), write: (found) => writeSetting(db, 'files', found) },
    async away({ files, first }) {
      log.error({ files, first }, 'the disk of stored files is away');
      const reason = `${files} files, the first: ${first.join('; ')}`;
      await audit.write({ action: 'storage.away', itemLabel: 'TOP SECRET', result: 'found', reason });
    },
  });
  const reading = readingAgain({
    ...{ storage, stored, compare, nowUs, nowMs, days: config.readAgainDays },
    state: { read: () => readSetting(db, 'storedCheck'), write: (state) => writeSetting(db, 'storedCheck', state) },
    isRecording: async () => {
      const running = asSystem(db, 'sweep').selectFrom('missions').select('id').where('state', '=', 'Running');
      return (await running.limit(1).executeTakeFirst()) !== undefined;
    },
    async isAway() {
      const isAway = (await isDiskAway(storage)) && (await stored.totalBytes()) > 0;
      const known = (await readSetting(db, 'files'))?.isAway ?? false;
      if (isAway !== known) await compare();
      return isAway;
    },
    async reported({ noun, id, missionId, storageKey, sizeBytes }, found) {
      const itemId = missionId ?? id;
      if (found !== null) await notify([{ id, itemId, text: `${storageKey}: ${faultText({ ...found, sizeBytes })}` }]);
      changed([{ noun, itemId }]);
    },
  });
  return { compare, reading };
}

/** Runs the worker's periodic tasks. */
export function upkeep(dependencies: Dependencies & { ffmpeg: Pick<Ffmpeg, 'available' | 'sheetOf'> }) {
  const { db, storage, ffmpeg, nowUs, nowMs, log, events } = dependencies;
  const { audit, scanner, tasks } = keepingDependencies(dependencies);
  const bin = missionBin({ db, nowUs });

  async function emptyBin(): Promise<void> {
    for (const { id, classification, usergroups } of await bin.removeOld()) {
      const label = classificationOf(classification);
      await audit({ action: 'bin.empty', itemId: id, label, usergroups, reason: '30 days' });
    }
  }

  async function retire(): Promise<void> {
    const moved = await applyRetention({
      ...{ db, nowUs, changed: events.changed },
      retire: (id) => retireMission(db, id, nowUs()),
    });
    for (const { id, label, usergroups } of moved) {
      await audit({ action: 'mission.delete', itemId: id, label, usergroups, reason: 'retention' });
    }
  }

  async function sweep(): Promise<void> {
    const orphans = await putOrphansAside({ db, storage }, nowUs() / 1000);
    if (orphans.length === 0) return;
    log.warn({ files: orphans.length, first: orphans.slice(0, NAMED) }, 'files without rows moved to lost');
    await compare();
  }

  const { compare, reading } = storedReading(dependencies);
  const coverage = coverageKeeping({ db, storage, nowMs, changed: events.changed, log });
  const sheets = sheetKeeping({ db, storage, ffmpeg, nowMs, log });
  const marks = markKeeping({ db, storage, nowUs, nowMs, log });
  const chores: Chore[] = [
    { name: 'folders', everyMs: CHECK_MS, run: scanner.look },
    { name: 'files', everyMs: FILES_MS, run: () => removeDoomed({ db, storage }) },
    { name: 'retention', everyMs: HOUR_MS, run: retire },
    { name: 'bin', everyMs: HOUR_MS, run: emptyBin },
    { name: 'exports', everyMs: HOUR_MS, run: () => sweepTasks({ db, storage }, nowUs()) },
    { name: 'clips of before', everyMs: HOUR_MS, run: () => remakeOldClips({ db, storage }) },
    { name: 'case exports', everyMs: HOUR_MS, run: () => sweepCaseExports({ db, storage, nowUs, ...events }) },
    { name: 'disk use', everyMs: HOUR_MS, run: () => noteDiskUse({ db, storage }, nowUs()) },
    { name: 'compare', everyMs: COMPARE_MS, run: compare },
    {
      name: 'streams',
      everyMs: COMPARE_MS,
      run: () => orderMissingStreams({ ...dependencies, changed: events.changed }),
    },
    { name: 'stored files', everyMs: STORED_MS, run: reading.look },
    { name: 'coverage', everyMs: FILES_MS, run: coverage.look },
    { name: 'sheets', everyMs: STORED_MS, run: sheets.look },
    { name: 'security marks', everyMs: COMPARE_MS, run: marks.look },
    // Not run at startup: the journals of recordings made meanwhile must first be read, since their rows do not exist
    // yet.
    { name: 'orphans', everyMs: HOUR_MS, run: sweep, isLater: true },
  ];
  const timers: NodeJS.Timeout[] = [];
  const working = new Map<string, Promise<unknown>>();

  function run({ name, run }: Chore): void {
    if (working.has(name)) return;
    const work = run()
      .catch((error) => log.warn({ error, name }, 'a chore failed'))
      .finally(() => working.delete(name));
    working.set(name, work);
  }

  return {
    async start(): Promise<void> {
      await foldersOf(dependencies).configure();
      tasks.start();
      for (const chore of chores) {
        timers.push(setInterval(() => run(chore), chore.everyMs));
        if (!chore.isLater) run(chore);
      }
    },
    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      scanner.stop();
      reading.stop();
      coverage.stop();
      sheets.stop();
      marks.stop();
      await Promise.all([tasks.stop(), ...working.values()]);
    },
  };
}
