import createCache from '@emotion/cache';
import { type Actor, type Info, PRODUCT_VERSION } from '@osprey/contract';
import { render } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { beforeAll, vi } from 'vitest';
import type { Api } from '../api/api.ts';
import { Queries } from '../api/queries.ts';
import { type Session, SessionContext } from '../api/session.ts';
import { EventsContext, eventBus, type ServerState } from '../events/events.ts';
import { liveWatch } from '../events/live-watch.ts';
import { useRevocations } from '../events/useRevocations.ts';
import { Surroundings } from '../shell/Surroundings.tsx';
import { loadFloating } from '../ui/Floating.tsx';

export const admin: Actor = {
  id: '00000000-0000-4000-8000-00000000000a',
  username: 'ana',
  role: 'superAdmin',
  clearance: 'SECRET',
  groups: [],
  administered: [],
};

export const info: Info = {
  serverName: 'test',
  serverVer: PRODUCT_VERSION,
  company: null,
  logo: null,
  registration: 'approval',
  guest: false,
  singleSignOn: false,
};

export const sessionOf = (fields: Partial<Session> = {}): Session => ({
  state: 'ready',
  actor: admin,
  limit: null,
  ended: false,
  refused: false,
  authenticated: true,
  groups: [],
  info,
  failure: null,
  login: vi.fn(async () => ({})),
  adopt: vi.fn(async () => undefined),
  continueAsGuest: vi.fn(async () => undefined),
  logout: vi.fn(async () => undefined),
  refresh: vi.fn(async () => undefined),
  ...fields,
});

// Loads the code of menus and messages first, as on a page that has been open for a while.
beforeAll(loadFloating);

/** Provides element sizes, since jsdom has no layout and a list that draws only visible rows needs them. */
export function giveLayout(): void {
  Object.defineProperty(Element.prototype, 'clientHeight', { configurable: true, get: () => 600 });
  Object.defineProperty(Element.prototype, 'clientWidth', { configurable: true, get: () => 1600 });
  Element.prototype.scrollTo ??= () => undefined;
  const nothing = () => undefined;
  const listeners = {
    addListener: nothing,
    removeListener: nothing,
    addEventListener: nothing,
    removeEventListener: nothing,
  };
  window.matchMedia ??= (query: string) => ({ matches: false, media: query, ...listeners }) as never;
}

/**
 * Discards the CSS rules of components; with them, half of a test's time would be spent on checking whether an element
 * is hidden by one.
 */
const unstyled = createCache({ key: 'osprey' });
unstyled.sheet.insert = () => undefined;

type Options = {
  api: Api;
  session?: Partial<Session>;
  state?: ServerState;
  /** Time since which the page is disconnected; null while it is connected, or not yet connected. */
  offlineSince?: number | null;
  at?: string;
  /** Applies the CSS rules of components, for tests that depend on them. */
  styled?: true;
};

/** Renders a part of the page with all providers that it has in the product. */
export function show(content: ReactNode, options: Options) {
  const { api, session, state = 'Online', offlineSince = null, at = '/missions', styled } = options;
  giveLayout();
  const bus = eventBus();
  const said: [string, object][] = [];
  const place = { current: at };
  const queries = new Queries({ defaultOptions: { queries: { retry: false } } });
  /** Commands by which the page subscribed to events of live streams, in order. */
  const liveWishes: string[] = [];
  const { watch: watchLive } = liveWatch(({ command }) => liveWishes.push(command));
  const shownSession = sessionOf(session);
  const styles = styled ? createCache({ key: 'styled' }) : unstyled;

  function Place() {
    const { pathname, search } = useLocation();
    place.current = `${pathname}${search}`;
    return null;
  }
  function Revocations() {
    useRevocations();
    return null;
  }
  function Around({ children }: { children: ReactNode }) {
    const [events] = useState({
      state,
      offlineSince,
      nextTryAt: null,
      tryNow: () => undefined,
      watchLive,
      viewShips: () => undefined,
      say: (name: string, payload: object) => void said.push([name, payload]),
      bus,
    });
    return (
      <Surroundings styles={styles} api={api} queries={queries}>
        <SessionContext value={shownSession}>
          <EventsContext value={events}>
            <MemoryRouter initialEntries={[at]}>
              <Place />
              <Revocations />
              {children}
            </MemoryRouter>
          </EventsContext>
        </SessionContext>
      </Surroundings>
    );
  }
  const view = render(<Around>{content}</Around>);
  const rerender = (next: ReactNode) => view.rerender(<Around>{next}</Around>);
  return { ...view, rerender, bus, said, liveWishes, place, queries, session: shownSession };
}
