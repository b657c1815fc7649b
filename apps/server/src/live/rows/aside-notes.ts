import type { Db } from '../../base/access/as-system.ts';
import { auditedItem } from '../../base/audit/item-notes.ts';
import type { AuditNote } from '../../base/audit/request-audit.ts';
import { platformFacts } from '../../base/items/platform-facts.ts';
import type { SourceState } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from './mirror.ts';

const ACTION = 'platform.setAside';
/** Retry interval while the audit cannot be written, in milliseconds. */
const RETRY_MS = 10_000;

type Deps = {
  db: Db;
  mirror: Pick<RecorderMirror, 'subscribe' | 'sources'>;
  audit: (note: AuditNote) => Promise<void>;
  log: { warn: (fields: object, text: string) => void };
};

/** Writes an audit row each time the recorder sets a sensor aside, and never a second one, even after a restart. */
export function asideNotes({ db, mirror, audit, log }: Deps) {
  const retained = new Set<string>();
  let work: Promise<void> = Promise.resolve();

  mirror.subscribe({
    onMessage(message) {
      if (message.kind === 'source' && message.source.aside) noteNew();
      if (message.kind === 'hello' && message.sources.some(({ aside }) => aside)) noteNew();
    },
  });
  const timer = setInterval(noteNew, RETRY_MS);

  function noteNew(): void {
    const fresh = [...mirror.sources()].filter((source) => source.aside && !retained.has(keyOf(source)));
    if (fresh.length === 0) return;
    work = work.then(async () => {
      for (const source of fresh) await write(source);
    });
    work = work.catch((error) =>
      log.warn({ error }, 'that a sensor was set aside could not be written into the audit'),
    );
  }

  async function write(source: SourceState): Promise<void> {
    const { platformId } = source;
    const result = keyOf(source);
    if (retained.has(result)) return;
    const query = db.selectFrom('audit').select('seq').where('item_id', '=', platformId);
    const before = await query.where('action', '=', ACTION).where('result', '=', result).executeTakeFirst();
    const facts = (await platformFacts(db, [platformId])).get(platformId);
    if (before === undefined && facts !== undefined) {
      const reason = 'Reading this stream failed twice within a minute. It is tried again after 10 minutes.';
      await audit({ action: ACTION, ...auditedItem({ ...facts, id: platformId }), result, reason });
    }
    retained.add(result);
  }

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await work;
    },
  };
}

const keyOf = ({ sensorId, aside }: SourceState): string => `sensor ${sensorId} at ${aside?.sinceUs}`;
