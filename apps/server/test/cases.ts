import type { CaseComment, CasePart, CaseRow } from '@osprey/contract';
import type { Insertable, Kysely } from 'kysely';
import type { Database } from '../src/base/db/schema.ts';
import type { Subject, TestServer } from './server.ts';

/** A case for everyone, UNCLASSIFIED and without parts, unless `fields` say else. */
export async function addCase(
  db: Kysely<Database>,
  fields: Partial<Insertable<Database['cases']>> = {},
  groups: readonly string[] = [],
): Promise<string> {
  const row = {
    ...{
      name: 'case',
      description: '',
      own_classification: fields.classification ?? 1,
      classification: 1,
      marked: true,
    },
    ...{ audience: 'everyone' as const, owner_id: null, owner: 'somebody', created: 0, changed: 0 },
    ...fields,
  };
  const { id } = await db.insertInto('cases').values(row).returning('id').executeTakeFirstOrThrow();
  const links = groups.map((usergroup_id) => ({ case_id: id, usergroup_id }));
  if (links.length > 0) await db.insertInto('case_usergroups').values(links).execute();
  return id;
}

/** A note in a case. */
export async function addNote(
  db: Kysely<Database>,
  caseId: string,
  fields: Partial<Insertable<Database['case_parts']>> = {},
): Promise<string> {
  const row = {
    ...{
      case_id: caseId,
      position: 1,
      kind: 'note' as const,
      mission_id: null,
      subject_id: null,
      start_time: null,
      end_time: null,
    },
    ...{ title: 'note', text: '', remark: '', author_id: null, author: 'somebody', added: 0 },
    ...fields,
  };
  return (await db.insertInto('case_parts').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** A bookmark of a mission whose recording has not been read. */
export async function addBookmark(
  db: Kysely<Database>,
  missionId: string,
  fields: Partial<Insertable<Database['bookmarks']>> = {},
): Promise<string> {
  const row = {
    ...{ mission_id: missionId, sensor_id: null, file_id: null, run: null, pts: null, last_time: 0, title: 'bookmark' },
    ...{ text: '', color: '#000000', tags: [], thumbnail: null, author_id: null, author: 'a', editor: 'a', created: 0 },
    ...fields,
  };
  return (await db.insertInto('bookmarks').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** A clip of a mission, of one second, whose sensor is gone. */
export async function addClip(
  db: Kysely<Database>,
  missionId: string,
  fields: Partial<Insertable<Database['clips']>> = {},
): Promise<string> {
  const row = { mission_id: missionId, title: 'clip', note: '', tags: [], author_id: null, author: 'a', editor: 'a' };
  const { id } = await db
    .insertInto('clips')
    .values({ ...row, created: 0, ...fields })
    .returning('id')
    .executeTakeFirstOrThrow();
  const ends = { in_file: null, in_run: null, in_pts: null, out_file: null, out_run: null, out_pts: null };
  await db
    .insertInto('clip_cuts')
    .values({ clip_id: id, position: 0, sensor_id: null, ...ends, in_time: 1_000_000, out_time: 2_000_000 })
    .execute();
  return id;
}

/** A version of a case that was exported, whose package is not there. */
export async function addCaseExport(
  db: Kysely<Database>,
  caseId: string,
  fields: Partial<Insertable<Database['case_exports']>> = {},
): Promise<string> {
  const frozen = JSON.stringify({ number: 1, name: 'case', description: '', parts: [] });
  const row = {
    ...{ case_id: caseId, version: 1, created_time: 0, created_by_id: null, created_by: 'somebody', frozen },
    ...{ classification: 1, state: 'Ready' as const, message: null, size_bytes: 5, sha256: null, storage_key: null },
    ...{ expires_time: Number.MAX_SAFE_INTEGER, job_id: null },
    ...fields,
  };
  return (await db.insertInto('case_exports').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

type Refusal = { code: string; text: string; values: Record<string, string> };
type Fields = Record<string, unknown>;

/** Actions of a test on cases by the calls of the API. */
export function casesOf(server: Pick<TestServer, 'asUser' | 'groups'>) {
  async function ask<Answer = CaseRow & Refusal>(
    who: Subject,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
  ) {
    const answer = await server.asUser(who).inject({ method, url: `/api/cases${path}`, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json() as Answer, headers: answer.headers };
  }

  const create = (who: Subject, fields: Fields = {}) =>
    ask(who, 'POST', '', {
      ...{ name: 'Case', securityClassification: 'UNCLASSIFIED', usergroups: [server.groups.G1] },
      ...fields,
    });

  return {
    ask,
    create,
    /** Its id. */
    async made(who: Subject, fields: Fields = {}): Promise<string> {
      const { status, body } = await create(who, fields);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body._id;
    },
    read: (who: Subject, id: string) => ask(who, 'GET', `/${id}`),
    async list(who: Subject, query = ''): Promise<CaseRow[]> {
      return (await ask<CaseRow[]>(who, 'GET', query)).body;
    },
    async parts(who: Subject, id: string): Promise<CasePart[]> {
      return (await ask<CasePart[]>(who, 'GET', `/${id}/parts`)).body;
    },
    add: (who: Subject, id: string, parts: readonly object[], more: object = {}) =>
      ask<CasePart[] & Refusal>(who, 'POST', `/${id}/parts`, { parts, ...more }),
    change: async (who: Subject, id: string, fields: Fields) => {
      const { revision } = (await ask('SA', 'GET', `/${id}`)).body;
      return ask(who, 'PUT', `/${id}`, { revision, ...fields });
    },
    comments: async (who: Subject, id: string) => (await ask<CaseComment[]>(who, 'GET', `/${id}/comments`)).body,
  };
}
