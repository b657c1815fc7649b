// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { info, show } from '../testing/show.tsx';
import { AboutPage } from './AboutPage.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('says since when the server runs, and forgets it while the server is offline', () => {
  const open = (state: 'Online' | 'Offline') =>
    show(<AboutPage />, {
      api: fakeApi({}).api,
      state,
      session: { info: { ...info, serverStartTime: 1_700_000_000_000_000 } },
    });

  open('Online');
  expect(screen.getByText('Nov 14 2023, 22:13 Z')).toBeDefined();
  cleanup();
  open('Offline');

  expect(screen.queryByText('Nov 14 2023, 22:13 Z')).toBeNull();
});

it('shows the fingerprint of the key that signs exports, the earlier ones too, and gives the public key', async () => {
  const [now, before] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const keys = [
    { fingerprint: now, pem: 'PEM of now', current: true },
    { fingerprint: before, pem: 'PEM of before', current: false },
  ];
  const saved: string[] = [];
  vi.stubGlobal('URL', { ...URL, createObjectURL: () => 'blob:key', revokeObjectURL: () => undefined });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  show(<AboutPage />, { api: fakeApi({ 'GET /cases/keys': () => keys }).api });

  await screen.findByText(Array.from({ length: 16 }, () => 'abab').join(' '));
  expect(screen.getByText('An earlier key; what it signed stays valid.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Download the public key abababab' }));
  expect(saved).toEqual(['osprey-signing-key-abababab.pem']);
});

it('leaves a fact open until the first answer, and then says that it is not available', () => {
  const open = (state: 'Connecting' | 'Online') =>
    show(<AboutPage />, { api: fakeApi({}).api, state, session: { info: null } });

  open('Connecting');
  expect(screen.queryByText('Not available')).toBeNull();
  cleanup();
  open('Online');

  expect(screen.getAllByText('Not available')).toHaveLength(3);
});
