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

/** The server writes the nonce of this answer into the page; styles made at run time carry it. */
const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
const styles = createStyles(nonce);

const RETRIES = 2;

/** A refusal is an answer: asking again changes nothing. */
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
  /** The session, asked for before anything was drawn. */
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
