import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

const ANSWER_MS = 5000;
const ANSWER_BYTES = 64 * 1024;

export type Place = { host: string; port: number; tls: boolean };

/**
 * Returns whether a server on this machine reports that it is up. Its certificate is not verified, since it may be
 * issued for any name.
 */
export function isUp({ host, port, tls }: Place): Promise<boolean> {
  const isAny = host === '0.0.0.0' || host === 'localhost';
  const address = isAny ? '127.0.0.1' : host === '::' ? '::1' : host;
  const options = {
    ...{ host: address, port, path: '/api/health', headers: { host: `localhost:${port}` } },
    ...{ timeout: ANSWER_MS, agent: false },
  };
  return new Promise((resolve) => {
    const asked = tls ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
    asked.once('error', () => resolve(false));
    asked.once('timeout', () => asked.destroy(new Error('It does not answer')));
    asked.once('response', (answer) => {
      let text = '';
      answer.on('error', () => resolve(false));
      answer.on('data', (piece: Buffer) => {
        text += piece;
        if (text.length > ANSWER_BYTES) asked.destroy(new Error('Its answer is too long'));
      });
      answer.on('end', () => resolve(answer.statusCode === 200 && text.includes('"status":"up"')));
      answer.on('close', () => resolve(false));
    });
    asked.end();
  });
}
