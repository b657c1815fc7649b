import { type PointedPlace, togetherPointEvent } from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { useEvents, useServerEvent } from '../../events/events.ts';
import { LIVE, ownPointer, pointers } from './shared.ts';

const MOVING_MS = 150;
/** Time in milliseconds without an update after which a pointer is removed. */
const RETENTION_MS = 4000;

/**
 * Provides the pointers of other users, drawn over video and map, and the user's own pointer while it is switched on.
 */
export function usePointers({ room, subject }: { room: string; subject: string | null }) {
  const { say } = useEvents();
  const [requested, setRequested] = useState(false);
  const on = requested && subject !== null;
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  const forget = (by: string) => pointers.set(pointers.get().filter((one) => one.by !== by));
  useServerEvent(togetherPointEvent, (event) => {
    if (event.room !== room) return;
    const { by, at } = event;
    clearTimeout(timers.current.get(by));
    timers.current.delete(by);
    if (at === null) return forget(by);
    pointers.set([...pointers.get().filter((one) => one.by !== by), { by, at }]);
    timers.current.set(
      by,
      setTimeout(() => forget(by), RETENTION_MS),
    );
  });
  useEffect(() => {
    const all = timers.current;
    if (subject === null) return;
    return () => {
      for (const timer of all.values()) clearTimeout(timer);
      all.clear();
      pointers.set([]);
    };
  }, [subject]);

  useEffect(() => {
    if (!on || subject === null) return;
    const mission = subject === LIVE ? null : subject;
    const sender = throttled((at) => say('TogetherPoint', { room, mission, at }));
    ownPointer.set(sender.point);
    return () => {
      ownPointer.set(null);
      sender.stop();
    };
  }, [on, room, subject, say]);

  return { on, toggle: () => setRequested(!on) };
}

/** Sends the newest pointer position at limited intervals; but the end of pointing is sent immediately. */
function throttled(notify: (at: PointedPlace | null) => void) {
  let reportedMs = Number.NEGATIVE_INFINITY;
  let waiting: PointedPlace | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let shown = false;
  function notifyNow(at: PointedPlace | null): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    reportedMs = performance.now();
    if (at !== null || shown) notify(at);
    shown = at !== null;
  }
  return {
    point(at: PointedPlace | null): void {
      waiting = at;
      const waitMs = reportedMs + MOVING_MS - performance.now();
      if (at === null || waitMs <= 0) notifyNow(at);
      else timer ??= setTimeout(() => notifyNow(waiting), waitMs);
    },
    stop: () => notifyNow(null),
  };
}
