import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DocumentRow } from '@osprey/contract';
import type { Insertable, Kysely } from 'kysely';
import type { Database } from '../src/base/db/schema.ts';
import type { RecordingServer } from './recordings.ts';
import type { Subject } from './server.ts';

const plainDocument: Omit<Insertable<Database['documents']>, 'title' | 'storage_key'> = {
  description: '',
  document_type: 'Note',
  platform_name: '',
  classification: 1,
  marked: true,
  audience: 'everyone',
  edit_lock: false,
  tags: [],
  author_id: null,
  author: 'somebody',
  creation_time: 0,
  state: 'Ready',
  message: null,
  file_name: 'note.txt',
  content: 'text',
  size_bytes: 5,
  sha256: '',
  pages: null,
  body_words: null,
  geometry: null,
  geometry_source: null,
  deleted_time: null,
  deleted_by: null,
};

/** A document for everyone, UNCLASSIFIED and not locked, unless `fields` say else; its file may be missing. */
export async function addDocument(
  db: Kysely<Database>,
  fields: Partial<Insertable<Database['documents']>> = {},
  groups: readonly string[] = [],
): Promise<string> {
  const id = crypto.randomUUID();
  const row = { ...plainDocument, id, title: 'document', storage_key: `documents/${id}/original`, ...fields };
  await db.insertInto('documents').values(row).execute();
  const links = groups.map((usergroup_id) => ({ document_id: id, usergroup_id }));
  if (links.length > 0) await db.insertInto('document_usergroups').values(links).execute();
  return id;
}

/** Undefined: the field is not sent. */
type Fields = Record<string, string | undefined>;
export type Sent = { name: string; bytes: Uint8Array };

/** A multipart form as a browser sends it. */
export function documentForm(fields: Fields, file: Sent | null) {
  const boundary = 'osprey-test-boundary';
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined
      ? []
      : Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  if (file !== null) {
    const name = file.name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n`;
    parts.push(Buffer.from(`${head}content-type: application/octet-stream\r\n\r\n`), Buffer.from(file.bytes));
    parts.push(Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat(parts),
  };
}

/** Actions of a test on documents, on a server whose jobs are done on demand. */
export function documentsOf(server: RecordingServer) {
  const { groups } = server;

  async function post(who: Subject, fields: Fields, file: Sent | null) {
    const form = documentForm(
      { documentType: 'Note', securityClassification: '1', usergroups: JSON.stringify([groups.G1]), ...fields },
      file,
    );
    const answer = await server.asUser(who).inject({ method: 'POST', url: '/api/documents', ...form });
    return { status: answer.statusCode, body: answer.json() as DocumentRow & { code?: string; values?: Fields } };
  }

  return {
    post,
    /** Posts a file and reads it. */
    async read(who: Subject, path: string | Sent, fields: Fields = {}): Promise<DocumentRow> {
      const file = typeof path === 'string' ? { name: basename(path), bytes: await readFile(path) } : path;
      const { status, body } = await post(who, { title: 'file', ...fields }, file);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      await server.work();
      return (await server.asUser(who).inject({ method: 'GET', url: `/api/documents/${body._id}` })).json();
    },
    async list(who: Subject, query = ''): Promise<DocumentRow[]> {
      return (await server.asUser(who).inject({ method: 'GET', url: `/api/documents?${query}` })).json();
    },
  };
}
