import type { ReactNode } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { AppLayout, EntryLayout } from './AppLayout.tsx';
import { PageComing } from './PageComing.tsx';
import { PageNotLoaded } from './PageNotLoaded.tsx';

/**
 * Wraps pages so that an error while loading their code is shown inside the frame. `coming`: content of the frame until
 * the code is loaded.
 */
const withErrorPage = (pages: RouteObject[], coming?: ReactNode): RouteObject[] => [
  { errorElement: <PageNotLoaded />, ...(coming !== undefined && { hydrateFallbackElement: coming }), children: pages },
];

/** Routes of the client. Each page is a separate chunk; only the frame is loaded immediately. */
export const routes: RouteObject[] = [
  {
    element: <EntryLayout />,
    // The content of index.html remains until the chunk is loaded, since a frame that appears for a few milliseconds
    // would flicker.
    hydrateFallbackElement: <></>,
    children: withErrorPage([
      { path: '/login', lazy: async () => ({ Component: (await import('./LoginPage.tsx')).LoginPage }) },
      {
        path: '/register',
        lazy: async () => ({ Component: (await import('./RegisterPage.tsx')).RegisterPage }),
      },
      { path: '/reset', lazy: async () => ({ Component: (await import('./ResetPage.tsx')).ResetPage }) },
      { path: '/setup', lazy: async () => ({ Component: (await import('./SetupPage.tsx')).SetupPage }) },
    ]),
  },
  {
    element: <AppLayout />,
    children: withErrorPage(
      [
        { path: '/', element: <Navigate to="/missions" replace /> },
        {
          path: '/missions',
          lazy: async () => ({ Component: (await import('./MissionsPage.tsx')).MissionsPage }),
        },
        { path: '/live', lazy: async () => ({ Component: await (await import('./LivePage.tsx')).loadLivePage() }) },
        { path: '/map', lazy: async () => ({ Component: (await import('./PastPage.tsx')).PastPage }) },
        {
          path: '/documents',
          lazy: async () => ({ Component: (await import('./DocumentsPage.tsx')).DocumentsPage }),
        },
        { path: '/cases', lazy: async () => ({ Component: (await import('./CasesPage.tsx')).CasesPage }) },
        { path: '/cases/:id', lazy: async () => ({ Component: (await import('./CasePage.tsx')).CasePage }) },
        { path: '/find', lazy: async () => ({ Component: (await import('./FindPage.tsx')).FindPage }) },
        {
          path: '/usergroups',
          lazy: async () => ({ Component: (await import('./UsergroupsPage.tsx')).UsergroupsPage }),
        },
        {
          path: '/useractivity',
          lazy: async () => ({ Component: await (await import('./ActivityPage.tsx')).loadActivityPage() }),
        },
        { path: '/users', lazy: async () => ({ Component: (await import('./UsersPage.tsx')).UsersPage }) },
        {
          path: '/platforms',
          lazy: async () => ({ Component: (await import('./PlatformsPage.tsx')).PlatformsPage }),
        },
        {
          path: '/platforminfo',
          lazy: async () => ({ Component: (await import('./PlatformInfoPage.tsx')).PlatformInfoPage }),
        },
        { path: '/storage', lazy: async () => ({ Component: (await import('./StoragePage.tsx')).StoragePage }) },
        { path: '/backups', lazy: async () => ({ Component: (await import('./BackupsPage.tsx')).BackupsPage }) },
        {
          path: '/help/*',
          lazy: async () => ({ Component: (await import('./HelpPage.tsx')).HelpPage }),
        },
        { path: '/admin', lazy: async () => ({ Component: (await import('./AdminPage.tsx')).AdminPage }) },
        {
          path: '/admin/health',
          lazy: async () => ({ Component: (await import('./HealthPage.tsx')).HealthPage }),
        },
        {
          path: '/stsupervisor',
          lazy: async () => ({ Component: (await import('./SupervisorPage.tsx')).SupervisorPage }),
        },
        { path: '/about', lazy: async () => ({ Component: (await import('./AboutPage.tsx')).AboutPage }) },
        { path: '*', lazy: async () => ({ Component: (await import('./NotFoundPage.tsx')).NotFoundPage }) },
      ],
      <PageComing />,
    ),
  },
];

export const createRouter = () => createBrowserRouter(routes);
