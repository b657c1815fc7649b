import { get as getHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { get as getHttps } from 'node:https';
import type { SourceCheck } from '../../recorder-wire/source-address.ts';
import type { OpenSource } from '../components.ts';
import { readBytes } from './byte-source.ts';
import { checkedHost } from './checked-host.ts';
import { SourceError } from './source-error.ts';
import { SILENCE_MS } from './tcp-source.ts';

const REDIRECTS_MAX = 5;
const ANSWER_MS = 5000;

/**
 * Fetches a transport stream over `http:` or `https:`. Each redirect is checked like the original address and must keep
 * its scheme; the password is sent only to the same origin.
 */
export function httpOpener(check: SourceCheck): OpenSource {
  return async ({ url }, sink) => {
    const { host } = new URL(url);
    const response = await fetchStream(url, check);
    response.socket.setTimeout(SILENCE_MS, () => response.destroy(new Error('silence')));
    return readBytes(
      {
        readable: response,
        whyEnded: () => `${host} ended the stream`,
        stop: () => void response.socket.destroy(),
      },
      sink,
    );
  };
}

/** @throws SourceError when the response is no stream, or the server may not call that address */
export const fetchStream = (url: string, check: SourceCheck): Promise<IncomingMessage> => follow(new URL(url), check);

async function follow(first: URL, check: SourceCheck): Promise<IncomingMessage> {
  let url = first;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
    const response = await ask(url, await checkedHost(url.hostname, check));
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return response;
    response.destroy();
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined) {
      throw new SourceError(`${url.host} answers with status ${statusCode}`);
    }
    url = redirected(url, headers.location);
  }
  throw new SourceError(`${first.host} redirects more than ${REDIRECTS_MAX} times`);
}

function redirected(from: URL, location: string): URL {
  const to = URL.parse(location, from);
  if (to === null) throw new SourceError(`${from.host} redirects to something that is no address`);
  if (to.protocol !== from.protocol) throw new SourceError(`${from.host} redirects to another kind of address`);
  if (to.host === from.host && to.username === '') {
    to.username = from.username;
    to.password = from.password;
  }
  return to;
}

/** Sends the request with the original host name over a connection to the address that was checked. */
function ask(url: URL, address: string): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const options: RequestOptions & { servername?: string } = {
    host: address,
    port: url.port || (isTls ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, 'user-agent': 'Osprey', accept: '*/*' },
    ...(url.username === '' ? {} : { auth: decodeURIComponent(`${url.username}:${url.password}`) }),
    ...(isTls ? { servername: hostname } : {}),
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(new SourceError(`Nobody answers at ${url.host}`, { cause }));
    const request = (isTls ? getHttps : getHttp)(options, (response) => {
      clearTimeout(late);
      resolve(response);
    });
    const late = setTimeout(() => request.destroy(new Error('too late')), ANSWER_MS);
    request.on('error', (error) => {
      clearTimeout(late);
      fail(error);
    });
  });
}
