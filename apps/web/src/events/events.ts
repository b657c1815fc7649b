import type { AisView, EventDefinition } from '@osprey/contract';
import { createContext, useContext, useEffect, useRef } from 'react';
import type { z } from 'zod';
import type { ServerState } from './connection.ts';

export type { ServerState } from './connection.ts';

type Listener = (payload: unknown) => void;

/** Hands each event's payload to those who listen for its name. */
export function eventBus() {
  const listeners = new Map<string, Set<Listener>>();
  return {
    subscribe(name: string, listener: Listener): () => void {
      const ofName = listeners.get(name) ?? new Set();
      listeners.set(name, ofName.add(listener));
      return () => {
        ofName.delete(listener);
      };
    },
    emit(name: string, payload: unknown) {
      for (const listener of listeners.get(name) ?? []) listener(payload);
    },
  };
}

export type EventBus = ReturnType<typeof eventBus>;

export type Events = {
  state: ServerState;
  /** Milliseconds since 1970 at which it went offline, and of the next try; null while online. */
  offlineSince: number | null;
  nextTryAt: number | null;
  tryNow: () => void;
  /** Asks for the events of live streams; the returned function ends that. */
  watchLive: () => () => void;
  /** Names the part of the map that shows ships: it gets them once a second by the event aisFrame. */
  viewShips: (view: AisView) => void;
  /**
   * Sends a message to the server; lost while there is no connection. A new connection, after which it reports `state`,
   * must get it again.
   */
  say: (name: string, payload: object) => void;
  bus: EventBus;
};

export const EventsContext = createContext<Events | null>(null);

export function useEvents(): Events {
  const events = useContext(EventsContext);
  if (!events) throw new Error('useEvents needs an EventsContext above it');
  return events;
}

export const useServerState = (): ServerState => useEvents().state;

/** Calls the handler with each payload of that event; what does not have the event's shape is dropped. */
export function useServerEvent<Payload extends z.ZodType>(
  event: EventDefinition<Payload>,
  handler: (payload: z.output<Payload>) => void,
): void {
  const { bus } = useEvents();
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(
    () =>
      bus.subscribe(event.name, (payload) => {
        const parsed = event.payload.safeParse(payload);
        if (parsed.success) latest.current(parsed.data);
      }),
    [bus, event],
  );
}
