import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { atEnd } from './cleanup.ts';
import type { RunningServer } from './running-server.ts';

/** From a socket of the file system to a port, in the network that it is started in. */
const relay = `
const { connect, createServer } = require('node:net');
const [path, port] = process.argv.slice(1);
createServer((here) => {
  const there = connect(Number(port), '127.0.0.1');
  for (const end of [here, there]) end.on('error', () => {}).once('close', () => { here.destroy(); there.destroy(); });
  here.pipe(there).pipe(here);
}).listen(path, () => console.log('ready'));
`;

/** The same server, reached from here although it is in another network. `folder`: for a socket. */
export async function reachedFromHere(server: RunningServer, folder: string): Promise<RunningServer> {
  const path = join(folder, `${crypto.randomUUID().slice(0, 8)}.sock`);
  const inside = ['--net', '-t', String(server.process.pid), process.execPath, '-e', relay, path];
  const child = spawn('nsenter', [...inside, new URL(server.address).port], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', reject);
  });
  const listener = createServer((here) => {
    const there = connect(path);
    for (const end of [here, there]) {
      end.on('error', () => undefined);
      end.once('close', () => {
        here.destroy();
        there.destroy();
      });
    }
    here.pipe(there).pipe(here);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    child.kill();
    listener.close();
  });
  return { ...server, address: `http://127.0.0.1:${(listener.address() as AddressInfo).port}` };
}
