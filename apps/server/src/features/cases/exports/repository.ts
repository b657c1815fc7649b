import {
  type Actor,
  AppError,
  type CaseExport,
  can,
  classificationOf,
  classificationRank,
  timeStamp,
} from '@osprey/contract';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { asSystem } from '../../../base/access/as-system.ts';
import type { Database } from '../../../base/db/schema.ts';
import type { CaseDb } from '../contents.ts';
import { isReadablePart } from '../readable.ts';
import { factsOfCase, type StoredCase } from '../rows.ts';
import { type FrozenCase, type FrozenComment, frozenCase } from './frozen.ts';
import { hiddenParts } from './frozen-rights.ts';

export type ExportRow = Selectable<Database['case_exports']>;
/** A version that the actor may read. */
export type ReadExport = { row: ExportRow; frozen: FrozenCase; progress: number };

/** Maximum number of versions listed for one case. */
const LISTED_MAX = 200;

export const packageKey = (exportId: string): string => `exports/case-${exportId}.zip`;

/** Versions of a case, for accounts that may read the case. */
export function caseExports({ db, contents }: CaseDb) {
  async function rows(caseId: string, exportId: string | null) {
    return asSystem(db, 'case')
      .selectFrom('case_exports')
      .leftJoin('tasks', 'tasks.id', 'case_exports.job_id')
      .where('case_id', '=', caseId)
      .$if(exportId !== null, (query) => query.where('case_exports.id', '=', exportId))
      .selectAll('case_exports')
      .select(sql<number>`coalesce(tasks.progress, 0)`.as('progress'))
      .orderBy('version', 'desc')
      .limit(LISTED_MAX)
      .execute();
  }

  async function readable(actor: Actor, found: Awaited<ReturnType<typeof rows>>): Promise<ReadExport[]> {
    const shown: ReadExport[] = [];
    for (const { progress, ...row } of found) {
      if (row.classification > classificationRank(actor.clearance)) continue;
      const frozen = frozenCase.parse(row.frozen);
      const hidden = await hiddenParts({ db, contents }, actor, frozen.parts, row.created_by_id === actor.id);
      if (hidden.size === 0) shown.push({ row, frozen, progress });
    }
    return shown;
  }

  return {
    list: async (actor: Actor, caseId: string): Promise<ReadExport[]> => readable(actor, await rows(caseId, null)),

    /** @throws AppError notFound where one of its parts is hidden too */
    async one(actor: Actor, caseId: string, exportId: string): Promise<ReadExport> {
      const [found] = await readable(actor, await rows(caseId, exportId));
      if (found === undefined) throw new AppError('notFound');
      return found;
    },

    /**
     * Reads the current parts of the case in order: those that the actor may see, and whether there are others. Also
     * reads its comments, which every reader of the case may read.
     */
    async present(actor: Actor, caseId: string): Promise<Present> {
      const found = await asSystem(db, 'case')
        .selectFrom('case_parts')
        .where('case_id', '=', caseId)
        .where('removed_time', 'is', null)
        .select(['case_parts.id', 'case_parts.revision'])
        .select(isReadablePart(contents, actor).as('seen'))
        .orderBy('position')
        .orderBy('case_parts.id')
        .execute();
      const comments = await asSystem(db, 'case')
        .selectFrom('case_comments')
        .where('case_id', '=', caseId)
        .select(['author', 'text', 'created', 'edited'])
        .select(sql<boolean>`struck_time is not null`.as('struck'))
        .orderBy('created')
        .orderBy('id')
        .execute();
      return { parts: found.filter(({ seen }) => seen), hasHidden: found.some(({ seen }) => !seen), comments };
    },
  };
}

export type Present = { parts: PresentPart[]; hasHidden: boolean; comments: FrozenComment[] };
type PresentPart = { id: string; revision: number };

/** A version in the contract's shape. */
export function toExport(
  { row, frozen, progress }: ReadExport,
  { actor, own, present }: { actor: Actor; own: StoredCase; present: Present },
): CaseExport {
  const facts = factsOfCase(own);
  const mayExport = can(actor, 'case.export', facts).allowed;
  const isMaker = row.created_by_id === actor.id;
  const isOver = row.state === 'Removed';
  return {
    ...{ _id: row.id, version: row.version, created: row.created_time, by: row.created_by, own: isMaker },
    ...{ state: row.state, progress: row.state === 'Making' ? progress : row.state === 'Ready' ? 100 : 0 },
    ...{ message: row.message, sizeBytes: row.size_bytes, sha256: row.sha256, downloads: row.downloads },
    fileName: packageName(row, frozen),
    ...{
      parts: frozen.parts.length,
      comments: frozen.comments.length,
      leftOut: row.left_out,
      expires: row.expires_time,
      releasedBy: row.released_by,
    },
    differs: differs(frozen, own, present),
    securityClassification: classificationOf(row.classification),
    releasable: row.state === 'WaitsForRelease' && mayExport && !isMaker,
    removable: !isOver && (isMaker || can(actor, 'case.own', facts).allowed),
  };
}

function differs(frozen: FrozenCase, { name, description }: StoredCase, { parts, comments }: Present): boolean {
  const ofParts = (all: readonly PresentPart[]) => all.map(({ id, revision }) => `${id} ${revision}`).join();
  const ofComments = (all: readonly FrozenComment[]) =>
    all.map(({ created, edited, struck }) => `${created} ${edited} ${struck}`).join();
  return (
    frozen.name !== name ||
    frozen.description !== description ||
    ofParts(frozen.parts) !== ofParts(parts) ||
    ofComments(frozen.comments) !== ofComments(comments)
  );
}

/** Name of a package, such as osprey_SECRET_case-7_v2_20260601-0900.zip. */
export function packageName(row: Pick<ExportRow, 'classification' | 'version' | 'created_time'>, frozen: FrozenCase) {
  const label = classificationOf(row.classification).replace(' ', '-');
  return `osprey_${label}_case-${frozen.number}_v${row.version}_${timeStamp(row.created_time)}.zip`;
}
