import { type Logger, type LoggerOptions, pino } from 'pino';
import { faultOf } from './faults.ts';
import { readSyslogTarget, syslogStream } from './syslog.ts';

const redact = ['req.headers', '*.authorization', '*.cookie', '*.password'];

/** Pino settings. Errors are under `error` in Osprey's own lines, and under `err` in Fastify's. */
export const settingsOf = (level: string): LoggerOptions => ({
  level,
  redact,
  serializers: { error: faultOf, err: faultOf },
});

/** Logs to standard error, and to the collector of OSPREY_SYSLOG if it is set. */
export function createLog(level: string, syslog: { target: string | null; role: string } | null = null): Logger {
  const own = pino.destination(2);
  const target = syslog?.target ? readSyslogTarget(syslog.target) : undefined;
  if (syslog === null || target === undefined) return pino(settingsOf(level), own);
  const streams = [own, syslogStream(target, syslog.role)].map((stream) => ({ stream, level: 'trace' as const }));
  return pino(settingsOf(level), pino.multistream(streams));
}
