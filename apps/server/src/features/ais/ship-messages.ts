import {
  type Actor,
  AIS_FRAME_SHIPS_MAX,
  type AisView,
  aisFrameEvent,
  type FrameShip,
  writeAisFrame,
} from '@osprey/contract';
import { ceilingOf } from '../../base/access/actors.ts';
import type { Db } from '../../base/access/as-system.ts';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { Hub } from '../../base/ws/hub.ts';
import { isInArea } from './area.ts';
import type { Position } from './batch.ts';
import type { AisLiveState } from './live-state.ts';
import { shipsOf } from './ship-lists/rows.ts';
import { type AisSource, visibleSources } from './sources.ts';

const EVERY_MS = 1000;

export type ShipMessagesDeps = {
  db: Db;
  state: AisLiveState;
  hub: Pick<Hub, 'shipViewers'>;
  live: Pick<LiveRights, 'account'>;
  /** Whether notices of changed rights arrive from the database; without them nothing is sent. */
  isListening: () => boolean;
  isOn: () => boolean;
  nowUs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/**
 * Once a second, sends each page the ships in its part of the map. Pages that show the same part with the same rights
 * receive the same bytes. Rights are checked each time; a page that has not yet received its previous frame is skipped.
 */
export function shipMessages(deps: ShipMessagesDeps) {
  const { db, state, hub, live, log } = deps;
  let working: Promise<void> | null = null;
  const timer = setInterval(() => {
    working ??= send()
      .catch((error) => log.warn({ error }, 'ships could not be sent to maps'))
      .finally(() => {
        working = null;
      });
  }, EVERY_MS);
  timer.unref();

  async function send(): Promise<void> {
    if (!deps.isOn()) return;
    state.forgetOld();
    const sources = new Map<string, AisSource[]>();
    const frames = new Map<string, Uint8Array>();
    const listed = new Map<string, readonly number[]>();
    for (const { actor, key, listeners } of [...hub.shipViewers()]) {
      const account = await live.account(actor.id, ceilingOf(actor));
      if (account === null || !deps.isListening()) continue;
      const visible = sources.get(key) ?? (await visibleSources(db, account.actor));
      sources.set(key, visible);
      for (const listener of listeners) {
        const { view } = listener;
        if (view === null || listener.isBehind()) continue;
        // Rights to a list also depend on its author, so frames restricted to a list are made separately for each user.
        const name = `${view.list === null ? '' : actor.id} ${key} ${JSON.stringify(view)}`;
        const only = view.list === null ? undefined : await shipsOn(account.actor, view.list, listed);
        const bytes = frames.get(name) ?? frameOf(state, visible, { ...view, only }, deps.nowUs());
        frames.set(name, bytes);
        listener.emit(aisFrameEvent.name, bytes);
      }
    }
  }

  /** Returns the ships of a list; none if the list is no longer visible to the actor. */
  async function shipsOn(actor: Actor, list: string, existing: Map<string, readonly number[]>) {
    const name = `${actor.id} ${actor.clearance} ${list}`;
    const ships = existing.get(name) ?? (await shipsOf(db, actor, list)).map(({ mmsi }) => mmsi);
    existing.set(name, ships);
    return ships;
  }

  return {
    send,
    async close(): Promise<void> {
      clearInterval(timer);
      await working;
    },
  };
}

/**
 * Merges reports of a ship by several sources: the newest report counts; the type comes from any source that knows it.
 */
export function frameOf(
  state: Pick<AisLiveState, 'of'>,
  sources: readonly AisSource[],
  view: Omit<NonNullable<AisView>, 'list'> & { only?: readonly number[] | undefined },
  nowUs: number,
): Uint8Array {
  const meant = view.only && new Set(view.only);
  const since = nowUs - view.minutes * 60e6;
  const isIn = isInArea(view.area);
  const newest = new Map<number, Position>();
  const types = new Map<number, number>();
  for (const { id, missionId } of sources) {
    if (view.mission !== null && missionId !== view.mission) continue;
    const stations = state.of(id);
    if (stations === undefined) continue;
    for (const position of stations.places.values()) {
      if (position.time < since || meant?.has(position.mmsi) === false) continue;
      const existing = newest.get(position.mmsi);
      if (existing === undefined || position.time > existing.time) newest.set(position.mmsi, position);
      const type = stations.types.get(position.mmsi);
      if (type !== undefined) types.set(position.mmsi, type);
    }
  }
  const ships: FrameShip[] = [];
  let total = 0;
  for (const position of newest.values()) {
    if (!isIn(position)) continue;
    total += 1;
    if (total <= AIS_FRAME_SHIPS_MAX) ships.push({ ...position, shipType: types.get(position.mmsi) ?? null });
  }
  return writeAisFrame(ships, { timeUs: nowUs, total });
}
