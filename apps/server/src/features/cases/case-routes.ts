import {
  type Actor,
  type CaseRow,
  createCase,
  deleteCases,
  getCase,
  handOverCase,
  holdCase,
  listCaseBin,
  listCasePeople,
  listCases,
  restoreCases,
  updateCase,
} from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { auditedChange, auditedItem } from '../../base/audit/item-notes.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Contents } from '../../base/items/content.ts';
import type { Changed } from '../../base/ws/outgoing.ts';
import type { CaseChange, CaseChanges } from './changes.ts';
import { notifyHeld } from './notify-held.ts';
import { peopleFor } from './people.ts';
import type { CaseRepository } from './repository.ts';
import { factsOfCase, type StoredCase, toCase } from './rows.ts';

export type CaseRoutesDeps = Http & {
  db: Db;
  contents: Contents;
  cases: CaseRepository;
  changes: CaseChanges;
  /** Asks open clients to read these rows again. */
  changed: Changed;
};

/** Serves cases themselves: rows, rights, bin and hold. */
export function caseRoutes(deps: CaseRoutesDeps): void {
  const { db, contents, cases, changes, changed } = deps;
  const answerFor = async (actor: Actor, id: string): Promise<CaseRow> => toCase(await cases.read(actor, id), actor);

  callRoute(deps, listCases, async ({ input: { query }, actor, reply }) => {
    const [{ rows, next }, count] = await Promise.all([
      cases.page(actor, query),
      query.count ? cases.count(actor, query) : null,
    ]);
    if (next !== null) reply.header('x-next-after', next);
    if (count !== null) reply.header('x-total-count', String(count));
    return rows;
  });

  callRoute(deps, listCaseBin, ({ actor }) => cases.bin(actor));

  callRoute(deps, createCase, async ({ input: { body }, actor, audit }) => {
    authorize(actor, 'case.createAny');
    const id = await changes.create(actor, body);
    const row = await cases.read(actor, id);
    await audit.write({
      action: 'case.create',
      ...auditedItem(factsOfCase(row)),
      result: `${body.parts.length} parts`,
    });
    changed('cases', [id]);
    return { ...toCase(row, actor), message: `Case ${row.name} created` };
  });

  callRoute(deps, getCase, async ({ input: { params }, actor, audit }) => {
    const row = await cases.read(actor, params.id);
    const facts = factsOfCase(row);
    authorize(actor, 'case.read', facts);
    await audit.read('case.read', facts);
    return toCase(row, actor);
  });

  callRoute(deps, updateCase, async ({ input: { params, body }, actor, audit }) => {
    const change = await changes.update(actor, params.id, body);
    await audit.write(auditOf(change));
    changed('cases', [params.id]);
    return answerFor(actor, params.id);
  });

  callRoute(deps, deleteCases, async ({ input: { body }, actor, audit }) => {
    authorize(actor, 'case.createAny');
    const rows = await changes.remove(actor, body.cases);
    for (const row of rows) await audit.write({ action: 'case.delete', ...auditedItem(factsOfCase(row)) });
    changed('cases', idsOf(rows));
    return { message: `${namesOf(rows)} deleted.` };
  });

  callRoute(deps, restoreCases, async ({ input: { body }, actor, audit }) => {
    authorize(actor, 'case.createAny');
    const rows = await changes.restore(actor, body.cases);
    for (const row of rows) await audit.write({ action: 'case.restore', ...auditedItem(factsOfCase(row)) });
    changed('cases', idsOf(rows));
    return { message: `${namesOf(rows)} restored.` };
  });

  callRoute(deps, holdCase, async ({ input: { params, body }, actor, audit }) => {
    const before = await changes.hold(actor, params.id, body.held, body.reason);
    if (before.held !== body.held) {
      await audit.write({
        action: body.held ? 'case.hold' : 'case.release',
        ...auditedItem(factsOfCase(before)),
        ...(body.reason === undefined ? {} : { reason: body.reason }),
      });
      changed('cases', [params.id]);
      await notifyHeld({ db, contents }, changed, params.id);
    }
    return answerFor(actor, params.id);
  });

  callRoute(deps, handOverCase, async ({ input: { params, body }, actor, audit }) => {
    const change = await changes.handOver(actor, params.id, body);
    await audit.write({ ...auditOf(change), action: 'case.handOver' });
    changed('cases', [params.id]);
    return answerFor(actor, params.id);
  });

  callRoute(deps, listCasePeople, async ({ input: { params, query }, actor, audit }) => {
    const facts = factsOfCase(await cases.read(actor, params.id));
    authorize(actor, 'case.own', facts);
    await audit.read('case.own', facts);
    return peopleFor(db, actor, facts, query.as);
  });
}

const idsOf = (rows: readonly StoredCase[]) => rows.map(({ id }) => id);
const namesOf = (rows: readonly StoredCase[]) =>
  `Case${rows.length === 1 ? '' : 's'} ${rows.map(({ name }) => name).join(', ')}`;

function auditOf(change: CaseChange) {
  const { before, after } = change;
  const owner = before.authorId === after.authorId ? [] : [`owner ${before.authorId} to ${after.authorId}`];
  const editors =
    `${[...before.editors].sort()}` === `${[...after.editors].sort()}` ? [] : [`editors [${after.editors}]`];
  return auditedChange('case.update', change, [...owner, ...editors]);
}
