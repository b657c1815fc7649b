import {
  type Action,
  AppError,
  acting,
  classification,
  classificationRank,
  defineCall,
  forRoles,
  type ItemNoun,
  items,
  making,
  mayManage,
  reading,
  roles,
} from '@osprey/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { asSystem, type Db } from '../src/base/access/as-system.ts';
import { doorOf } from '../src/base/access/authorize.ts';
import { callRoute, type Http } from '../src/base/http/call-route.ts';
import { bindItems } from '../src/base/items/items.ts';
import type { StoredItem } from '../src/base/items/table.ts';
import type { Changed } from '../src/base/ws/outgoing.ts';
import { allStoredItems } from '../src/compose/items.ts';

/**
 * An item with rights that the product does not have: what docs/add-something.md says of a new one, without an edit of a
 * file of the product.
 */
const toy = {
  plural: 'toys',
  title: 'Toy',
  event: 'toys',
  rules: { read: reading, create: making(mayManage), update: acting(mayManage), delete: acting(mayManage) },
  plain: { list: forRoles(...roles), bin: forRoles('superAdmin', 'admin') },
};

const storedToy: StoredItem = {
  table: 'toys',
  links: { table: 'toy_usergroups', key: 'toy_id' },
  name: 'title',
  draft: 'Wrapped',
  bin: true,
  tags: true,
  job: 'toy_id',
  token: { lifeMs: 60_000 },
  parts: [],
};

export const toyItems = bindItems({ ...items, toy }, { ...allStoredItems, toy: storedToy });

const migration = [
  `create table toys (
    id uuid primary key default gen_random_uuid(),
    title text not null,
    classification smallint not null,
    audience text not null default 'groups',
    state text not null default 'Ready',
    tags text[] not null default '{}',
    epoch integer not null default 0,
    deleted_time bigint
  )`,
  `create table toy_usergroups (
    toy_id uuid not null references toys on delete cascade,
    usergroup_id uuid not null references usergroups on delete cascade,
    primary key (toy_id, usergroup_id)
  )`,
  `create trigger item_rights_changed before update or delete on toys
    for each row execute function item_rights_changed('toy', 'Wrapped')`,
  `create trigger item_rights_changed after insert or update or delete on toy_usergroups
    for each row execute function item_rights_changed('toy', 'toys')`,
  `alter table jobs add column toy_id uuid references toys on delete cascade`,
];

export async function makeToyTables(db: Db): Promise<void> {
  for (const statement of migration) await sql.raw(statement).execute(db);
}

/** An action of the table with toys. */
const action = (name: string) => name as Action;
const params = z.object({ id: z.uuid() });
const shown = z.object({ _id: z.uuid(), title: z.string() });
const done = z.object({ message: z.string() });

const listToys = defineCall({
  ...{ method: 'GET', path: '/toys', summary: '', action: action('toy.list'), errors: [] },
  input: z.object({}),
  answer: z.array(shown),
});
const readToy = defineCall({
  ...{ method: 'GET', path: '/toys/:id', summary: '', action: action('toy.read'), errors: [] },
  input: z.object({ params }),
  answer: shown,
});
const createToy = defineCall({
  ...{ method: 'POST', path: '/toys', summary: '', action: action('toy.create'), errors: [] },
  input: z.object({ body: z.object({ title: z.string(), label: classification, usergroups: z.array(z.uuid()) }) }),
  answer: shown,
});
const deleteToy = defineCall({
  ...{ method: 'DELETE', path: '/toys/:id', summary: '', action: action('toy.delete'), errors: [] },
  input: z.object({ params }),
  answer: done,
});
const listToyBin = defineCall({
  ...{ method: 'GET', path: '/toys/bin', summary: '', action: action('toy.bin'), errors: [] },
  input: z.object({}),
  answer: z.array(shown),
});
const forgottenToy = defineCall({
  ...{ method: 'GET', path: '/toys/:id/forgotten', summary: '', action: action('toy.read'), errors: [] },
  input: z.object({ params }),
  answer: shown,
});

type ToyDeps = Http & { db: Db; changed: Changed };

/** The routes of the toy, as the folder of a feature would have them. */
export function toyRoutes(deps: ToyDeps): void {
  const { db } = deps;
  const authorize = doorOf(toyItems.access);
  const changed = (id: string) => deps.changed('toys' as ItemNoun, [id]);
  const toShown = ({ id, name }: { id: string; name: string }) => ({ _id: id, title: name });
  const selected = [sql<string>`toys.id`.as('id'), sql<string>`toys.title`.as('name')] as const;

  /** @throws AppError notFound, forbidden */
  async function allowed(actor: Parameters<typeof authorize>[0], verb: string, id: string) {
    const facts = await toyItems.factsOf('toy', asSystem(db, 'authorized change'), id);
    if (facts === null) throw new AppError('notFound');
    authorize(actor, `toy.${verb}`, facts);
    return facts;
  }

  callRoute(deps, listToys, async ({ actor }) =>
    (await toyItems.visible('toy', db, actor).select(selected).execute()).map(toShown),
  );
  callRoute(deps, listToyBin, async ({ actor }) =>
    (await toyItems.visibleInBin('toy', db, actor).select(selected).execute()).map(toShown),
  );
  callRoute(deps, readToy, async ({ input, actor, audit }) => {
    const facts = await allowed(actor, 'read', input.params.id);
    await audit.read('toy.read', facts);
    return toShown(facts);
  });
  callRoute(deps, forgottenToy, async ({ input }) => ({ _id: input.params.id, title: 'Not asked about' }));
  callRoute(deps, createToy, async ({ input: { body }, actor }) => {
    const { title, label, usergroups } = body;
    const requested = { securityClassification: label, audience: 'groups' as const, usergroups, draft: false };
    authorize(actor, 'toy.create', requested);
    const { rows } = await sql<{ id: string }>`
      insert into toys (title, classification) values (${title}, ${classificationRank(label)}) returning id`.execute(
      db,
    );
    const { id } = rows[0]!;
    await sql`insert into toy_usergroups select ${id}::uuid, unnest(${usergroups}::uuid[])`.execute(db);
    changed(id);
    return { _id: id, title };
  });
  callRoute(deps, deleteToy, async ({ input, actor }) => {
    const { id } = await allowed(actor, 'delete', input.params.id);
    await sql`update toys set deleted_time = 1 where id = ${id}`.execute(db);
    changed(id);
    return { message: 'Toy deleted.' };
  });
}
