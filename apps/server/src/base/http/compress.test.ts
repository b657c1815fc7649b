import { once } from 'node:events';
import { get } from 'node:http';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { fieldsOf, OPENS } from '../../../test/answer-fields.ts';
import { testServer } from '../../../test/server.ts';
import { contractCalls } from './calls.ts';
import { compressAnswers, isCompressed } from './compress.ts';

/** Fields of these names that open nothing, or are others in each answer. */
const harmless: ReadonlySet<string> = new Set(['accessToken', 'getDashboard.secret', 'getLicenceFile.token']);
/** Calls that return a token and nothing else. */
const tokensAlone: ReadonlySet<string> = new Set(['createDocumentToken']);

describe('calls that are not compressed', () => {
  it('are those whose answers hold a secret', () => {
    const secret = contractCalls().filter(
      ({ name, call }) =>
        tokensAlone.has(name) ||
        fieldsOf(call.answer).some(
          (field) => OPENS.test(field) && !harmless.has(field) && !harmless.has(`${name}.${field}`),
        ),
    );
    const names = contractCalls().filter(({ call }) => !isCompressed(call));
    expect(names.map(({ name }) => name)).toEqual(secret.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(10);
  });
});

describe('an answer', async () => {
  const server = await testServer();
  const asked = server.asUser('SA');
  const made = Array.from({ length: 12 }, (_, n) =>
    asked.inject({
      method: 'POST',
      url: '/api/missions',
      payload: {
        name: `Patrol_${n}`,
        description: 'Fog over the harbour',
        audience: 'everyone',
        securityClassification: 'UNCLASSIFIED',
      },
    }),
  );
  for (const { statusCode, body } of await Promise.all(made)) expect([statusCode, body]).toEqual([200, body]);
  const ask = (url: string, accepts: string) => asked.inject({ url, headers: { 'accept-encoding': accepts } });
  const names = (text: string) => (JSON.parse(text) as { name: string }[]).map(({ name }) => name).sort();

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['zstd', 'gzip, deflate, br, zstd', zstdDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('is sent as %s to who accepts it', async (encoding, accepts, unpacked) => {
    const plain = await ask('/api/missions/brief?limit=100', 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const packed = await ask('/api/missions/brief?limit=100', accepts);
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    expect(names(unpacked(packed.rawPayload).toString())).toEqual(names(plain.body));
  });

  it('is sent as it is, where it holds a secret', async () => {
    const info = await ask('/api/info', 'br, gzip');
    expect(info.statusCode).toBe(200);
    expect(info.headers['content-encoding']).toBeUndefined();
  });
});

describe('an app that compresses', async () => {
  const app = Fastify();
  await compressAnswers(app);
  const text = 'The same sentence again and again. '.repeat(200);
  app.get('/text', async (_, reply) => reply.type('text/csv; charset=utf-8').send(text));
  app.get('/short', async (_, reply) => reply.type('text/csv').send(text.slice(0, 1000)));
  app.get('/secret', { compress: false }, async (_, reply) => reply.type('text/csv').send(text));
  app.get('/video', async (_, reply) => reply.type('video/mp2t').send(Buffer.from(text)));
  app.get('/file', async (_, reply) =>
    reply
      .type('text/csv')
      .header('accept-ranges', 'bytes')
      .header('content-length', text.length)
      .send(Readable.from([text])),
  );
  app.get('/broken', async (_, reply) => {
    const lines = async function* () {
      for (let line = 0; line < 10_000; line += 1) yield `${Math.sin(line)}\n`;
      throw new Error('the disk is away');
    };
    return reply.type('text/csv').send(Readable.from(lines()));
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const encodingOf = async (url: string) =>
    (await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'];

  it('leaves secrets, short answers, media and files in ranges as they are', async () => {
    expect(await encodingOf('/text')).toBe('gzip');
    for (const url of ['/short', '/secret', '/video', '/file'])
      expect([url, await encodingOf(url)]).toEqual([url, undefined]);
    const file = await app.inject({ url: '/file', headers: { 'accept-encoding': 'gzip' } });
    expect([file.headers['content-length'], file.body]).toEqual([String(text.length), text]);
  });

  it('ends the connection where a stream fails in the middle', async () => {
    const request = get(`${address}/broken`, { headers: { 'accept-encoding': 'gzip' } });
    const [response] = await once(request, 'response');
    response.resume();
    await expect(once(response, 'end')).rejects.toThrow('aborted');
    await app.close();
  });
});
