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

/** Maximum number of waiting events. More wait only if the database does not respond. */
const QUEUE = 2000;
/** Maximum number of platforms that one page may name. */
const CHANNELS = 200;
/** Channel that stands for all platforms. */
const ALL = '*';

/** Event of a live platform. `mission` is the mission that the platform or sensor is being recorded into. */
export type LiveEvent =
  | { kind: 'streamMonitor'; payload: StreamMonitor; mission: string | null }
  /** Accounts with a clearance below `label` do not receive the event. */
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
 * Sends events of live platforms to pages that requested them. Rights are checked at the moment of sending, using
 * caches that notices keep up to date; if they cannot be determined, the event is not sent. Only errors of the recorder
 * are sent without a request.
 */
export function liveRooms({ audience, live, isListening, log }: LiveRoomsDeps) {
  let waiting = 0;
  let working: Promise<void> = Promise.resolve();

  /** Queues an event. Events are processed in order, so that an older state never arrives after a newer one. */
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
    // The platform or mission was removed, or does not exist yet.
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
    /** Cancels one channel, or all of them if none is given. */
    unsubscribe(listener: Listener, channel: string | undefined): void {
      if (channel === undefined) listener.channels.clear();
      else listener.channels.delete(channel);
    },

    /** Whether any page has requested the events of this platform. */
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
