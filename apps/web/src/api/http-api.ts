import { AppError, type Call, type ErrorCode, errorCatalogue } from '@osprey/contract';
import type { z } from 'zod';
import { TransportError } from '../base/transport-error.ts';
import type { Api, CallOptions } from './api.ts';
import { basicHeader, type Credentials } from './credentials.ts';

type Deps = {
  /** Returns the credentials; called for each request. */
  credentials: () => Credentials | null;
  /** Called when the credential is no longer valid: it was revoked, it has expired, or the account was deleted. */
  onUnauthorized?: () => void;
  /** Returns the response to a request that was sent before the client was loaded; null: none. */
  early?: (address: string, authorization: string | undefined) => Promise<Response> | null;
  fetch?: typeof fetch;
};

type Input = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/** Returns the address of a call with this input, relative to the server. Lists are joined with commas. */
export function addressOf(path: string, { params = {}, query = {} }: Input): string {
  const filled = path.replace(/:(\w+)/g, (_all, key: string) => encodeURIComponent(String(params[key])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(key, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = search.toString();
  return `/api${filled}${text === '' ? '' : `?${text}`}`;
}

function requestOf(
  call: Call,
  input: Input,
  credentials: Credentials | null,
  { form, signal, keepalive }: CallOptions,
) {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (credentials) headers.authorization = basicHeader(credentials);
  const isSdp = call.raw === 'sdp';
  if (input.body !== undefined) headers['content-type'] = isSdp ? 'application/sdp' : 'application/json';
  return {
    method: call.method,
    headers,
    credentials: 'same-origin' as const,
    ...(input.body === undefined ? {} : { body: isSdp ? String(input.body) : JSON.stringify(input.body) }),
    ...(form ? { body: form } : {}),
    ...(signal ? { signal } : {}),
    ...(keepalive ? { keepalive } : {}),
  };
}

/** Returns the error that an unsuccessful response describes. */
export async function errorOf(response: Response): Promise<Error> {
  const shape = (await response.json().catch(() => null)) as { code?: unknown; values?: unknown } | null;
  if (shape && typeof shape.code === 'string' && shape.code in errorCatalogue) {
    return new AppError(shape.code as ErrorCode, (shape.values ?? {}) as Record<string, string>);
  }
  return new TransportError('status', { status: response.status, statusText: response.statusText });
}

/** Creates the API client, which uses fetch and sends the Basic authorization header with every call. */
export function httpApi({
  credentials,
  onUnauthorized,
  early = () => null,
  fetch: send = fetch.bind(globalThis),
}: Deps): Api {
  async function answerOf(call: Call, input: Input, options: CallOptions) {
    const sent = credentials();
    const address = addressOf(call.path, input);
    const request = requestOf(call, input, sent, options);
    const asked = call.method === 'GET' ? early(address, request.headers.authorization) : null;
    const response = await (asked ?? send(address, request)).catch((cause: unknown) => {
      if (options.signal?.aborted) throw cause;
      throw new TransportError('noResponse', cause);
    });
    if (!response.ok) {
      const error = await errorOf(response);
      if (response.status === 401 && sent && !answersForItself(call)) onUnauthorized?.();
      throw error;
    }
    options.onHeaders?.(response.headers);
    return (options.asText ? response.text() : response.json()).catch((cause: unknown) => {
      if (options.signal?.aborted) throw cause;
      throw new TransportError('noResponse', cause);
    });
  }

  return {
    async call<In extends z.ZodType, Answer extends z.ZodType>(
      call: Call<In, Answer>,
      input: z.input<In>,
      options: CallOptions = {},
    ) {
      const answer = await answerOf(call, input as Input, options);
      const parsed = call.answer.safeParse(answer);
      if (!parsed.success) throw new TransportError('request', parsed.error);
      return parsed.data;
    },
  };
}

const selfAnswering: ReadonlySet<string> = new Set([
  '/users/authenticated',
  '/users/groups',
  '/users/password',
  '/logout',
]);

/**
 * Whether a 401 response to a call must not be handled as the end of the session: it reports a wrong password at login,
 * or returns the request for the current account.
 */
const answersForItself = (call: Call) => call.action === 'public.use' || selfAnswering.has(call.path);
