import type { Generated } from 'kysely';

declare module '../db/schema.ts' {
  interface Database {
    /** State of stored bytes. A row is created for a file or document at its first check or fault. */
    stored_checks: {
      id: Generated<string>;
      file_id: string | null;
      document_id: string | null;
      /** When its bytes were last looked at: read from end to end, or found damaged. */
      checked: number | null;
      fault: 'missing' | 'size' | 'content' | 'unreadable' | null;
      /** Length of the file when the fault was found, in bytes; null if the file was missing. */
      found_bytes: number | null;
      found: number | null;
      /** SHA-256 of the content that a backup holds in place of the damaged one. */
      kept_sha256: string | null;
      /** Time at which a user accepted the loss and gave a reason. */
      accepted: number | null;
      accepted_by: string | null;
      accepted_reason: string | null;
    };
  }
}
