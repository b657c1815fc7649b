import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { AppError, type Job, type Mission, type NewMission } from '@osprey/contract';
import { ffmpegTools } from '../src/base/ffmpeg/ffmpeg.ts';
import { findSandbox, type Sandbox } from '../src/base/ffmpeg/sandbox.ts';
import { jobDefinitions } from '../src/compose/job-definitions.ts';
import type { Subject, TestServer } from './server.ts';
import { type TestServerOptions, testServer } from './server.ts';

export type RecordingServer = Awaited<ReturnType<typeof recordingServer>>;
export type Uploaded = { name?: string; path: string };

type RecordingServerOptions = TestServerOptions & {
  /** Leaves out other kinds. */
  jobs?: readonly Job['kind'][];
  /** Where its decoders run; default: the best of this machine. */
  sandbox?: Sandbox;
};

/** The real api process with its jobs done on demand, in the order they were given. */
export async function recordingServer(options: RecordingServerOptions = {}) {
  const server = await testServer(options);
  const ffmpeg = ffmpegTools({ sandbox: options.sandbox ?? (await findSandbox('auto')) });
  const all = jobDefinitions({ ...server.dependencies, ffmpeg });
  const definitions = all.filter(({ kind }) => options.jobs?.includes(kind) ?? true);

  /** Works until nothing waits. Returns the sentences of jobs that failed. */
  async function work(): Promise<string[]> {
    const failures: string[] = [];
    for (;;) {
      const job = await server.db
        .selectFrom('jobs')
        .selectAll()
        .where('state', '=', 'waiting')
        .where(
          'kind',
          'in',
          definitions.map(({ kind }) => kind),
        )
        .orderBy('created')
        .executeTakeFirst();
      const definition = definitions.find(({ kind }) => kind === job?.kind);
      if (!job || !definition) return failures;
      const order = {
        jobId: job.id,
        missionId: job.mission_id,
        sensorId: job.sensor_id,
        fileId: job.file_id,
        documentId: job.document_id,
      };
      const outcome = await definition
        .run({ ...order, attempt: 1, signal: new AbortController().signal, progress: () => {} })
        .then(
          () => 'done' as const,
          async (error) => {
            if (!(error instanceof AppError) || error.status >= 500) throw error;
            failures.push(error.message);
            await definition.ended({ ...order, outcome: 'failed', sentence: error.message });
            return 'failed' as const;
          },
        );
      await server.db.updateTable('jobs').set({ state: outcome }).where('id', '=', job.id).execute();
    }
  }

  const ask = (who: Subject) => askAs(server, who);

  /** Creates a mission, uploads the files to its sensors by name, and works. */
  async function record(
    mission: Partial<Omit<NewMission, 'securityClassification'>> & { name: string; securityClassification?: string },
    files: Uploaded[] | Record<string, Uploaded[]>,
    who: Subject = 'SA',
  ): Promise<{ mission: Mission; uploads: number[]; failures: string[] }> {
    const bySensor = Array.isArray(files) ? { 'EO/IR': files } : files;
    const sensors = Object.keys(bySensor).map((name) => ({ name }));
    const created = await ask(who).post<Mission>('/api/missions', {
      securityClassification: 'UNCLASSIFIED',
      audience: 'everyone',
      sensors,
      ...mission,
    });
    if (created.status !== 200) throw new Error(`Mission not created: ${JSON.stringify(created.body)}`);
    const uploads: number[] = [];
    for (const [sensor, own] of Object.entries(bySensor)) {
      const address = `/api/missions/upload/${created.body._id}/${encodeURIComponent(sensor)}`;
      uploads.push((await upload(server, who, address, own)).status);
    }
    const failures = await work();
    const read = await ask(who).get<Mission>(`/api/missions/${created.body._id}`);
    return { mission: read.body, uploads, failures };
  }

  return { ...server, work, record, ask };
}

type Answer<T> = {
  status: number;
  body: T;
  headers: Record<string, string | string[] | number | undefined>;
  raw: Buffer;
};

/** Calls in the name of one of the subjects. */
export function askAs(server: Pick<TestServer, 'asUser'>, who: Subject) {
  const send = async <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, headers = {}) => {
    const answer = await server.asUser(who).inject({ method, url, headers, ...(payload ? { payload } : {}) });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    const body = (isJson ? answer.json() : answer.body) as T;
    return { status: answer.statusCode, body, headers: answer.headers, raw: answer.rawPayload } satisfies Answer<T>;
  };
  return {
    get: <T = unknown>(url: string, headers: Record<string, string> = {}) => send<T>('GET', url, undefined, headers),
    post: <T = unknown>(url: string, payload: object = {}) => send<T>('POST', url, payload),
    put: <T = unknown>(url: string, payload: object) => send<T>('PUT', url, payload),
    delete: <T = unknown>(url: string, payload?: object) => send<T>('DELETE', url, payload),
  };
}

const BOUNDARY = 'osprey-test-boundary';

async function upload(server: TestServer, who: Subject, url: string, files: Uploaded[]) {
  async function* form() {
    for (const { path, name = basename(path) } of files) {
      yield `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n`;
      yield 'content-type: application/octet-stream\r\n\r\n';
      yield* createReadStream(path);
      yield '\r\n';
    }
    yield `--${BOUNDARY}--\r\n`;
  }
  const answer = await server.asUser(who).inject({
    method: 'POST',
    url,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    payload: Readable.from(form()),
  });
  return { status: answer.statusCode, body: answer.json() as unknown };
}
