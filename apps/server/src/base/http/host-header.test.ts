import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { testServer } from '../../../test/server.ts';
import { isOurPage } from '../ws/our-page.ts';
import { hostIn } from './host-header.ts';

it.each([
  ['localhost', 'localhost'],
  ['LOCALHOST:8080', 'localhost'],
  ['127.0.0.1:65535', '127.0.0.1'],
  ['[::1]', '[::1]'],
  ['[::1]:8080', '[::1]'],
  ['localhost:', null],
  ['localhost:0', null],
  ['localhost:65536', null],
  ['localhost:8080x', null],
  ['localhost:80:80', null],
  ['localhost:-1', null],
  ['localhost@evil.example', null],
  ['localhost:80@evil.example', null],
  ['::1', null],
  ['[::1', null],
  ['', null],
  [undefined, null],
])('the host in %j is %j', (header, host) => {
  expect(hostIn(header)).toBe(host);
});

it('calls and sockets refuse a Host header with a bad port', async () => {
  const server = await testServer();
  const statusOf = async (host: string) =>
    (await server.inject({ method: 'GET', url: '/api/health', headers: { host } })).statusCode;

  expect(await Promise.all(['127.0.0.1', '127.0.0.1:8080'].map(statusOf))).toEqual([200, 200]);
  expect(await Promise.all(['127.0.0.1:x', '127.0.0.1:99999', '127.0.0.1:', '127.0.0.1:1:1'].map(statusOf))).toEqual([
    400, 400, 400, 400,
  ]);
  const hosts = new Set(['127.0.0.1']);
  const asked = (host: string) => ({ headers: { host }, rawHeaders: ['Host', host] });
  expect(isOurPage(asked('127.0.0.1:8080'), hosts)).toBe(true);
  expect(isOurPage(asked('127.0.0.1:99999'), hosts)).toBe(false);
});

it('a request with two Host headers is refused, whichever is ours', async () => {
  const server = await testServer();
  const { hostname, port } = new URL(await server.listen());
  const statusOf = async (...hosts: string[]) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const lines = ['GET /api/health HTTP/1.1', ...hosts.map((host) => `Host: ${host}`), 'Connection: close', '', ''];
    socket.write(lines.join('\r\n'));
    return (await text(socket)).split(' ')[1];
  };
  const own = `${hostname}:${port}`;

  expect(await statusOf(own)).toBe('200');
  expect(await statusOf(own, 'evil.example')).toBe('400');
  expect(await statusOf('evil.example', own)).toBe('400');
  expect(await statusOf(own, own)).toBe('400');
  const two = { headers: { host: own }, rawHeaders: ['Host', own, 'hOST', own] };
  expect(isOurPage(two, new Set([hostname]))).toBe(false);
});
