import { AppError } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { asSystem } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { requestAudit } from '../../base/audit/request-audit.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Http } from '../../base/http/call-route.ts';
import { bytesOfRecordings } from '../../base/items/stored-bytes.ts';
import { uploadsUnderWay } from '../../uploads/under-way.ts';

const DURATIONS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const JOB_STATES = ['waiting', 'running', 'failed'];

export type MetricsDeps = Http & {
  db: Kysely<Database>;
  sockets: () => number;
  onlineUsers: () => number;
  /** Adds the metrics of other parts of the server. */
  addTo: (register: Registry) => void;
};

/**
 * GET /metrics for Prometheus, for superAdmin and admin with Basic authentication. Contains only numbers and route
 * patterns, never an id or a name.
 */
export function metricsRoutes(deps: MetricsDeps): void {
  const { app, db } = deps;
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  deps.addTo(register);
  const durations = new Histogram({
    name: 'osprey_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS_SECONDS,
    registers,
  });
  const received = new Counter({
    name: 'osprey_http_received_bytes_total',
    help: 'Bytes of request bodies, as announced',
    labelNames: ['route'],
    registers,
  });
  gauge('osprey_sockets', 'Open event sockets', deps.sockets);
  gauge('osprey_online_users', 'Accounts with an open page', deps.onlineUsers);
  gauge('osprey_uploads_open', 'Resumable uploads under way', async () => (await uploads()).count);
  gauge('osprey_uploads_durable_bytes', 'Bytes of them that are safe on disk', async () => (await uploads()).bytes);
  gauge('osprey_ingest_bytes', 'Bytes of all recordings that were taken', () => bytesOfRecordings(db, 'metrics'));
  const jobs = new Gauge({
    name: 'osprey_jobs',
    help: 'Jobs by state',
    labelNames: ['state'],
    registers,
    async collect() {
      const rows = await asSystem(db, 'metrics')
        .selectFrom('jobs')
        .select(['state', sql<number>`count(*)`.as('count')])
        .where('state', 'in', JOB_STATES)
        .groupBy('state')
        .execute();
      for (const state of JOB_STATES) jobs.set({ state }, rows.find((row) => row.state === state)?.count ?? 0);
    },
  });

  function gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const made: Gauge = new Gauge({
      name,
      help,
      registers,
      async collect() {
        made.set(await read());
      },
    });
  }

  const uploads = () => uploadsUnderWay(db);

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    const bytes = Number(request.headers['content-length'] ?? 0);
    if (bytes > 0) received.inc({ route }, bytes);
  });

  app.route({
    method: 'GET',
    url: '/metrics',
    config: { policy: 'metrics.read' },
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      if (deps.setUpNeeded()) throw new AppError('notSetUp');
      const { actor, refusal, credentialId: session } = await deps.identify(request, { media: false });
      if (actor === null) throw new AppError(refusal ?? 'notSignedIn');
      try {
        authorize(actor, 'metrics.read');
      } catch (error) {
        const audit = requestAudit(deps.auditWriter, { actor, session, address: request.ip }, deps.nowUs);
        await audit.write({ action: 'metrics.read', decision: 'refused', result: 'forbidden' });
        throw error;
      }
      return reply
        .header('cache-control', 'no-store')
        .type(register.contentType)
        .send(await register.metrics());
    },
  });
}
