import { type Logger, pino } from 'pino';
import { readSyslogTarget, syslogStream } from './syslog.ts';

const redact = ['req.headers', '*.authorization', '*.cookie', '*.password'];

/** To standard error, and to the collector of OSPREY_SYSLOG where one is set. */
export function createLog(level: string, syslog: { target: string | null; role: string } | null = null): Logger {
  const own = pino.destination(2);
  const target = syslog?.target ? readSyslogTarget(syslog.target) : undefined;
  if (syslog === null || target === undefined) return pino({ level, redact }, own);
  const streams = [own, syslogStream(target, syslog.role)].map((stream) => ({ stream, level: 'trace' as const }));
  return pino({ level, redact }, pino.multistream(streams));
}
