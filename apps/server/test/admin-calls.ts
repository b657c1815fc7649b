import { expect } from 'vitest';
import { basicOf } from './server.ts';

/** Password of the account that a server makes with OSPREY_ADMIN_PASSWORD. */
export const ADMIN_PASSWORD = 'correct horse battery';
export const adminHeaders = { authorization: basicOf('admin', ADMIN_PASSWORD) };

/** The calls of an admin. */
export function callsOf(server: { address: string }) {
  const send = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, server.address), { ...init, headers: { ...adminHeaders, ...init.headers } });
  return {
    send,
    async ask<Answer>(path: string, body?: object): Promise<Answer> {
      const isForm = body instanceof FormData;
      const answer = await send(`/api/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...(body && !isForm && { 'content-type': 'application/json' }) },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      return JSON.parse(text) as Answer;
    },
  };
}

export type Calls = ReturnType<typeof callsOf>;
