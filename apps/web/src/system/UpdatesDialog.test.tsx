// Shows the dialog system/UpdatesDialog.tsx PlainDialog
// Shows the dialog system/UpdatesDialog.tsx ConfirmDialog
// @vitest-environment jsdom
import type { UpdatePackage, Updates } from '@osprey/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { type Answer, fakeApi, refusing } from '../testing/fake-api.ts';
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
const none: Updates = { installed: '1.2.0', isSet: true, problem: null, packages: [], running: null, last: null };

/** The card of a server that says this of updates. */
function card(updates: Partial<Updates>, answer: Answer = () => ({ message: 'Server will be updated.' })) {
  const fake = fakeApi({
    'POST /update': answer,
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

/** The question after the button of a package. */
async function asked(answer?: Answer) {
  const fake = card({ packages: [good] }, answer);
  fireEvent.click(await screen.findByRole('button', { name: 'Version 1.3.0 available' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Update to version 1.3.0' }));
  return { fake, question: await screen.findByRole('alertdialog', { name: 'Update' }) };
}

it('asks before it updates, in the words of the specification', async () => {
  const { fake, question } = await asked();

  within(question).getByText('Server will be updated from version 1.2.0 to 1.3.0.');
  expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Cancel' }));
  expect(fake.inputsOf('POST /update')).toEqual([]);
  fireEvent.click(within(question).getByRole('button', { name: 'Update' }));

  await screen.findByText('Server will be updated.');
  expect(fake.inputsOf('POST /update')).toEqual([{ query: { version: '1.3.0' } }]); // S1-435
});

it('says in the words of the specification that an update was refused', async () => {
  const { question } = await asked(refusing('unavailable'));

  fireEvent.click(within(question).getByRole('button', { name: 'Update' }));

  await screen.findByText(/^Error updating version - The server cannot do this right now/);
});

const last = { from: '1.2.0', version: '1.3.0', reason: null, time: 1_790_000_000_000_000, restored: null };

it.each<[Partial<Updates>, string, RegExp]>([
  [
    { running: { from: '1.2.0', version: '1.3.0', step: 'unpacking', progress: 40 } },
    'Updating to 1.3.0',
    /Unpacking version 1\.3\.0: 40 %/,
  ],
  [
    {
      packages: [good],
      last: {
        ...last,
        result: 'rolledBack',
        reason: 'It was not healthy within 300 s.',
        restored: '20261129-070000-migration',
      },
    },
    'Version 1.3.0 failed, 1.2.0 is back',
    /version 1\.2\.0 is back\. It was not healthy within 300 s\. The database was put back from backup 20261129/,
  ],
  [
    { packages: [good], last: { ...last, result: 'failed', reason: 'The disk is full.' } },
    'Update to 1.3.0 failed',
    /failed on .+, and nothing changed\. The disk is full\./,
  ],
  [{ last: { ...last, result: 'done' } }, 'No newer version', /^Updated from version 1\.2\.0 to 1\.3\.0 on/],
])('says how an update goes, and how it went (%#)', async (updates, summary, text) => {
  card(updates);

  fireEvent.click(await screen.findByRole('button', { name: summary }));

  const dialog = await screen.findByRole('dialog', { name: 'Updates' });
  expect((await within(dialog).findAllByText(text)).length).toBeGreaterThan(0);
});

it('says that the page is of the version before, with a way to load the new one', async () => {
  card({});

  fireEvent.click(await screen.findByRole('button', { name: 'No newer version' }));

  await screen.findByText(/^This page is still of version/);
  screen.getByRole('button', { name: 'Reload' });
});
