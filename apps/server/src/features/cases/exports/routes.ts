import { Readable } from 'node:stream';
import {
  type Actor,
  AppError,
  CASE_EXPORT_DAYS,
  type CaseExport,
  type CasePart,
  classificationOf,
  classificationRank,
  downloadCaseExport,
  EXPORTS_MAX,
  exportCase,
  listCaseExports,
  listSigningKeys,
  planCaseExport,
  releaseCaseExport,
  removeCaseExport,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { ceilingRankOf } from '../../../base/access/actors.ts';
import { asSystem } from '../../../base/access/as-system.ts';
import { authorize } from '../../../base/access/authorize.ts';
import type { OpenReads } from '../../../base/access/open-reads.ts';
import { auditedItem } from '../../../base/audit/item-notes.ts';
import type { Database } from '../../../base/db/schema.ts';
import { attachment } from '../../../base/http/attachment.ts';
import { callRoute, type Http } from '../../../base/http/call-route.ts';
import { actorAgain } from '../../../base/http/still-allowed.ts';
import type { Contents } from '../../../base/items/content.ts';
import { checkExportRoom } from '../../../base/storage/export-room.ts';
import type { Storage } from '../../../base/storage/storage.ts';
import { rangeHeaders, rangeOfFile, watchedRead } from '../../../media/play/transfer.ts';
import { contentOf } from '../contents.ts';
import { lockedCase } from '../locked.ts';
import type { CaseRepository } from '../repository.ts';
import { factsOfCase, type StoredCase, toCase } from '../rows.ts';
import { freeze } from './frozen.ts';
import { sizeOfParts } from './pack.ts';
import type { TrackFiles } from './part-files.ts';
import { caseExports, type ExportRow, packageKey, packageName, type ReadExport, toExport } from './repository.ts';

const DAY_US = 24 * 3600 * 1_000_000;

/** Public half of a current or former signing key. */
export type PublishedKey = { fingerprint: string; pem: string; current: boolean };

export type CaseExportRoutesDeps = Http & {
  db: Kysely<Database>;
  storage: Storage;
  reads: OpenReads;
  cases: CaseRepository;
  partsOf: (actor: Actor, caseId: string) => Promise<CasePart[]>;
  contents: Contents;
  trackFiles: TrackFiles;
  /** True if a second person must release exports above UNCLASSIFIED. */
  needsTwo: boolean;
  /** Returns the reason, as a sentence, why the licence currently allows no exports; null if it allows them. */
  exportRefusal: () => string | null;
  /** @throws AppError quotaReached */
  checkQuota: (asked: { userId: string; bytes: number }) => Promise<void>;
  /** The published keys, the present one first. */
  keys: () => Promise<PublishedKey[]>;
  changed: (noun: 'cases', ids: string[]) => void;
};

/** Serves versions of cases, which are signed packages. */
export function caseExportRoutes(deps: CaseExportRoutesDeps): void {
  const { db, contents, storage, cases, changed } = deps;
  const exports = caseExports({ db, contents });

  callRoute(deps, listSigningKeys, async () => deps.keys());

  callRoute(deps, listCaseExports, async ({ input: { params }, actor, audit }) => {
    const own = await cases.read(actor, params.id);
    authorize(actor, 'case.read', factsOfCase(own));
    await audit.read('case.read', factsOfCase(own));
    const [found, present] = await Promise.all([exports.list(actor, own.id), exports.present(actor, own.id)]);
    return found.map((one) => toExport(one, { actor, own, present }));
  });

  callRoute(deps, planCaseExport, async ({ input: { params, query }, actor, audit }) => {
    const own = await mayExport(actor, params.id);
    await audit.read('case.read', factsOfCase(own));
    const [parts, { hasHidden, comments }, [key]] = await Promise.all([
      deps.partsOf(actor, own.id),
      exports.present(actor, own.id),
      deps.keys(),
    ]);
    const refusals: string[] = [];
    const licence = deps.exportRefusal();
    if (licence !== null) refusals.push(licence);
    if (parts.length === 0) refusals.push(NOTHING);
    const frozen = freeze(toCase(own, actor), { parts, comments, mp4: query.mp4 === true });
    const sizeBytes = await sizeOfParts({ ...deps }, actor, frozen).catch((error) => {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      refusals.push(error.message);
      return 0;
    });
    const needsRelease = needsTwoFor(own);
    return {
      parts: parts.length,
      comments: comments.length,
      clips: parts.filter(({ kind }) => contentOf(contents, kind)?.cut !== undefined).length,
      leftOut: hasHidden,
      sizeBytes,
      needsRelease,
      keyFingerprint: key?.fingerprint ?? '',
      refusals,
    };
  });

  callRoute(deps, exportCase, async ({ input: { params, query }, actor, audit }) => {
    const own = await mayExport(actor, params.id);
    refuseUnlicensed();
    await checkExportRoom(storage);
    await deps.checkQuota({ userId: actor.id, bytes: 0 });
    const parts = await deps.partsOf(actor, own.id);
    if (parts.length === 0) throw new AppError('ruleRefused', { reason: NOTHING });
    const id = await freezeAs(actor, own, { parts, mp4: query.mp4 === true });
    await audit.write({ action: 'case.export', ...auditedItem(factsOfCase(own)), result: `export ${id}` });
    changed('cases', [own.id]);
    return answerFor(actor, own, id);
  });

  callRoute(deps, releaseCaseExport, async ({ input: { params }, actor, audit }) => {
    const own = await mayExport(actor, params.id);
    refuseUnlicensed();
    const { row, frozen } = await exports.one(actor, own.id, params.exportId);
    if (row.created_by_id === actor.id) throw refusal('Another person has to release what you exported.');
    if (row.created_by_id === null) throw refusal('The account that made this version is gone. Export the case again.');
    await checkExportRoom(storage);
    const maker = row.created_by_id;
    await db.transaction().execute(async (tx) => {
      const job = await orderTask(tx, maker, row.id, packageName(row, frozen));
      const released = await asSystem(tx, 'authorized change')
        .updateTable('case_exports')
        .set({ state: 'Making', released_by_id: actor.id, released_by: actor.username, released_time: deps.nowUs() })
        .set({ job_id: job })
        .where('id', '=', row.id)
        .where('state', '=', 'WaitsForRelease')
        .executeTakeFirst();
      if (released.numUpdatedRows === 0n) throw refusal('This version no longer waits for a release.');
    });
    await audit.write({
      ...{ action: 'case.releaseExport', ...auditedItem(factsOfCase(own)), result: `version ${row.version}` },
      reason: `made by ${maker}`,
    });
    changed('cases', [own.id]);
    return answerFor(actor, own, row.id);
  });

  callRoute(deps, downloadCaseExport, async ({ input: { params }, actor, session, request, reply, audit }) => {
    const own = await mayExport(actor, params.id);
    refuseUnlicensed();
    const { row, frozen } = await exports.one(actor, own.id, params.exportId);
    if (row.state !== 'Ready' || row.size_bytes === null) throw new AppError('notFound');
    const complete = { sizeBytes: row.size_bytes, tag: row.sha256 ?? row.id };
    const range = rangeOfFile(request, reply, complete);
    const writeHead = () => {
      reply
        .header('content-disposition', attachment(packageName(row, frozen)))
        .header('cache-control', 'private, no-store')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .type('application/zip');
      rangeHeaders(reply, complete, range);
    };
    if (request.method === 'HEAD') {
      writeHead();
      return Readable.from([]);
    }
    const facts = { ...factsOfCase(own), securityClassification: classificationOf(row.classification) };
    await audit.write({
      ...{ action: 'case.download', ...auditedItem(facts), result: `version ${row.version}` },
      reason: `SHA-256 ${row.sha256}`,
    });
    const again = async () => {
      const now = await actorAgain(deps, request, { media: true });
      await exports.one(now, (await mayExport(now, own.id)).id, row.id);
    };
    return watchedRead(deps.reads, { actor, session, request }, [facts], {
      again,
      begin: () => {
        writeHead();
        if (range.start === 0) void countDownload(row);
        return storage.read(packageKey(row.id), { start: range.start, end: range.end, isComplete: true });
      },
    });
  });

  callRoute(deps, removeCaseExport, async ({ input: { params }, actor, audit }) => {
    const own = await mayExport(actor, params.id);
    const { row } = await exports.one(actor, own.id, params.exportId);
    if (row.created_by_id !== actor.id) authorize(actor, 'case.own', factsOfCase(own));
    const message = row.state === 'Ready' ? `${actor.username} removed it.` : `${actor.username} cancelled it.`;
    await db.transaction().execute(async (tx) => {
      if (row.job_id !== null) await tx.deleteFrom('tasks').where('id', '=', row.job_id).execute();
      await asSystem(tx, 'authorized change')
        .updateTable('case_exports')
        .set({ state: 'Removed', message, storage_key: null, job_id: null })
        .where('id', '=', row.id)
        .where('state', '<>', 'Removed')
        .execute();
    });
    await storage.remove(packageKey(row.id));
    await audit.write({
      ...{ action: 'case.removeExport', ...auditedItem(factsOfCase(own)), result: `version ${row.version}` },
    });
    changed('cases', [own.id]);
    return { message: 'The export was removed.' };
  });

  /** @throws AppError notFound, forbidden */
  async function mayExport(actor: Actor, id: string): Promise<StoredCase> {
    const own = await cases.read(actor, id);
    authorize(actor, 'case.export', factsOfCase(own));
    return own;
  }

  function refuseUnlicensed(): void {
    const reason = deps.exportRefusal();
    if (reason !== null) throw refusal(reason);
  }

  function needsTwoFor(own: StoredCase): boolean {
    return deps.needsTwo && own.classification > classificationRank('UNCLASSIFIED');
  }

  /** Creates the next version of a case and returns its id. @throws AppError tooManyRequests, notFound */
  async function freezeAs(
    actor: Actor,
    known: StoredCase,
    requested: { parts: readonly CasePart[]; mp4: boolean },
  ): Promise<string> {
    const nowUs = deps.nowUs();
    return db.transaction().execute(async (tx) => {
      const own = await lockedCase({ db: tx, contents }, actor, known.id);
      // The parts were read before the lock was taken. If the case changed meanwhile, the user must try again.
      if (own.revision !== known.revision) throw new AppError('revisionConflict');
      await sql`select pg_advisory_xact_lock(hashtextextended(${`case exports/${actor.id}`}, 0))`.execute(tx);
      const open = await asSystem(tx, 'case')
        .selectFrom('case_exports')
        .where('created_by_id', '=', actor.id)
        .where('state', 'in', ['Making'])
        .select('id')
        .execute();
      if (open.length >= EXPORTS_MAX) throw new AppError('tooManyRequests', { seconds: '60' });
      const { hasHidden, comments } = await caseExports({ db: tx, contents }).present(actor, own.id);
      const last = await asSystem(tx, 'case')
        .selectFrom('case_exports')
        .where('case_id', '=', own.id)
        .select(sql<number>`coalesce(max(version), 0)`.as('version'))
        .executeTakeFirstOrThrow();
      const waits = needsTwoFor(own);
      const frozen = freeze(toCase(own, actor), { ...requested, comments });
      const { id } = await tx
        .insertInto('case_exports')
        .values({
          ...{ case_id: own.id, version: last.version + 1, created_time: nowUs, frozen: JSON.stringify(frozen) },
          ...{ created_by_id: actor.id, created_by: actor.username, classification: own.classification },
          ceiling: ceilingRankOf(actor),
          ...{ left_out: hasHidden, state: waits ? 'WaitsForRelease' : 'Making' },
          expires_time: nowUs + CASE_EXPORT_DAYS * DAY_US,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (waits) return id;
      const row = { classification: own.classification, version: last.version + 1, created_time: nowUs };
      const job = await orderTask(tx, actor.id, id, packageName(row, frozen));
      await asSystem(tx, 'case').updateTable('case_exports').set({ job_id: job }).where('id', '=', id).execute();
      return id;
    });
  }

  async function orderTask(tx: Kysely<Database>, userId: string, exportId: string, title: string): Promise<string> {
    const { id } = await tx
      .insertInto('tasks')
      .values({
        ...{ kind: 'caseExport', user_id: userId, state: 'waiting', title, input: JSON.stringify({ exportId }) },
        ...{ result: null, error: null, size_bytes: null, offset_bytes: null, storage_key: null },
        ...{ created: deps.nowUs(), ended: null, heartbeat: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async function answerFor(actor: Actor, own: StoredCase, exportId: string): Promise<CaseExport> {
    const one: ReadExport = await exports.one(actor, own.id, exportId);
    const present = await exports.present(actor, own.id);
    return toExport(one, { actor, own, present });
  }

  async function countDownload({ id, case_id }: ExportRow): Promise<void> {
    await asSystem(db, 'authorized change')
      .updateTable('case_exports')
      .set({ downloads: sql`downloads + 1` })
      .where('id', '=', id)
      .execute();
    changed('cases', [case_id]);
  }
}

const NOTHING = 'The case has no part that you may read: there is nothing to export.';

const refusal = (reason: string) => new AppError('ruleRefused', { reason });
