// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { documentOf } from '../testing/documents.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { Viewer } from './Viewer.tsx';

afterEach(cleanup);

function open(fields: Parameters<typeof documentOf>[0]) {
  const { api } = fakeApi({
    'GET /usergroups': () => [],
    'GET /documents/:id': () => ({ ...documentOf(fields), downloadSha256: null }),
  });
  const document = documentOf(fields);
  const onDownload = vi.fn();
  show(<Viewer document={document} alone={false} onClose={vi.fn()} onDownload={onDownload} />, { api });
  return { document, onDownload };
}

it('says of a drawing that is shown as text what of it the map shows otherwise', async () => {
  const message = 'For the map and the search its 20,506 positions are simplified to 345, at most 1.3 m off.';
  open({ content: 'geojson', message });

  expect((await screen.findByRole('note')).textContent).toBe(message);
});

it('says in the place of a picture why it cannot be shown, and no second time', async () => {
  const message = 'No preview: pictures in HEIC are kept as they are.';
  open({ content: 'heic', message });

  expect(await screen.findByText(message)).toBeDefined();
  expect(screen.queryByRole('note')).toBeNull();
});

it('downloads a snapshot with its label below the picture, and offers that for nothing else', async () => {
  const { document, onDownload } = open({ content: 'jpeg', snapshot: 'server' });

  fireEvent.click(await screen.findByRole('button', { name: 'Download with the label below the picture' }));
  expect(onDownload).toHaveBeenCalledExactlyOnceWith(document, { strip: true });

  cleanup();
  open({ content: 'jpeg' });
  await screen.findByRole('button', { name: 'Download document' });
  expect(screen.queryByRole('button', { name: 'Download with the label below the picture' })).toBeNull();
});

it('says the SHA-256 of a snapshot as it is stored and as it is downloaded', async () => {
  const document = documentOf({ content: 'jpeg', snapshot: 'server', sha256: 'aa'.repeat(32) });
  const { api } = fakeApi({
    'GET /usergroups': () => [],
    'GET /documents/:id': () => ({ ...document, downloadSha256: 'bb'.repeat(32) }),
  });
  show(<Viewer document={document} alone={false} onClose={vi.fn()} onDownload={vi.fn()} />, { api });

  expect((await screen.findByText('bb'.repeat(32))).previousElementSibling?.textContent).toBe(
    'SHA-256 of the download',
  );
  expect(screen.getByText('aa'.repeat(32)).previousElementSibling?.textContent).toBe('SHA-256');
});

it('shares the address of the document, and nothing else of it', async () => {
  const { document } = open({ title: 'Secret title' });

  fireEvent.click(await screen.findByRole('button', { name: 'Share document' }));

  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Link to this view' });
  expect(field.value).toBe(`${location.origin}/documents?document=${document._id}`);
  const mail = screen.getByRole<HTMLAnchorElement>('link', { name: 'Send by e-mail' });
  expect(mail.href).toBe(`mailto:?body=${encodeURIComponent(field.value)}`);
});
