import './base/zod-jitless.ts';
import '@fontsource-variable/inter/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { askSession } from './api/ask-session.ts';
import { storedCredentials } from './api/credentials.ts';
import { takeEarly } from './api/early.ts';
import { httpApi } from './api/http-api.ts';
import { notifyUnauthorized } from './api/unauthorized.ts';
import { fetchAhead } from './pages/ahead.ts';
import { createRouter } from './pages/routes.tsx';
import { ErrorBoundary } from './shell/ErrorBoundary.tsx';
import { createQueryClient, Providers } from './shell/Providers.tsx';

const api = httpApi({ credentials: storedCredentials, onUnauthorized: notifyUnauthorized, early: takeEarly });
const session = askSession(api);
const queries = createQueryClient();
const router = createRouter();

// The import is not awaited: the code of the pages, which needs this module, would wait too.
fetchAhead(new URL(location.href), { api, queries }).then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Providers api={api} queries={queries} session={session}>
        <ErrorBoundary>
          <RouterProvider router={router} />
        </ErrorBoundary>
      </Providers>
    </StrictMode>,
  ),
);
