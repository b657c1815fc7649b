import { asset } from '@osprey/contract';
import { z } from 'zod';
import type { UploadServer } from './upload-server.ts';

export type Sent = { status: number; code: string | null; text: string; body: unknown };

const failure = z.object({ code: z.string(), text: z.string() });
export const uploadAnswer = z.object({ files: z.array(asset) });

async function toSent(answer: Response): Promise<Sent> {
  const text = await answer.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  const failed = failure.safeParse(body);
  return { status: answer.status, code: failed.success ? failed.data.code : null, text, body };
}

export type SentFile = { name: string; bytes: Uint8Array };

/** Sends files through the form. */
export async function sendForm(
  server: UploadServer,
  { user, sensor, files }: { user: string; sensor: { missionId: string; sensorId: string }; files: SentFile[] },
): Promise<Sent> {
  const form = new FormData();
  for (const { name, bytes } of files) form.append('any', new Blob([new Uint8Array(bytes)]), name);
  const url = `${server.address}/api/missions/upload/${sensor.missionId}/${sensor.sensorId}?processAfterUpload=immediate`;
  return toSent(await fetch(url, { method: 'POST', headers: { 'x-user': user }, body: form }));
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The tus door, one request at a time. */
export function tusClient(server: UploadServer, user: string) {
  const headers = { 'x-user': user, 'tus-resumable': '1.0.0' };
  const ask = (url: string, init: RequestInit) =>
    fetch(new URL(url, server.address), { ...init, headers: { ...headers, ...init.headers } });

  return {
    ask,
    async create({ sensorId, name, size }: { sensorId: string; name: string; size: number }) {
      const metadata = `sensorId ${base64(sensorId)},filename ${base64(name)},lastModified ${base64('1600000000000')}`;
      const answer = await ask('/api/uploads', {
        method: 'POST',
        headers: { 'upload-length': String(size), 'upload-metadata': metadata },
      });
      return { location: answer.headers.get('location'), ...(await toSent(answer)) };
    },
    async patch(location: string, offset: number, bytes: Uint8Array, extra: Record<string, string> = {}) {
      const answer = await ask(location, {
        method: 'PATCH',
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...extra },
        body: new Uint8Array(bytes),
      });
      return { offset: Number(answer.headers.get('upload-offset')), ...(await toSent(answer)) };
    },
    async head(location: string) {
      const answer = await ask(location, { method: 'HEAD' });
      return { status: answer.status, offset: Number(answer.headers.get('upload-offset')) };
    },
    async remove(location: string) {
      return toSent(await ask(location, { method: 'DELETE' }));
    },
  };
}

/** A whole file through tus in one PATCH. */
export async function sendTus(
  server: UploadServer,
  { user, sensor, file }: { user: string; sensor: { sensorId: string }; file: SentFile },
): Promise<Sent> {
  const client = tusClient(server, user);
  const size = file.bytes.byteLength;
  const created = await client.create({ sensorId: sensor.sensorId, name: file.name, size });
  if (created.location === null) return created;
  return client.patch(created.location, 0, file.bytes);
}
