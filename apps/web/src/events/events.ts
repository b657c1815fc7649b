import type { AisView, EventDefinition } from '@osprey/contract';
import { createContext, useContext, useEffect, useRef } from 'react';
import type { z } from 'zod';
import type { ServerState } from './connection.ts';

export type { ServerState } from './connection.ts';

type Listener = (payload: unknown) => void;

/** Creates an event bus, which passes the payload of each event to the listeners for its name. */
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
  /**
   * Time when the connection was lost, and time of the next attempt, both in milliseconds since 1970; null while
   * online.
   */
  offlineSince: number | null;
  nextTryAt: number | null;
  tryNow: () => void;
  /** Subscribes to the events of live streams. Returns a function that ends the subscription. */
  watchLive: () => () => void;
  /** Sets the part of the map that shows ships; its ships are then received once a second with the event aisFrame. */
  viewShips: (view: AisView) => void;
  /**
   * Sends a message to the server. Without a connection the message is dropped. After a new connection, which is
   * reported by the event `state`, messages must be sent again if they are still needed.
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

/**
 * Calls the handler with the payload of each such event. A payload that does not have the format of the event is
 * dropped.
 */
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
