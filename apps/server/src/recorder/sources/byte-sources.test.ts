import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createWeb, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scheduleOf } from '../../../../../tools/test-support/endless-stream.ts';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { openedSource } from '../../../test/live-source.ts';
import { folderStorage } from '../../base/storage/folder.ts';

const LOOPBACK = { allowed: ['127.0.0.0/8'] };

/** Packets that say which they are. */
function packets(from: number, to: number): Buffer {
  return Buffer.concat(
    Array.from({ length: to - from }, (_, index) => {
      const packet = Buffer.alloc(188, 0xff);
      packet.set([0x47, 1, 0, 0x10 | ((from + index) & 15)]);
      packet.writeUInt32BE(from + index, 4);
      return packet;
    }),
  );
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

async function tcpServer(serve: (socket: Socket) => void): Promise<number> {
  return listening(
    createServer((socket) => {
      atEnd(() => socket.destroy());
      socket.on('error', () => undefined);
      serve(socket);
    }),
  );
}

async function webServer(serve: RequestListener): Promise<number> {
  const server = createWeb(serve);
  atEnd(() => server.closeAllConnections());
  return listening(server);
}

it('a TCP source finds packets in pieces of any size and leaves out the bytes between them', async () => {
  const bytes = Buffer.concat([Buffer.from('noise'), packets(0, 50), Buffer.alloc(77, 0x47), packets(50, 100)]);
  const port = await tcpServer((socket) => {
    const write = (at: number): void => {
      if (at >= bytes.length) return;
      socket.write(bytes.subarray(at, at + 1013), () => setImmediate(write, at + 1013));
    };
    write(0);
  });

  const source = await openedSource(`tcp://127.0.0.1:${port}`, LOOPBACK);

  await source.until(100 * 188 - 3 * 188);
  const marks = source.packets().map((packet) => packet.readUInt32BE(4));
  expect(marks.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect(marks.at(-1)).toBe(99);
});

it('a TCP source says when the connection ends, and that all is well when it is there again', async () => {
  const sockets: Socket[] = [];
  const port = await tcpServer((socket) => {
    sockets.push(socket);
    socket.write(packets(0, 10));
  });
  const source = await openedSource(`tcp://127.0.0.1:${port}`, LOOPBACK);
  await source.until(10 * 188);

  sockets[0]!.destroy();
  await source.ended;

  expect(source.problems).toEqual([null, `The connection to 127.0.0.1, port ${port} ended`]);
});

it.each(['tcp://127.0.0.1:9', 'http://127.0.0.1:9/live.ts', 'srt://127.0.0.1:9', 'rtsp://127.0.0.1:9/cam'])(
  '%s is refused when it is opened, as the server does not call itself',
  async (url) => {
    await expect(openedSource(url)).rejects.toThrow('leads to this server itself');
  },
);

it('a TCP source whose bytes cannot be read ends, and names the error once and not the sender', async () => {
  const port = await tcpServer((socket) => void socket.write(packets(0, 50)));
  const fault = new Error('broken');
  const source = await openedSource(`tcp://127.0.0.1:${port}`, {
    ...LOOPBACK,
    onPackets() {
      throw fault;
    },
  });

  await source.ended;

  expect(source.failures).toEqual([fault]);
  expect(source.problems.filter((text) => text !== null)).toEqual([]);
});

it('an address without an answer is reported in a sentence', async () => {
  const port = await tcpServer(() => undefined);

  // Not the discard port: test/harmless.ts listens there for addresses in bad files, in parallel to this.
  await expect(openedSource('tcp://127.0.0.1:1', LOOPBACK)).rejects.toThrow('Nobody answers at 127.0.0.1, port 1');
  await expect(openedSource('http://127.0.0.1:1/', LOOPBACK)).rejects.toThrow('Nobody answers at 127.0.0.1:1');
  await expect(openedSource('tcp://no-such-host.invalid:9', LOOPBACK)).rejects.toThrow(
    'The name no-such-host.invalid is not known to this server now',
  );
  expect(port).toBeGreaterThan(0);
});

it('an HTTP source follows redirects within its scheme and keeps the password for its own place', async () => {
  const seen: (string | undefined)[] = [];
  const second = await webServer((request, response) => {
    seen.push(request.headers.authorization);
    response.write(packets(0, 10));
  });
  const first = await webServer((request, response) => {
    seen.push(request.headers.authorization);
    const to = request.url === '/old' ? '/new' : `http://127.0.0.1:${second}/live.ts`;
    response.writeHead(302, { location: to }).end();
  });

  const source = await openedSource(`http://eye:hush@127.0.0.1:${first}/old`, LOOPBACK);

  await source.until(10 * 188);
  const basic = `Basic ${Buffer.from('eye:hush').toString('base64')}`;
  expect(seen).toEqual([basic, basic, undefined]);
});

it.each([
  ['https://127.0.0.1/live.ts', 'redirects to another kind of address'],
  ['file:///etc/passwd', 'redirects to another kind of address'],
  ['http://169.254.169.254/latest', '169.254.169.254 leads to this server itself or to its link'],
  ['/loop', 'redirects more than 5 times'],
])('an HTTP source does not follow a redirect to %s', async (location, message) => {
  const port = await webServer((_request, response) => response.writeHead(302, { location }).end());

  await expect(openedSource(`http://127.0.0.1:${port}/`, { allowed: ['127.0.0.1'] })).rejects.toThrow(message);
});

it('an HTTP source reports a refusal, and a page that is no stream', async () => {
  const port = await webServer((request, response) => {
    if (request.url === '/page') response.write('<html>'.repeat(20_000));
    else response.writeHead(404).end();
  });

  await expect(openedSource(`http://127.0.0.1:${port}/`, LOOPBACK)).rejects.toThrow(
    `127.0.0.1:${port} answers with status 404`,
  );
  const source = await openedSource(`http://127.0.0.1:${port}/page`, LOOPBACK);
  await expect.poll(() => source.problems).toEqual(['Bytes arrive, but they are not an MPEG transport stream']);
});

itWithData('a recording is replayed whole, in real time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-replay-'));
  atEnd(() => rm(folder, { recursive: true }));
  const storage = folderStorage({ root: folder });
  const id = '00000000-0000-4000-8000-000000000001';
  const bytes = readFileSync(testData('ts/kwiver/h264_klv.ts'));
  await storage.put(`originals/${id}/a.ts`, [bytes]);
  const begun = performance.now();

  const source = await openedSource(`replay:${id}`, { storage });
  await source.ended;

  const seconds = (performance.now() - begun) / 1000;
  const due = scheduleOf(bytes).dueTicks.at(-1)! / 90_000;
  expect(source.bytes().equals(bytes.subarray(0, bytes.length - (bytes.length % 188)))).toBe(true);
  expect(seconds).toBeGreaterThan(due - 0.2);
  expect(seconds).toBeLessThan(due + 3);
  expect(source.problems).toEqual([null]);
});

it('a replay of nothing says so', async () => {
  await expect(openedSource('replay:00000000-0000-4000-8000-000000000002')).rejects.toThrow(
    'There is no recording of the sensor that replay: names',
  );
});
