import {
  type Actor,
  addCaseParts,
  type CasePart,
  listCaseParts,
  orderCaseParts,
  removeCaseParts,
  restoreCaseParts,
  updateCasePart,
} from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { auditedItem, auditedParts } from '../../base/audit/item-notes.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Contents } from '../../base/items/content.ts';
import type { Changed } from '../../base/ws/outgoing.ts';
import { notifyHeld } from './notify-held.ts';
import type { ChangedParts, PartChanges } from './part-changes.ts';
import type { CaseParts } from './parts.ts';
import type { CaseRepository } from './repository.ts';
import { factsOfCase, toCase } from './rows.ts';

export type PartRoutesDeps = Http & {
  db: Db;
  contents: Contents;
  cases: CaseRepository;
  partsOf: CaseParts;
  parts: PartChanges;
  changed: Changed;
};

export function partRoutes(deps: PartRoutesDeps): void {
  const { db, contents, cases, partsOf, parts, changed } = deps;
  const findParts = async (actor: Actor, caseId: string, ids: readonly string[]): Promise<CasePart[]> =>
    (await partsOf(actor, caseId)).filter(({ _id }) => ids.includes(_id));

  callRoute(deps, listCaseParts, async ({ input: { params }, actor, audit }) => {
    const facts = factsOfCase(await cases.read(actor, params.id));
    authorize(actor, 'case.read', facts);
    await audit.read('case.read', facts);
    return partsOf(actor, params.id);
  });

  callRoute(deps, addCaseParts, async ({ input: { params, body }, actor, audit }) => {
    const done = await parts.add(actor, params.id, body.parts, body.lockOut === true);
    await audit.write(auditOf('case.add', done));
    changed('cases', [params.id]);
    if (done.held) await notifyHeld({ db, contents }, changed, params.id);
    return findParts(actor, params.id, done.ids);
  });

  callRoute(deps, updateCasePart, async ({ input: { params, body }, actor, audit }) => {
    const done = await parts.update(actor, params.id, params.partId, body);
    await audit.write(auditOf('case.part', done));
    changed('cases', [params.id]);
    const [part] = await findParts(actor, params.id, done.ids);
    return part!;
  });

  callRoute(deps, removeCaseParts, async ({ input: { params, body }, actor, audit }) => {
    const done = await parts.remove(actor, params.id, body.parts);
    await audit.write(auditOf('case.remove', done));
    changed('cases', [params.id]);
    return { message: `${countOf(done)} removed from the case.` };
  });

  callRoute(deps, restoreCaseParts, async ({ input: { params, body }, actor, audit }) => {
    const done = await parts.restore(actor, params.id, body.parts, body.lockOut === true);
    await audit.write(auditOf('case.putBack', done));
    changed('cases', [params.id]);
    if (done.held) await notifyHeld({ db, contents }, changed, params.id);
    return { message: `${countOf(done)} put back into the case.` };
  });

  callRoute(deps, orderCaseParts, async ({ input: { params, body }, actor, audit }) => {
    const done = await parts.order(actor, params.id, body.parts, body.revision);
    await audit.write({ action: 'case.order', ...auditedItem(done.facts) });
    changed('cases', [params.id]);
    return toCase(await cases.read(actor, params.id), actor);
  });
}

const countOf = ({ ids }: ChangedParts): string => (ids.length === 1 ? '1 part' : `${ids.length} parts`);

/** Row of the audit about a change of parts, by kind and id. */
const auditOf = (action: string, { facts, ids, kinds }: ChangedParts) =>
  auditedParts(
    action,
    facts,
    ids.map((id, at) => `${kinds[at]} ${id}`),
  );
