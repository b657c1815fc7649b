import { classificationRank, items } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { requestAudit } from '../../src/base/audit/request-audit.ts';
import { auditWriter } from '../../src/base/audit/writer.ts';
import { contractCalls } from '../../src/base/http/calls.ts';
import { reportDamage } from '../../src/base/stored/report-damage.ts';
import { lastRowOfAudit } from '../audit.ts';
import { recordingServer } from '../recordings.ts';
import { type Subject, subjectNames } from '../server.ts';
import {
  type Asked,
  annotationRules,
  caseRules,
  documentRules,
  elsewhere,
  missionRules,
  platformRules,
  type Rule,
} from './matrix-calls.ts';
import { type Cell, cells, clearance, itemMaker, labels, mayRead, relations } from './matrix-items.ts';
import { callsByItem } from './own-calls.ts';

const server = await recordingServer();
const { asUser, userId } = server;
const maker = await itemMaker(server);
/** Calls over one item, by the rights that they ask for. */
const OVER_ITEMS = new RegExp(`^(?:${[...Object.keys(items), 'platformConfig', 'bin'].join('|')})\\.`);

/** Body of every refusal, for any item and any caller. */
const bodies: Record<number, string> = {
  403: JSON.stringify({ code: 'forbidden', status: 403, text: 'You do not have the rights for this.', values: {} }),
  404: JSON.stringify({ code: 'notFound', status: 404, text: 'Not found, or not visible to you.', values: {} }),
};
/**
 * One case of this many is asked: in a checkerboard over label, audience, subject and call, by which each call meets
 * each label and each audience, and each subject meets each cell in some call.
 */
const EVERY = Number(process.env.OSPREY_MATRIX_EVERY ?? 10);
let cases = 0;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/**
 * Covered by the one row of the audit that the playlist of a viewing has begun. The plan of a live export returns times and
 * size alone, and the page of a viewer asks for it every 20 s; the list of sheets returns times, and each sheet has a row.
 */
const withinViewing = new Set(['getMediaFile', 'getMediaSegment', 'planLiveExport', 'getSensorSheets']);

/** Items above UNCLASSIFIED that were read without a row of the audit with item and label. */
async function unnoted(who: Subject, read: readonly (Cell & { id: string })[], before: number): Promise<string[]> {
  const rows = await server.db
    .selectFrom('audit')
    .select(['item_id', 'item_label'])
    .where('actor_id', '=', userId(who))
    .where('decision', '=', 'allowed')
    .where('seq', '>', before)
    .execute();
  const noted = new Set(rows.map(({ item_id, item_label }) => `${item_id} ${item_label}`));
  return read
    .filter(({ id, label }) => label > 1 && !noted.has(`${id} ${label}`))
    .map(({ label, relation }) => `not in the audit: label ${label}, ${relation}`);
}

async function ask(who: Subject, asked: Asked) {
  cases += 1;
  const answer = await asUser(who).inject(asked);
  return { status: answer.statusCode, body: answer.statusCode >= 400 ? answer.body : null };
}

type ItemOf<Item> = (cell: Cell, isTaken: boolean) => Promise<Item>;

const isAsked = ({ label, relation }: Cell, who: Subject, call: number): boolean =>
  (labels.indexOf(label) + relations.indexOf(relation) + subjectNames.indexOf(who) + call) % EVERY === 0;

/** Wrong answers to one subject, over labels and audiences. */
async function wrongAnswers<Item extends Cell & { id: string }>(
  who: Subject,
  [name, rule]: [string, Rule<Item>],
  itemOf: ItemOf<Item>,
  call: number,
) {
  const wrong: string[] = [];
  const read: Item[] = [];
  const before = await lastRowOfAudit(server.db);
  for (const cell of cells.filter((one) => isAsked(one, who, call))) {
    const isCaller = rule.callers?.(who) ?? true;
    const isReader = mayRead(who, cell);
    const isAllowed = isCaller && isReader && (rule.by?.(who, cell) ?? true);
    const expected = isAllowed ? (rule.allowed ?? 200) : !isCaller ? 403 : isReader ? (rule.refused ?? 403) : 404;
    const item = await itemOf(cell, isAllowed && rule.needs !== undefined);
    const asked = rule.ask(item);
    const { status, body } = await ask(who, asked);
    if (asked.method === 'GET' && status < 300) read.push(item);
    const isRight =
      status === expected &&
      (bodies[expected] === undefined || body === bodies[expected] || isSaidToGuest(who, body ?? ''));
    if (!isRight)
      wrong.push(
        `${status} for ${expected}: ${asked.method} ${asked.url} label ${cell.label}, ${cell.relation} ${body}`,
      );
  }
  return withinViewing.has(name) ? wrong : [...wrong, ...(await unnoted(who, read, before))];
}

/** Guests get the sentence of the specification that they may not export. */
const isSaidToGuest = (who: Subject, body: string | null): boolean =>
  who === 'guest' && body?.includes('"code":"guestDownload","status":403') === true;

type Row = [name: string, wrong: (who: Subject) => Promise<string[]>];

/** Items are made once for all calls, and again if a call is to take one away. */
function rowsOf<Item extends Cell & { id: string }>(
  rules: Record<string, Rule<Item>>,
  make: (cell: Cell, isInBin: boolean) => Promise<Item>,
): Row[] {
  const keeping = (isInBin: boolean): ItemOf<Item> => {
    const cached = new Map<Cell, Promise<Item>>();
    return (cell, isTaken) => {
      if (isTaken) return make(cell, isInBin);
      const item = cached.get(cell) ?? make(cell, isInBin);
      cached.set(cell, item);
      return item;
    };
  };
  const [shown, inBin] = [keeping(false), keeping(true)];
  return Object.entries(rules).map(([name, rule], call) => [
    name,
    (who) => wrongAnswers(who, [name, rule], rule.needs === 'item in the bin' ? inBin : shown, call),
  ]);
}

const binned = { deleted_time: Date.now() * 1000 };
const rows: Row[] = [
  ...rowsOf(missionRules, (cell, isInBin) =>
    maker.mission(cell, isInBin ? { ...binned, deleted_by: userId('GA') } : {}),
  ),
  ...rowsOf(documentRules, (cell, isInBin) =>
    maker.document(cell, isInBin ? { ...binned, deleted_by: userId('SA') } : {}),
  ),
  ...rowsOf(platformRules, (cell) => maker.platform(cell)),
  ...callsByItem.flatMap(({ item, rules }) => rowsOf(rules, (cell) => maker.any(item, cell))),
  ...rowsOf(annotationRules, (cell, isInBin) =>
    maker.annotation(cell, isInBin ? { ...binned, deleted_by: userId('SA') } : {}),
  ),
  ...rowsOf(caseRules, (cell, isInBin) => maker.case(cell, isInBin ? { ...binned, deleted_by: userId('SA') } : {})),
];

describe('the decision, for each call, subject, label and audience', () => {
  it.each(rows)(
    '%s is done for those who may, with a row of the audit for each read above UNCLASSIFIED, refused to those who only ' +
      'see the item, and hidden from the rest',
    {
      timeout: 60_000,
    },
    async (_name, wrong) => {
      for (const who of subjectNames) expect(await wrong(who), who).toEqual([]);
    },
  );

  it('has a row for each call of the contract over such items, or says where its cases are', () => {
    const names = contractCalls().flatMap(({ name, call }) => (OVER_ITEMS.test(call.action) ? [name] : []));
    const said = [elsewhere, ...callsByItem.map((own) => own.elsewhere)].flatMap(Object.keys);
    const covered = new Set([...rows.map(([name]) => name.split(' ')[0]), ...said]);
    expect(names.filter((name) => !covered.has(name))).toEqual([]);
  });

  it('leaves an audit that names no item above the clearance of who reads it, for each role', async () => {
    const made = await Promise.all(labels.map((label) => maker.mission({ label, relation: 'everyone' })));
    // Rows of a job, and of a search by an item that others may not know of.
    const job = requestAudit(
      auditWriter({ db: server.db, node: 'worker', log: console }),
      { actor: null, session: null, address: '' },
      () => Date.now() * 1000,
    );
    for (const { id } of made) {
      const found = [{ id, itemId: id, text: `originals/${id}: the file is missing` }];
      await reportDamage({ db: server.db, audit: job, log: { error: () => undefined } }, found);
      expect((await asUser('SA').inject({ method: 'GET', url: `/api/audit?item=${id}` })).statusCode).toBe(200);
    }

    const read: Record<string, number> = {};
    for (const who of subjectNames) {
      const named = new Set<string>();
      for (let after = '', page = 0; page < 1000; page++) {
        const url = `/api/audit?limit=200${after && `&after=${after}`}`;
        const answer = await asUser(who).inject({ method: 'GET', url });
        if (answer.statusCode !== 200) break;
        for (const [id] of answer.body.matchAll(UUID)) named.add(id);
        after = String(answer.headers['x-next-after'] ?? '');
        if (after === '') break;
      }
      read[who] = named.size;
      const facts = [...(await server.dependencies.items.factsById(server.db, [...named])).values()];
      expect(
        facts.filter((one) => classificationRank(one.securityClassification) > clearance[who]),
        who,
      ).toEqual([]);
      if (who === 'A2') expect(made.filter(({ id }) => named.has(id)).map(({ label }) => label)).toEqual([1, 2]);
      if (who === 'SA') expect(made.filter(({ id }) => named.has(id))).toHaveLength(labels.length);
    }
    expect(Object.keys(read).filter((who) => read[who]! > 0)).toEqual(['SA', 'A2']);
  }, 120_000);

  it('made every tenth of more than 9,000 cases, or all of them', () => {
    const all = rows.length * subjectNames.length * cells.length;
    expect(all).toBeGreaterThan(9000);
    // The sums of the checkerboard are not spread evenly over ten.
    expect(cases).toBeGreaterThan((0.9 * all) / EVERY);
  });
});
