import { createHash } from 'node:crypto';
import { finished, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { AuditAbout } from '../../base/audit/about.ts';
import type { AuditNote, RequestAudit } from '../../base/audit/request-audit.ts';

type Options = {
  reply: FastifyReply;
  audit: RequestAudit;
  note: AuditAbout & Pick<AuditNote, 'usergroups' | 'reason'>;
  /**
   * Actions of the audit row written at the end: `whole` if everything was sent, `broken` if the transfer was aborted.
   */
  actions: { whole: string; broken: string };
  /** Called once when nothing more is sent. */
  over: () => void;
};

/**
 * Sends a stream and records its end in the audit: size and SHA-256 once the last byte has been sent, otherwise the
 * number of bytes that were passed to the network.
 */
export function auditedStream(
  source: AsyncIterable<Uint8Array>,
  { reply, audit, note, actions, over }: Options,
): Readable {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let isComplete = false;
  async function* counted() {
    for await (const bytes of source) {
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
      yield bytes;
    }
    isComplete = true;
  }
  finished(reply.raw, (error) => {
    over();
    const row =
      isComplete && !error
        ? { action: actions.whole, result: `${sizeBytes} bytes`, reason: `SHA-256 ${hash.digest('hex')}` }
        : { action: actions.broken, result: 'broken off', reason: `${sizeBytes} bytes sent` };
    // A failure here loses only the record of the end; the beginning is already in the audit.
    audit.write({ ...note, ...row }).catch(() => {});
  });
  return Readable.from(counted(), { objectMode: false });
}
