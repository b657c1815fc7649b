// @vitest-environment jsdom
import type { CaseExport } from '@osprey/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { caseExportOf, caseOf } from '../../testing/cases.ts';
import { type Answers, fakeApi, refusing } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { CaseView } from '../case/CaseView.tsx';

// Shows the dialog cases/exports/ExportDialog.tsx FormDialog
// Shows the dialog cases/exports/ExportsPart.tsx ConfirmDialog

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const SUM = 'ab'.repeat(32);

function view(versions: CaseExport[], { row = caseOf(), more = {} as Answers } = {}) {
  const stored = { versions };
  const fake = fakeApi({
    'GET /cases/:id/parts': () => [],
    'GET /cases/:id/comments': () => [],
    'GET /cases/:id/exports': () => stored.versions,
    'GET /usergroups': () => [],
    ...more,
  });
  show(<CaseView row={row} onLeave={() => undefined} />, { api: fake.api });
  return { ...fake, stored };
}

const openTab = () => userEvent.click(screen.getByRole('tab', { name: /^Exports/ }));
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Exported versions' })).getAllByRole('listitem');

it('says what an export will hold and who signs it, without a mouse, and follows it', async () => {
  const plan = {
    ...{
      parts: 3,
      comments: 2,
      clips: 1,
      leftOut: true,
      sizeBytes: 12_400_000,
      needsRelease: false,
      keyFingerprint: SUM,
      refusals: [],
    },
  };
  const making = caseExportOf({ state: 'Making', progress: 42.7, version: 2, sha256: null, sizeBytes: null });
  const { inputsOf, stored } = view([], {
    more: {
      'GET /cases/:id/exports/plan': () => plan,
      'POST /cases/:id/exports': () => {
        stored.versions = [making];
        return making;
      },
    },
  });
  screen.getByRole('button', { name: 'Export the case' }).focus();
  await userEvent.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Export case 7' });
  await within(dialog).findByText(/3 parts, 2 comments and about 12\.4 MB/);
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Include MP4 copies' }));
  expect(within(dialog).getByText(/"This export holds what ana could read"/)).toBeDefined();
  expect(within(dialog).getByText(Array.from({ length: 16 }, () => 'abab').join(' '))).toBeDefined();
  within(dialog).getByRole('button', { name: 'Export' }).focus();
  await userEvent.keyboard('{Enter}');

  await screen.findByText('Version 2 of case 7 is being made.');
  expect(inputsOf('POST /cases/:id/exports')).toMatchObject([{ query: { mp4: '1' } }]);
  expect(inputsOf('GET /cases/:id/exports/plan').at(-1)).toMatchObject({ query: { mp4: '1' } });
  const bar = await screen.findByRole('progressbar', { name: 'Version 2 is being made' });
  expect(bar.getAttribute('aria-valuenow')).toBe('42');
  expect(screen.getByText('Being made, 42 %')).toBeDefined();
});

it('lists versions with who, when, sum and downloads, what differs, and what was left out', async () => {
  const ready = caseExportOf({ version: 3, sha256: SUM, downloads: 2, differs: true, leftOut: true, by: 'mia' });
  const failed = caseExportOf({ version: 2, state: 'Failed', message: 'The disk is full.', sha256: null });
  const removed = caseExportOf({ version: 1, state: 'Removed', message: 'Removed by ana.', removable: false });
  const row = caseOf();
  view([ready, failed, removed], { row });
  await openTab();
  const [third, second, first] = await rows();
  for (const text of ['This export holds what mia could read', 'Differs from the present case', SUM])
    expect(within(third!).getByText(text)).toBeDefined();
  expect(third!.textContent).toContain('mia, Jan 01 1970, 00:00 · 3 parts · downloaded 2 times · removed on');
  expect(within(third!).getByRole('link', { name: 'Download version 3' }).getAttribute('href')).toBe(
    `/api/cases/${row._id}/exports/${ready._id}/file`,
  );
  expect(within(second!).getByText('The disk is full.')).toBeDefined();
  expect(within(first!).queryByRole('link')).toBeNull();
  expect(within(first!).queryByRole('button', { name: 'Remove version 1' })).toBeNull();
});

it('asks before it releases, cancels and removes', async () => {
  const waiting = caseExportOf({ version: 2, state: 'WaitsForRelease', releasable: true, by: 'mia', sha256: null });
  const ready = caseExportOf({ version: 1 });
  const { inputsOf } = view([waiting, ready], {
    more: {
      'POST /cases/:id/exports/:exportId/release': () => ({ ...waiting, state: 'Making' }),
      'DELETE /cases/:id/exports/:exportId': () => ({ message: 'Version 1 removed' }),
    },
  });
  await openTab();
  await userEvent.click(await screen.findByRole('button', { name: 'Release version 2' }));
  const release = await screen.findByRole('alertdialog', { name: 'Release version 2?' });
  expect(release.textContent).toContain('mia froze it with 3 parts.');
  await userEvent.click(within(release).getByRole('button', { name: 'Release' }));
  await waitFor(() => expect(inputsOf('POST /cases/:id/exports/:exportId/release')).toHaveLength(1));

  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Cancel version 2' }));
  const cancel = await screen.findByRole('alertdialog', { name: 'Cancel version 2?' });
  await userEvent.click(within(cancel).getByRole('button', { name: 'Keep it' }));
  expect(inputsOf('DELETE /cases/:id/exports/:exportId')).toHaveLength(0);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Remove version 1' }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
  await screen.findByText('Version 1 removed');
});

it('says why nothing can be exported, and offers it only to those who may', async () => {
  const plan = {
    ...{ parts: 0, comments: 0, clips: 0, leftOut: false, sizeBytes: 0, needsRelease: true, keyFingerprint: SUM },
    refusals: ['There is nothing in the case that you may read.'],
  };
  view([], { more: { 'GET /cases/:id/exports/plan': () => plan } });
  await userEvent.click(screen.getByRole('button', { name: 'Export the case' }));
  const dialog = await screen.findByRole('dialog', { name: 'Export case 7' });
  await within(dialog).findByText('There is nothing in the case that you may read.');
  expect(within(dialog).getByText(/available for 7 days, with 0 parts\.$/)).toBeDefined();
  expect(within(dialog).getByText(/another person who may export has to release it/)).toBeDefined();
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Export' }).disabled).toBe(true);
  cleanup();

  view([], { row: caseOf({ exportable: false }), more: { 'GET /cases/:id/exports': refusing('unavailable') } });
  expect(screen.queryByRole('button', { name: 'Export the case' })).toBeNull();
  await openTab();
  await screen.findByText('The exports could not be read');
});
