// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeRequest, resetServer, server } from '../testing/fake-tus.ts';
import { Stopped, sendFile } from './send-file.ts';

const { BROWSER_BUILD } = vi.hoisted(() => ({
  BROWSER_BUILD: '../../../../node_modules/tus-js-client/lib.esm/browser/index.js',
}));

// Tests run in Node, whose build of the library speaks by sockets; the page's speaks by XMLHttpRequest.
vi.mock('tus-js-client', () => vi.importActual(BROWSER_BUILD));

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  localStorage.clear();
  resetServer();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The same file chosen again after a reload, as another object. */
const chosen = (name = 'kea.pdf') => new File([new Uint8Array(10)], name, { lastModified: 1234 });
const ignore = () => undefined;
const held = () => vi.waitFor(() => expect(server.held).toHaveLength(1), { interval: 5 });

/** As if the page was closed when four bytes had arrived. */
async function leftAfterFourBytes(): Promise<void> {
  server.hold = true;
  const sending = sendFile(chosen(), ignore);
  await held();
  for (const upload of server.uploads.values()) upload.offset = 4;
  sending.leave();
  await expect(sending.done).rejects.toBeInstanceOf(Stopped);
  Object.assign(server, { hold: false, held: [], requests: [], headers: [] });
}

it('goes on where an earlier visit left the same file', async () => {
  await leftAfterFourBytes();

  const upload = await sendFile(chosen(), ignore).done;

  expect(upload).toBe('1');
  expect(server.requests).toEqual(['HEAD', 'PATCH']);
  expect(server.headers[1]?.['upload-offset']).toBe('4');
});

it('restarts for another file, and if the server has thrown the rest away', async () => {
  await leftAfterFourBytes();

  await sendFile(chosen('other.pdf'), ignore).done;
  expect(server.requests).toEqual(['POST', 'PATCH']);

  Object.assign(server, { requests: [] });
  server.uploads.clear();
  await sendFile(chosen(), ignore).done;
  expect(server.requests).toEqual(['HEAD', 'POST', 'PATCH']);
});

it('does not send a file again that arrived whole, until a document was made of it', async () => {
  await sendFile(chosen(), ignore).done;
  Object.assign(server, { requests: [] });

  const again = sendFile(chosen(), ignore);
  expect(await again.done).toBe('1');
  expect(server.requests).toEqual(['HEAD']);

  await again.forget();
  expect(await sendFile(chosen(), ignore).done).toBe('2');
});

it('outlasts an outage of an hour', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server.faults = Array<'down'>(120).fill('down');
  const sending = sendFile(chosen(), ignore);

  await vi.advanceTimersByTimeAsync(3_700_000);

  expect(await sending.done).toBe('1');
});

it('throws away what was sent when the user gives it up, and ends with the server’s own words', async () => {
  server.hold = true;
  const sending = sendFile(chosen(), ignore);
  await held();
  sending.stop();
  await expect(sending.done).rejects.toBeInstanceOf(Stopped);
  await vi.waitFor(() => expect(server.uploads.size).toBe(0), { interval: 5 });

  server.faults = [{ status: 507, body: JSON.stringify({ text: 'The disk is full.' }) }];
  await expect(sendFile(chosen('b.pdf'), ignore).done).rejects.toThrow('The disk is full.');
});

it('fetches its code before a file is sent, and says that the server is away where that did not come', async () => {
  const fetched = vi.fn((): object => {
    throw new Error('Failed to fetch dynamically imported module');
  });
  vi.resetModules();
  vi.doMock('tus-js-client', fetched);
  const fresh = await import('./send-file.ts');

  fresh.fetchProtocol();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled());

  await expect(fresh.sendFile(chosen(), ignore).done).rejects.toThrow('No response received from the server.');
});
