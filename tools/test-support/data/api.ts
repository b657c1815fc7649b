import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Classification, DocumentRow, Mission, Role, Usergroup } from '@osprey/contract';
import { ADMIN } from '../server.ts';

/** Polling interval in milliseconds. */
const POLL_MS = 100;

type Account = { username: string; password: string };
type SentFile = { name: string; body: string | Uint8Array<ArrayBuffer> };
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Api = ReturnType<typeof apiOf>;

/**
 * Signs in like a browser, with a device credential, so that further calls need no password check. Returns the headers
 * for calls.
 */
export async function signIn(address: string, { username, password }: Account): Promise<Record<string, string>> {
  const answer = await fetch(`${address}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  if (!answer.ok) throw new Error(`login: ${answer.status} ${await answer.text()}`);
  const { credential } = (await answer.json()) as { credential: string };
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
  return { authorization: `Basic ${btoa(`${username}:${credential}`)}`, cookie };
}

/** Client for the server's HTTP API with Basic authentication. Prepares the data for a browser test. */
export function apiOf(address: string, account: Account = ADMIN) {
  const authorization = `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`;

  async function send<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${address}/api/${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  }

  async function sendForm<Answer>(path: string, form: FormData): Promise<Answer> {
    const response = await fetch(`${address}/api/${path}`, { method: 'POST', headers: { authorization }, body: form });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  }

  async function upload(mission: Mission, sensor: string, path: string): Promise<void> {
    const form = new FormData();
    form.append('file', await openAsBlob(path), basename(path));
    const sent = `missions/upload/${mission._id}/${encodeURIComponent(sensor)}?processAfterUpload=immediate`;
    await sendForm(sent, form);
  }

  const demoGroup = async () => (await groups()).find(({ name }) => name === 'Demo')!._id;
  const groups = () => send<Usergroup[]>('GET', 'usergroups');
  const mission = (idOrName: string) => send<Mission>('GET', `missions/${encodeURIComponent(idOrName)}`);

  return {
    send,
    sendForm,
    mission,
    groups,
    demoGroup,
    upload,
    /** Creates a mission, by default UNCLASSIFIED and shared with group Demo. */
    async addMission(fields: Record<string, unknown> & { name: string }): Promise<Mission> {
      const usergroups = 'usergroups' in fields || 'audience' in fields ? {} : { usergroups: [await demoGroup()] };
      return send('POST', 'missions', { securityClassification: 'UNCLASSIFIED', ...usergroups, ...fields });
    },
    /** Creates a mission with one sensor for each recording, and waits until all of them are processed. */
    async addRecorded(fields: Record<string, unknown> & { name: string }, files: Record<string, string>) {
      const sensors = Object.keys(files).map((name) => ({ name, type: 'video' }));
      const made = await this.addMission({ sensors, ...fields });
      for (const [sensor, path] of Object.entries(files)) await upload(made, sensor, path);
      return this.untilReady(made._id);
    },
    /** Polls until the mission and all its sensors are Ready; throws immediately if the mission stopped. */
    async untilReady(id: string): Promise<Mission> {
      const until = Date.now() + 90_000;
      for (;;) {
        const now = await mission(id);
        if (now.state === 'Ready' && now.sensors.every(({ state }) => state === 'Ready')) return now;
        if (now.state === 'Stopped') throw new Error(`${now.name} stopped: ${now.message}`);
        if (Date.now() > until) throw new Error(`${now.name} is still ${now.state}: ${JSON.stringify(now.sensors)}`);
        await pause(POLL_MS);
      }
    },
    /** Creates a document of type Note, by default UNCLASSIFIED and shared with group Demo. */
    async addDocument(title: string, file: SentFile, fields: Record<string, string> = {}): Promise<string> {
      const form = new FormData();
      const all = {
        title,
        documentType: 'Note',
        securityClassification: 'UNCLASSIFIED',
        usergroups: JSON.stringify([await demoGroup()]),
        ...fields,
      };
      for (const [name, value] of Object.entries(all)) form.append(name, value);
      form.append('file', new Blob([file.body]), file.name);
      return (await sendForm<DocumentRow>('documents', form))._id;
    },
    async addGroup(name: string, ceiling: Classification): Promise<string> {
      const made = await send<Usergroup>('POST', 'usergroups', { name, securityClassification: ceiling });
      return made._id;
    },
    async addUser(
      username: string,
      rights: { role?: Role; clearance?: Classification; groups?: string[]; administers?: string[] } = {},
    ): Promise<Account & { id: string }> {
      const password = `Kestrel-${username}-over-sea`;
      const { _id } = await send<{ _id: string }>('POST', 'users', {
        username,
        password,
        email: `${username.toLowerCase()}@example.org`,
        country: 'Greece',
        first_name: username,
        last_name: 'Tester',
        company: 'Osprey',
      });
      const query = new URLSearchParams({ disabled: 'false' });
      if (rights.role) query.set('authorizationRole', rights.role);
      if (rights.clearance) query.set('securityClearance', rights.clearance);
      if (rights.groups) query.set('usergroups', [await demoGroup(), ...rights.groups].join(','));
      if (rights.administers) query.set('usergroupsAdmin', rights.administers.join(','));
      await send('PUT', `users/${_id}?${query}`);
      return { username, password, id: _id };
    },
  };
}
