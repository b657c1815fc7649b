import type { EmotionCache } from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { ThemeProvider } from '@mui/material';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Api, ApiContext } from '../api/api.ts';
import { theme } from '../base/theme.ts';
import { AlertProvider } from '../ui/dialog/AlertDialog.tsx';
import { SnackbarProvider } from '../ui/notice/Snackbar.tsx';

type Props = {
  /** Creates the style element for the rules of components. */
  styles: EmotionCache;
  api: Api;
  queries: QueryClient;
  children: ReactNode;
};

/** Providers around every part of the page, independent of the account; component tests use them too. */
export function Surroundings({ styles, api, queries, children }: Props) {
  return (
    <CacheProvider value={styles}>
      <ThemeProvider theme={theme} defaultMode="dark">
        <QueryClientProvider client={queries}>
          <ApiContext value={api}>
            <SnackbarProvider>
              <AlertProvider>{children}</AlertProvider>
            </SnackbarProvider>
          </ApiContext>
        </QueryClientProvider>
      </ThemeProvider>
    </CacheProvider>
  );
}
