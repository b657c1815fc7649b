import type { Generated } from 'kysely';
import type { AuditEntry, ChainedRow, ChainHead } from '../db/audit-rows.ts';
import type { Json } from '../db/schema.ts';

declare module '../db/schema.ts' {
  interface Database {
    audit: ChainedRow;
    /** Changes in progress, with the node whose chain will get their audit rows. */
    audit_intents: { id: Generated<string>; node: string; entry: Json<AuditEntry> };
    /** Heads of all chains at one moment, signed. */
    audit_checkpoints: {
      number: number;
      time: number;
      chains: Json<ChainHead[]>;
      key_id: string;
      signature: Buffer;
    };
  }
}
