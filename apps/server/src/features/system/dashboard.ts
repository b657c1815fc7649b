import { type Actor, type Dashboard, getDashboard, isAdmin } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { accountVisibleTo } from '../../base/access/account-visibility.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { sensorsOfPlatform } from '../../base/items/platform-facts.ts';
import { visible, visiblePlatforms } from '../../base/items/visibility.ts';
import { columnOf, visibleRows } from '../../base/items/visible.ts';

const SECRET = 4;

export type DashboardDeps = Http & { db: Kysely<Database>; onlineUsers: () => number };

/**
 * Routes of the figures on the admin page. Admins get totals; groupAdmins get only the figures of what their lists
 * show.
 */
export function dashboardRoutes(deps: DashboardDeps): void {
  const { db } = deps;
  callRoute(deps, getDashboard, async ({ actor }) => {
    const [users, usergroups, platforms, jobs] = await Promise.all([
      countUsers(db, actor),
      countUsergroups(db, actor),
      countPlatforms(db, actor),
      countJobs(deps, actor),
    ]);
    return { users: { ...users, online: deps.onlineUsers() }, usergroups, platforms, jobs };
  });
}

const count = sql<number>`count(*)`;
const countWhere = (condition: ReturnType<typeof sql<boolean>>) => sql<number>`count(*) filter (where ${condition})`;

async function countUsers(db: Kysely<Database>, actor: Actor): Promise<Omit<Dashboard['users'], 'online'>> {
  const role = (name: string) => countWhere(sql<boolean>`users.role = ${name}`);
  const query = db.selectFrom('users').where('users.deleted_time', 'is', null).where(accountVisibleTo(actor));
  return query
    .select([
      count.as('total'),
      role('superAdmin').as('superAdmins'),
      role('admin').as('admins'),
      role('groupAdmin').as('groupAdmins'),
      countWhere(sql<boolean>`users.role in ('user', 'guest')`).as('others'),
      countWhere(sql<boolean>`users.disabled`).as('disabled'),
    ])
    .executeTakeFirstOrThrow();
}

async function countUsergroups(db: Kysely<Database>, actor: Actor): Promise<Dashboard['usergroups']> {
  let query = db.selectFrom('usergroups');
  if (!isAdmin(actor)) {
    query = query.where(sql<boolean>`usergroups.id = any (${actor.groups.map(({ _id }) => _id)}::uuid[])`);
  }
  const has = (mode: string) => sql<boolean>`${mode} = any (usergroups.live_modes)`;
  return query
    .select([
      count.as('total'),
      countWhere(
        sql<boolean>`not exists (select from user_usergroups member where member.usergroup_id = usergroups.id)`,
      ).as('withoutMembers'),
      countWhere(sql<boolean>`usergroups.classification >= ${SECRET}`).as('secret'),
      countWhere(has('WebRtc')).as('webRtc'),
      countWhere(sql<boolean>`${has('Preview')} and not ${has('WebRtc')}`).as('previewOnly'),
      countWhere(sql<boolean>`usergroups.live_modes = '{}'`).as('hlsOnly'),
    ])
    .executeTakeFirstOrThrow();
}

async function countPlatforms(db: Kysely<Database>, actor: Actor): Promise<Dashboard['platforms']> {
  const running = visible(db, actor).where('missions.state', '=', 'Running').select('missions.platform_id');
  return visiblePlatforms(db, actor)
    .select([
      count.as('total'),
      countWhere(sql<boolean>`platforms.id in ${running}`).as('live'),
      countWhere(sql<boolean>`platforms.autostart`).as('autostart'),
      sql<number>`coalesce(sum(${sensorsOfPlatform}), 0)::bigint`.as('sensors'),
    ])
    .executeTakeFirstOrThrow();
}

const jobCounts = [
  countWhere(sql<boolean>`jobs.state in ('waiting', 'running')`).as('open'),
  countWhere(sql<boolean>`jobs.state = 'failed'`).as('failed'),
];

/** Counts the jobs of items that the actor may see. */
async function countJobs({ db, items }: DashboardDeps, actor: Actor): Promise<Dashboard['jobs']> {
  const counts = await Promise.all(
    items.kinds.flatMap((kind) => {
      if (kind.job === undefined) return [];
      const own = sql<boolean>`${sql.ref(`jobs.${kind.job}`)} = ${columnOf(kind, 'id')}`;
      return visibleRows(kind, db, actor)
        .innerJoin('jobs', (join) => join.on(own))
        .select(jobCounts)
        .executeTakeFirstOrThrow();
    }),
  );
  const sum = (state: 'open' | 'failed') => counts.reduce((total, of) => total + of[state], 0);
  return { open: sum('open'), failed: sum('failed') };
}
