import {
  createTicket,
  errorEvent,
  getHealth,
  infoEvent,
  messageEvent,
  recorderEvent,
  revokedEvent,
  usergroupsEvent,
  usersEvent,
} from '@osprey/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useApi } from '../api/api.ts';
import { useSession, viewKeyOf } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { whenQuiet } from '../base/quiet.ts';
import { texts } from '../base/texts.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { clientHints } from './client-hints.ts';
import { openConnection, type ServerState, type SocketLike } from './connection.ts';
import { EventsContext, eventBus, useServerEvent } from './events.ts';
import { everythingChanged, itemsChanged, listsMayHaveChanged } from './invalidate.ts';
import { type PageItem, pageItems } from './items.ts';
import { liveWatch } from './live-watch.ts';
import { pageName } from './page-name.ts';
import { shipWatch } from './ship-watch.ts';
import { useRevocations } from './useRevocations.ts';

const HEALTH_POLL_MS = 10_000;
const CHECK_EVERY_MS = 25;
/** Maximum wait in milliseconds for pending calls, so that a call that hangs does not delay the events. */
const LONGEST_WAIT_MS = 3000;

type Hints = Record<string, string>;
type Props = {
  children: ReactNode;
  /** Replaced in tests. */
  createSocket?: (hints: Hints) => Promise<SocketLike> | SocketLike;
  items?: readonly PageItem[];
};

async function webSocket(hints: Hints): Promise<SocketLike> {
  const { io } = await import('socket.io-client');
  return io({
    path: '/socket.io',
    transports: ['websocket'],
    autoConnect: false,
    // Reconnection is done by `openConnection`, since each attempt needs a new ticket.
    reconnection: false,
    query: hints,
  }) as SocketLike;
}

/** Resolves when no call is pending, since the content of the page has priority over the socket and its code. */
async function answered(queries: QueryClient): Promise<void> {
  await whenQuiet();
  const latest = performance.now() + LONGEST_WAIT_MS;
  while (queries.isFetching() > 0 && performance.now() < latest) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  }
}

type Known = { state: ServerState; offlineSince: number | null; nextTryAt: number | null };
const atFirst: Known = { state: 'Connecting', offlineSince: null, nextTryAt: null };

/** Provides the socket of a session, its events, and the state of the server to all components below it. */
export function EventsProvider({ children, createSocket = webSocket, items = pageItems }: Props) {
  const api = useApi();
  const { actor, limit, ended, info, state, refresh } = useSession();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [known, setKnown] = useState<Known>(atFirst);
  const [bus] = useState(eventBus);
  const connection = useRef<ReturnType<typeof openConnection> | null>(null);
  const [live] = useState(() => liveWatch((wish) => connection.current?.emit('LiveStreamEvents', wish)));
  const [ships] = useState(() => shipWatch((view) => connection.current?.emit('AisView', view)));
  const hints = useRef<Hints>({});
  if (actor) hints.current = clientHints(actor, info);

  const viewKey = ended ? undefined : viewKeyOf({ actor, limit });
  useEffect(() => {
    if (viewKey === undefined) return;
    // Subscriptions must be sent to the server again. The session is refreshed, since no event has reported changes of
    // the server's settings in the meantime.
    const connected = () => {
      live.connected();
      ships.connected();
      void refresh();
    };
    const opened = openConnection({
      ticket: async () => (await api.call(createTicket, {})).ticket,
      createSocket: async () => {
        await answered(queries);
        return createSocket({ ...hints.current, status: pageName(location) });
      },
      onEvent: bus.emit,
      onConnected: () => {
        connected();
        listsMayHaveChanged(queries, items);
      },
      onReconnected: () => {
        connected();
        everythingChanged(queries);
      },
      onLost: () => show(texts.offline.snackbar, 'error'),
      onState: (state, nextTryAt) => {
        setKnown((before) => ({
          state,
          nextTryAt,
          offlineSince: state === 'Online' ? null : (before.offlineSince ?? Date.now()),
        }));
      },
    });
    connection.current = opened;
    return () => {
      connection.current = null;
      opened.close();
      setKnown(atFirst);
    };
  }, [viewKey, api, bus, createSocket, items, live, ships, queries, refresh, show]);

  useEffect(() => {
    // Before login there is no socket, so the state is determined with the health call. While the session is loading,
    // the account is not known yet.
    if (viewKey !== undefined || state === 'loading') return;
    let current = true;
    const ask = () =>
      api.call(getHealth, {}).then(
        ({ status }) => current && setKnown({ ...atFirst, state: status === 'up' ? 'Online' : 'Offline' }),
        () => current && setKnown({ ...atFirst, state: 'Offline' }),
      );
    void ask();
    const timer = setInterval(() => void ask(), HEALTH_POLL_MS);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [viewKey, state, api]);

  const [say] = useState(() => (name: string, payload: object) => connection.current?.emit(name, payload));
  const events = useMemo(
    () => ({
      ...{ ...known, bus, say, tryNow: () => connection.current?.tryNow() },
      ...{ watchLive: live.watch, viewShips: ships.view },
    }),
    [known, bus, say, live, ships],
  );
  return (
    <EventsContext value={events}>
      <Answers items={items} />
      {items.map((item) => (
        <Changes key={item.noun} item={item} items={items} />
      ))}
      {children}
    </EventsContext>
  );
}

/** Reads data again when items of one kind have changed. Renders nothing. */
function Changes({ item, items }: { item: PageItem; items: readonly PageItem[] }) {
  const queries = useQueryClient();
  useServerEvent(item.event, ({ ids }) => itemsChanged(queries, item, ids, items));
  return null;
}

/** Reacts to events that concern the whole page, on any route. Renders nothing. */
function Answers({ items }: { items: readonly PageItem[] }) {
  const queries = useQueryClient();
  const { refresh } = useSession();
  const { show } = useSnackbar();

  useRevocations(items);
  useServerEvent(revokedEvent, ({ noun }) => {
    if (noun === 'session') void refresh();
  });
  useServerEvent(usergroupsEvent, () => {
    void queries.invalidateQueries({ queryKey: ['usergroups'] });
    void refresh();
  });
  useServerEvent(usersEvent, () => void queries.invalidateQueries({ queryKey: ['users'] }));
  useServerEvent(infoEvent, () => void refresh());
  useServerEvent(errorEvent, ({ text }) => show(fill(texts.serverError, { text: text.replace(/\.$/, '') }), 'error'));
  useServerEvent(messageEvent, ({ text }) =>
    show(fill(texts.serverMessage, { text: text.replace(/\.$/, '') }), 'warning'),
  );
  useServerEvent(recorderEvent, ({ topic, info }) => {
    if (topic === 'error') show(fill(texts.recorderError, { info }), 'error');
  });
  return null;
}
