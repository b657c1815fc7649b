import { CssBaseline } from '@mui/material';
import { AppError } from '@osprey/contract';
import type { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Api } from '../api/api.ts';
import type { Asked } from '../api/ask-session.ts';
import { Queries } from '../api/queries.ts';
import { SessionProvider } from '../api/SessionProvider.tsx';
import { createStyles } from '../base/styles.ts';
import { EventsProvider } from '../events/EventsProvider.tsx';
import { Surroundings } from './Surroundings.tsx';

/** Nonce that the server wrote into this page; styles created at run time must carry it. */
const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
const styles = createStyles(nonce);

const RETRIES = 2;

/** Creates the client for queries. Refused requests are not repeated, since the answer would be the same. */
export const createQueryClient = () =>
  new Queries({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => !(error instanceof AppError && error.status < 500) && failures < RETRIES,
      },
    },
  });

type Props = {
  api: Api;
  queries: QueryClient;
  /** The session, requested before anything was rendered. */
  session: Promise<Asked>;
  children: ReactNode;
};

export function Providers({ api, queries, session, children }: Props) {
  return (
    <Surroundings styles={styles} api={api} queries={queries}>
      <CssBaseline />
      <SessionProvider first={session}>
        <EventsProvider>{children}</EventsProvider>
      </SessionProvider>
    </Surroundings>
  );
}
