import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { testServer } from '../../../test/server.ts';
import { jsonDepth } from './json-depth.ts';
import { readText } from './read-text.ts';

const MIB = 1024 * 1024;
const pieces = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, n) => Buffer.from(text.slice(n * size, n * size + size)));

describe('the depth of JSON', () => {
  const isTaken = (text: string, size = 7) => {
    const depth = jsonDepth();
    return pieces(text, size).every((piece) => depth.accepts(piece));
  };

  it('is 64 at most, of arrays and objects alike, however the bytes come', () => {
    for (const size of [1, 7, MIB]) {
      expect(isTaken('['.repeat(64) + ']'.repeat(64), size)).toBe(true);
      expect(isTaken('['.repeat(65), size)).toBe(false);
      expect(isTaken('{"a":'.repeat(33) + '[{"b":'.repeat(16), size)).toBe(false);
      expect(isTaken(`[${'[],{},'.repeat(1000)}1]`, size)).toBe(true);
    }
  });

  it('does not count brackets in strings, also after escaped quotes and backslashes', () => {
    const brackets = '['.repeat(100);
    for (const size of [1, 7, MIB]) {
      expect(isTaken(`{"a":"${brackets}"}`, size)).toBe(true);
      expect(isTaken(`{"a":"\\"${brackets}"}`, size)).toBe(true);
      expect(isTaken(`{"a":"\\\\",${brackets}`, size)).toBe(false);
    }
  });
});

describe('a body', () => {
  const limits = { maxBytes: 100, baseMs: 30, perKibMs: 0 };

  it('is read as UTF-8, also where a letter comes in two pieces', async () => {
    const body = new PassThrough();
    const text = readText(body, null, { ...limits, baseMs: 10_000 });
    for (const byte of Buffer.from('Tromsø')) body.write(Buffer.from([byte]));
    body.end();

    expect(await text).toBe('Tromsø');
  });

  it.each([
    ['is too large', 'bodyTooLarge', (body: PassThrough) => body.end('x'.repeat(101))],
    ['does not come in time', 'bodyTooSlow', (body: PassThrough) => body.write('x')],
    ['is broken off', 'invalid', (body: PassThrough) => body.destroy()],
    ['is not as long as announced', 'invalid', (body: PassThrough) => body.end('x')],
  ])('that %s is refused', async (_, code, send) => {
    const body = new PassThrough();
    const text = readText(body, 7, limits);
    send(body);

    await expect(text).rejects.toMatchObject({ code });
  });

  it('has longer for each KiB that came', async () => {
    const body = new PassThrough();
    const text = readText(body, null, { maxBytes: MIB, baseMs: 20, perKibMs: 100_000 });
    body.write(Buffer.alloc(1024, 'x'));
    setTimeout(() => body.end(), 60);

    expect(await text).toHaveLength(1024);
  });
});

describe('JSON over HTTP', async () => {
  const server = await testServer();
  const port = Number(new URL(await server.listen()).port);

  async function answerTo(body: string): Promise<string> {
    const socket: Socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
    });
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    const head = `POST /api/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: ${body.length}\r\nconnection: close\r\n\r\n`);
    socket.write(body);
    await closed;
    return answer;
  }

  /** The longest time for which the thread did nothing else, milliseconds. */
  async function held(act: () => Promise<unknown>): Promise<number> {
    let longest = 0;
    let last = performance.now();
    let isOver = false;
    const look = () => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      if (!isOver) setImmediate(look);
    };
    look();
    await act();
    isOver = true;
    return longest;
  }

  it.each([
    ['1 MiB of [', 400, '['.repeat(MIB)],
    ['1 MiB of {"a":', 400, '{"a":'.repeat(MIB / 5)],
    ['1 MiB of empty arrays', 413, `[${'[],'.repeat(MIB / 3 - 2)}1]`],
    ['1 MiB of fields', 413, `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
  ])('a public call that gets %s answers %d and never holds the thread over 50 ms', async (_, status, body) => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      times.push(
        await held(async () => {
          expect(await answerTo(body)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
        }),
      );
    }

    // A busy machine slows single requests, not the fastest one.
    expect(Math.min(...times)).toBeLessThan(50);
  });

  it('goes on as before: nothing, a value, a broken one', async () => {
    const post = (payload: string) =>
      server.asUser('SA').inject({
        method: 'POST',
        url: '/api/tickets',
        payload,
        headers: { 'content-type': 'application/json' },
      });

    expect((await post('')).statusCode).toBe(200);
    expect((await post('{}')).statusCode).toBe(200);
    expect((await post('{')).json()).toMatchObject({ code: 'invalid' });
    expect((await post('{"__proto__":1}')).json()).toMatchObject({ code: 'invalid' });
  });
});
