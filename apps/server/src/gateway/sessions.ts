import { type FeedSource, sensorFeeds } from '../recorder-wire/sensor-feeds.ts';
import { offerFor, partsProblem } from './offer.ts';
import { pictureFeed, whyNot } from './picture-feed.ts';
import type { FromGateway } from './protocol.ts';
import { type Reach, type WhepSession, whepSession } from './session.ts';

/** Maximum number of sessions; more would overload the processor, which also has to record. */
const SESSIONS = 60;
/** Maximum number of sessions of one sensor, so that a popular flight leaves capacity for others. */
const SESSIONS_PER_SENSOR = 48;
const FULL = 'So many watch by WebRTC now that there is no room for another.';
const FULL_SENSOR = 'So many watch this sensor by WebRTC now that there is no room for another.';
const NOTE_MS = 10_000;

type Requested = { session: string; sensorId: string; offer: string };
export type SendMessage = (message: FromGateway) => void;

export type GatewaySessionsDeps = {
  recorder: FeedSource;
  reach: Reach;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/** Manages the sessions of all sensors. A sensor's video is read only while it has viewers. */
export function gatewaySessions({ recorder, reach, nowMs, log }: GatewaySessionsDeps) {
  const feeds = sensorFeeds(recorder, pictureFeed);
  const sessions = new Map<string, { close: () => void }>();

  function fullness(sensorId: string): string | null {
    if (sessions.size >= SESSIONS) return FULL;
    return feeds.users(sensorId) >= SESSIONS_PER_SENSOR ? FULL_SENSOR : null;
  }

  /**
   * Opens a session. Calls `say` with `opened` or `refused`; after `opened`, with `sent` at intervals and `ended` at
   * the end.
   */
  async function open({ session, sensorId, offer }: Requested, say: SendMessage): Promise<void> {
    const full = fullness(sensorId);
    if (full !== null) return say({ kind: 'refused', session, reason: full });
    const { feed, giveBack } = feeds.take(sensorId);
    let made: WhepSession | null = null;
    let note: NodeJS.Timeout | null = null;
    let isOver = false;
    const end = (last: FromGateway) => {
      if (isOver) return;
      isOver = true;
      if (note) clearInterval(note);
      made?.close();
      sessions.delete(session);
      giveBack();
      if (made) say({ kind: 'sent', session, bytes: made.bytes() });
      say(last);
    };
    const close = () => end({ kind: 'ended', session });
    sessions.set(session, { close });
    try {
      const format = await feed.format();
      if (format === null) return end({ kind: 'refused', session, reason: null });
      const fitting = offerFor(offer, format.profile);
      const reason =
        whyNot(format) ??
        partsProblem(offer) ??
        (fitting === null ? 'This browser offers no H.264 over WebRTC.' : null);
      if (fitting === null || reason !== null) return end({ kind: 'refused', session, reason });
      const fresh = await whepSession({ offer: fitting, feed, reach, onEnd: close, nowMs });
      if (isOver) return fresh.close();
      made = fresh;
      note = setInterval(() => say({ kind: 'sent', session, bytes: fresh.bytes() }), NOTE_MS);
      say({ kind: 'opened', session, answer: fresh.answer });
    } catch (error) {
      log.warn({ error }, 'a WebRTC offer could not be answered');
      end({ kind: 'refused', session, reason: 'The offer of the browser could not be answered.' });
    }
  }

  return {
    push: feeds.push,
    open,
    close: (session: string): void => sessions.get(session)?.close(),
    count: (): number => sessions.size,
  };
}

export type GatewaySessions = ReturnType<typeof gatewaySessions>;
