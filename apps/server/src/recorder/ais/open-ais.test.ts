import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sendSentences } from '../../../test/ais.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { sourceCheck } from '../../recorder-wire/source-address.ts';
import { aisSourceOpener } from './open-ais.ts';
import type { SerialPort } from './serial-source.ts';

const LINES = [
  '!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C',
  '\\s:mast*3F\\!AIVDM,1,1,,A,13HOI:0P0000VOHLCnHQKwvL05Ip,0*23',
];
const TEXT = `${LINES.join('\r\n')}\r\n`;

/** A source of this address, with the lines that come and what it says. */
async function opened(
  url: string,
  options: { senders?: string[]; allowed?: string[]; serial?: [string, SerialPort][] } = {},
) {
  const lines: string[] = [];
  const problems: (string | null)[] = [];
  const open = aisSourceOpener({
    check: sourceCheck({ allowed: options.allowed ?? ['127.0.0.0/8'] }),
    serialPorts: new Map(options.serial ?? []),
  });
  const source = await open(
    { url, senders: options.senders ?? [] },
    {
      packets: (bytes) => lines.push(Buffer.from(bytes).toString('latin1')),
      problem: (text) => problems.push(text),
      reading: (read) => read,
      failed: (error) => {
        throw error;
      },
    },
  );
  atEnd(source.close);
  return { source, lines, problems };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function sendTo(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.end(text);
  await once(socket, 'close');
}

it('Lines come over UDP and from callers of TCP that are allowed; others are refused and counted', async () => {
  const port = await freePort();
  const udp = await opened(`udp://127.0.0.1:${port}`);
  await sendSentences(port, LINES);
  await expect.poll(() => udp.lines).toEqual(LINES);

  const listening = await opened(`tcp://127.0.0.1:${await freePort()}?mode=listener`, { senders: ['10.0.0.0/8'] });
  const allowedPort = await freePort();
  const allowed = await opened(`tcp://127.0.0.1:${allowedPort}?mode=listener`, { senders: ['127.0.0.1'] });
  await sendTo(allowedPort, TEXT);
  await expect.poll(() => allowed.lines).toEqual(LINES);
  expect(listening.lines).toEqual([]);
  const refusedPort = await freePort();
  const refusing = await opened(`tcp://127.0.0.1:${refusedPort}?mode=listener`, { senders: ['10.0.0.0/8'] });
  await sendTo(refusedPort, TEXT);
  await expect.poll(() => refusing.source.counts().refused).toBe(1);
  expect(refusing.lines).toEqual([]);
});

it('A receiver that is called over TCP or HTTP sends lines cut anywhere, and its end is reported', async () => {
  const server = createServer((socket) => {
    socket.write(TEXT.slice(0, 30));
    setImmediate(() => socket.end(TEXT.slice(30)));
  }).listen(0, '127.0.0.1');
  atEnd(() => server.close());
  await once(server, 'listening');
  const tcp = await opened(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await tcp.source.ended;
  expect(tcp.lines).toEqual(LINES);
  expect(tcp.problems.at(-1)).toMatch(/^The connection to 127\.0\.0\.1, port \d+ ended$/);

  const web = createHttp((_request, response) => response.end(TEXT)).listen(0, '127.0.0.1');
  atEnd(() => web.close());
  await once(web, 'listening');
  const http = await opened(`http://127.0.0.1:${(web.address() as AddressInfo).port}/ais`);
  await http.source.ended;
  expect(http.lines).toEqual(LINES);
});

it('Addresses that lead to this server itself are refused unless they are allowed, as for video', async () => {
  const refusal = 'leads to this server itself or to its link; OSPREY_SOURCE_ALLOW can allow it';
  await expect(opened('tcp://127.0.0.1:5000', { allowed: [] })).rejects.toThrow(refusal);
  await expect(opened('http://169.254.169.254/latest', { allowed: [] })).rejects.toThrow(refusal);
  await expect(opened('file:///etc/passwd')).rejects.toThrow('AIS is not received from an address of this kind');
});

it.skipIf(!existsSync('/usr/bin/python3'))(
  'A serial port is read by the name that the host gives it, never by a path',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'osprey-pty-'));
    atEnd(() => rm(folder, { recursive: true, force: true }));
    // A pair of pseudo terminals: what is written to one end is read at the other.
    const script = `import os, sys, time
master, slave = os.openpty()
print(os.ttyname(slave), flush=True)
while not os.path.exists(sys.argv[1]): time.sleep(0.05)
os.write(master, sys.argv[2].encode().decode('unicode_escape').encode())
time.sleep(60)`;
    const go = join(folder, 'go');
    const far = spawn('python3', ['-c', script, go, TEXT.replaceAll('\\', '\\\\').replaceAll('\r\n', '\\r\\n')]);
    atEnd(() => far.kill());
    const [path] = (await once(far.stdout, 'data')) as [Buffer];
    const port = { path: path.toString().trim(), baud: 38_400 };
    const { lines } = await opened('serial:BRIDGE', { serial: [['BRIDGE', port]] });
    await writeFile(go, '');
    await expect.poll(() => lines).toEqual(LINES);

    await expect(opened('serial:OTHER')).rejects.toThrow('OSPREY_SERIAL of this machine names no serial port OTHER');
    await expect(opened('serial:X', { serial: [['X', { path: join(folder, 'none'), baud: 4800 }]] })).rejects.toThrow(
      'is the receiver plugged in?',
    );
  },
);
