import { Readable } from 'node:stream';
import {
  type Actor,
  createMission,
  deleteMissions,
  getMission,
  getMissionArea,
  listMissions,
  type Mission,
  removeSamples,
  renameMission,
  restoreMissions,
  updateMission,
} from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { auditedChange, auditedItem } from '../../base/audit/item-notes.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Session } from '../../base/http/session.ts';
import { whileUnchanged } from '../../base/http/still-allowed.ts';
import type { MediaTokens } from '../../base/items/media-token.ts';
import type { MissionChanges } from './changes.ts';
import type { Rename } from './rename.ts';
import type { MissionRepository } from './repository.ts';
import { factsOf, type MissionRow, type Viewer } from './rows.ts';

export type MissionRoutesDeps = Http & {
  missions: MissionRepository;
  changes: MissionChanges;
  rename: Rename;
  mediaTokens: Pick<MediaTokens, 'sign'>;
  /** Notifies open clients to fetch these rows again. */
  changed: (noun: 'missions', ids: string[]) => void;
};

export function missionRoutes(deps: MissionRoutesDeps): void {
  const { missions, changes, changed } = deps;

  callRoute(deps, listMissions, async ({ input: { query }, actor, session, request, reply }) => {
    const viewer = viewerOf(deps.mediaTokens, { actor, session, address: request.ip });
    if (query.limit === undefined) {
      reply.type('application/json; charset=utf-8');
      // The first rows are read before the response begins, so that an invalid query still results in an error.
      const batches = missions.all(viewer, query);
      const first = await batches.next();
      const rest = whileUnchanged(deps, { request, session }, batches);
      return Readable.from(jsonArray(first.done ? [] : first.value, rest), { objectMode: false });
    }
    const { rows, next, count } = await missions.page(viewer, query);
    if (next !== null) reply.header('x-next-after', next);
    if (count !== null) reply.header('x-total-count', String(count));
    reply.type('application/json; charset=utf-8');
    return Readable.from([JSON.stringify(rows)]);
  });

  callRoute(deps, getMission, async ({ input: { params }, actor, session, request, audit }) => {
    const row = await readable(actor, params.mission);
    await audit.read('mission.read', factsOf(row));
    return missions.shown(viewerOf(deps.mediaTokens, { actor, session, address: request.ip }), row.id);
  });

  callRoute(deps, getMissionArea, async ({ input: { params }, actor, audit }) => {
    const row = await readable(actor, params.mission);
    await audit.read('mission.area', factsOf(row));
    const outline = (await missions.area(actor, row.id)) as Area | null;
    return {
      type: 'Feature' as const,
      properties: { mission: row.name, areaSqKm: row.area_sq_km ?? 0 },
      geometry: outline ?? { type: 'MultiPolygon' as const, coordinates: [] },
    };
  });

  callRoute(deps, createMission, async ({ input: { body }, actor, session, request }) => {
    const id = await changes.create(actor, body);
    changed('missions', [id]);
    return shown({ actor, session, address: request.ip }, id);
  });

  callRoute(deps, updateMission, async ({ input: { body }, actor, session, request, audit }) => {
    const change = await changes.update(actor, body);
    await audit.write(auditedChange('mission.update', { ...change, after: { ...change.after, id: change.id } }));
    changed('missions', [change.id]);
    return shown({ actor, session, address: request.ip }, change.id);
  });

  callRoute(deps, renameMission, async ({ input: { params, body }, actor, session, request, audit }) => {
    const row = await deps.rename(actor, params.mission, body);
    // The names are left out, since readers of the audit log may not be allowed to read the mission.
    await audit.write({ action: 'mission.rename', ...auditedItem(factsOf(row)) });
    changed('missions', [row.id]);
    return shown({ actor, session, address: request.ip }, row.id);
  });

  callRoute(deps, deleteMissions, async ({ input: { body }, actor, audit }) => {
    const rows = await changes.remove(actor, body.missions);
    for (const row of rows) await audit.write({ action: 'mission.delete', ...auditedItem(factsOf(row)) });
    changed(
      'missions',
      rows.map((row) => row.id),
    );
    return { message: `Missions ${rows.map((row) => row.name).join(', ')} deleted.` };
  });

  callRoute(deps, restoreMissions, async ({ input: { body }, actor, audit }) => {
    const rows = await changes.restore(actor, body.missions);
    for (const row of rows) await audit.write({ action: 'mission.restore', ...auditedItem(factsOf(row)) });
    changed(
      'missions',
      rows.map((row) => row.id),
    );
    return { message: `Missions ${rows.map((row) => row.name).join(', ')} restored.` };
  });

  callRoute(deps, removeSamples, async ({ actor, audit }) => {
    const rows = await changes.removeSamples(actor);
    for (const row of rows) await audit.write({ action: 'mission.delete', ...auditedItem(factsOf(row)) });
    const missions = rows.map((row) => row.id);
    changed('missions', missions);
    const message = rows.length === 0 ? 'There are no sample missions.' : 'The sample missions were removed.';
    return { message, missions };
  });

  /** @throws AppError notFound */
  async function readable(actor: Actor, idOrName: string): Promise<MissionRow> {
    const row = await missions.read(actor, idOrName);
    authorize(actor, 'mission.read', factsOf(row));
    return row;
  }

  const shown = (asking: Asking, id: string): Promise<Mission> =>
    missions.shown(viewerOf(deps.mediaTokens, asking), id);
}

type Area = { type: 'MultiPolygon'; coordinates: number[][][][] };
type Asking = { actor: Actor; session: Session; address: string };

/** Media tokens are bound to this session, to this address, and to the epochs of user and mission. */
export function viewerOf(tokens: Pick<MediaTokens, 'sign'>, { actor, session, address }: Asking): Viewer {
  const { id, userEpoch } = session;
  const mediaToken: Viewer['mediaToken'] = (mission) =>
    id &&
    tokens.sign({
      user: actor.id,
      userEpoch,
      noun: 'missions',
      item: mission.id,
      itemEpoch: mission.epoch,
      session: id,
      address,
    });
  return { actor, mediaToken };
}

async function* jsonArray(first: Mission[], rest: AsyncIterable<Mission[]>): AsyncGenerator<string> {
  yield `[${first.map((row) => JSON.stringify(row)).join(',')}`;
  for await (const rows of rest) if (rows.length > 0) yield `,${rows.map((row) => JSON.stringify(row)).join(',')}`;
  yield ']';
}
