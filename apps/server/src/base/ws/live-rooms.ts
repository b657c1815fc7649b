import {
  type Actor,
  type AisEvent,
  aisEvent,
  type Classification,
  can,
  isAdmin,
  isCleared,
  type LivePosition,
  livePositionEvent,
  type RecorderEvent,
  recorderEvent,
  type StreamMonitor,
  streamMonitorEvent,
} from '@osprey/contract';
import { ceilingOf } from '../access/actors.ts';
import type { LiveRights } from '../items/live-rights.ts';
import type { Audience, Listener, Listening } from './audience.ts';

/** More than these wait only where the database does not answer. */
const QUEUE = 2000;
/** Platforms that one page may name. */
const CHANNELS = 200;
/** Every platform. */
const ALL = '*';

/** Event of live platforms. `mission`: the one that its subject is recorded into. */
export type LiveEvent =
  | { kind: 'streamMonitor'; payload: StreamMonitor; mission: string | null }
  /** `label`: accounts below this clearance do not get it. */
  | { kind: 'recorder'; payload: RecorderEvent; label?: Classification }
  | { kind: 'livePosition'; payload: LivePosition; mission: string | null }
  | { kind: 'ais'; payload: AisEvent; mission: string | null };

export type LiveRoomsDeps = {
  audience: Pick<Audience, 'everyone'>;
  live: Pick<LiveRights, 'account' | 'platform' | 'mission'>;
  /** Whether notices of changed rights arrive from the database; without them nothing is sent. */
  isListening: () => boolean;
  log: { warn: (fields: object, text: string) => void };
};

const names = {
  streamMonitor: streamMonitorEvent.name,
  recorder: recorderEvent.name,
  livePosition: livePositionEvent.name,
  ais: aisEvent.name,
} as const;

/**
 * Events of live platforms, for pages that asked for them. Rights are asked at the moment of sending, from what notices
 * keep true; what cannot be decided is not sent. Only errors of the recorder come without being asked for.
 */
export function liveRooms({ audience, live, isListening, log }: LiveRoomsDeps) {
  let waiting = 0;
  let working: Promise<void> = Promise.resolve();

  /** In turn, so that an older state never comes after a newer one. */
  function happened(event: LiveEvent): void {
    if (waiting >= QUEUE) return;
    waiting += 1;
    working = working
      .then(() => deliver(event))
      .catch((error) => log.warn({ error }, 'a live event could not be delivered'))
      .finally(() => {
        waiting -= 1;
      });
  }

  async function deliver(event: LiveEvent): Promise<void> {
    const { platform: platformId } = event.payload;
    const missionId = event.kind === 'recorder' ? event.payload.mission : event.mission;
    const platform = platformId === null ? null : await live.platform(platformId);
    const mission = missionId === null ? null : await live.mission(missionId);
    // Removed, or not there yet.
    if ((platformId !== null && platform === null) || (missionId !== null && mission === null)) return;
    const maySee = (actor: Actor) =>
      (platform === null ? isAdmin(actor) : can(actor, actionOf(event), platform).allowed) &&
      (mission === null || can(actor, 'mission.read', mission).allowed) &&
      (event.kind !== 'recorder' ||
        event.label === undefined ||
        isCleared(actor, { securityClassification: event.label }));
    for (const listening of [...audience.everyone()]) {
      const listeners = listenersOf(listening, event);
      if (listeners.length === 0) continue;
      const account = await live.account(listening.actor.id, ceilingOf(listening.actor));
      if (account === null || !isListening() || !maySee(account.actor)) continue;
      for (const listener of listeners) listener.emit(names[event.kind], event.payload);
    }
  }

  return {
    happened,

    subscribe(listener: Listener, channel: string | undefined): void {
      if (listener.channels.size < CHANNELS) listener.channels.add(channel ?? ALL);
    },
    /** Without a channel: from all of them. */
    unsubscribe(listener: Listener, channel: string | undefined): void {
      if (channel === undefined) listener.channels.clear();
      else listener.channels.delete(channel);
    },

    /** Whether anybody asked for what happens to this platform. */
    isWatched(platformId: string): boolean {
      for (const { listeners } of audience.everyone()) {
        for (const { channels } of listeners) if (channels.has(ALL) || channels.has(platformId)) return true;
      }
      return false;
    },

    drain: (): Promise<void> => working,
  };
}

/** The right on the platform that the event needs. */
function actionOf(event: LiveEvent): 'platform.read' | 'platform.watch' | 'platform.control' {
  if (event.kind === 'recorder') return 'platform.control';
  if (event.kind === 'livePosition' || event.kind === 'ais') return 'platform.watch';
  const { topic } = event.payload;
  if (topic === 'config') return 'platform.control';
  return topic === 'state' ? 'platform.read' : 'platform.watch';
}

function listenersOf({ listeners }: Listening, event: LiveEvent): Listener[] {
  const isAlarm = event.kind === 'recorder' && event.payload.topic === 'error';
  const { platform } = event.payload;
  return [...listeners].filter(
    ({ channels }) => isAlarm || channels.has(ALL) || (platform !== null && channels.has(platform)),
  );
}
