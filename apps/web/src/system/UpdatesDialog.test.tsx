// Shows the dialog system/UpdatesDialog.tsx PlainDialog
// @vitest-environment jsdom
import type { UpdatePackage, Updates } from '@osprey/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { ServerCard } from './ServerCard.tsx';

afterEach(cleanup);

const good: UpdatePackage = {
  version: '1.3.0',
  created: 1_790_000_000_000_000,
  sizeBytes: 200_000_000,
  state: 'valid',
  reason: null,
};
const bad: UpdatePackage = {
  version: '1.2.9',
  created: null,
  sizeBytes: null,
  state: 'refused',
  reason: 'It is not signed: osprey-1.2.9.manifest.sig is missing, or is no signature.',
};
const none: Updates = { installed: '1.2.0', isSet: true, problem: null, packages: [] };

/** The card of a server that says this of updates. */
function card(updates: Partial<Updates>) {
  const fake = fakeApi({
    'GET /systeminfo': () => ({ systemUptime: 10 }),
    'GET /updates': () => ({ ...none, ...updates }),
  });
  show(<ServerCard figures={null} backups={undefined} />, { api: fake.api });
  return fake;
}

it('says that no source of updates is set', async () => {
  card({ isSet: false });

  await screen.findByText('No update source set');
  expect(screen.queryByRole('button', { name: /version/i })).toBeNull();
});

it('lists each newer version with its date and whether its signature is valid, or why it is refused', async () => {
  card({ packages: [good, bad] });

  fireEvent.click(await screen.findByRole('button', { name: 'Version 1.3.0 available' }));

  const dialog = await screen.findByRole('dialog', { name: 'Updates' });
  const [first, second] = within(await within(dialog).findByRole('list', { name: 'Update packages' })).getAllByRole(
    'listitem',
  );
  expect(first?.textContent).toMatch(/^Version 1\.3\.0Made .+ Z, 200(?:\.0)? MBSignature valid/);
  expect(second?.textContent).toContain('It is not signed: osprey-1.2.9.manifest.sig is missing');
  expect(second?.textContent).toContain('Refused');
});

it.each<[Partial<Updates>, string, string]>([
  [{}, 'No newer version', 'Put a package into the folder'],
  [{ packages: [bad] }, '1 package refused', 'It is not signed'],
  [{ problem: 'The folder of updates cannot be read: gone.' }, 'Packages cannot be checked', 'cannot be read: gone'],
])('says what to do where there is no valid package (%#)', async (updates, summary, text) => {
  card(updates);

  fireEvent.click(await screen.findByRole('button', { name: summary }));

  const dialog = await screen.findByRole('dialog', { name: 'Updates' });
  await within(dialog).findByText(new RegExp(text));
});
