import { type Kysely, sql } from 'kysely';

/**
 * State of the stored bytes of recordings and documents: when they were last read from end to end, the faults found,
 * and who accepted their loss. A row comes with the first reading or fault. Files that are put back from a backup are
 * orders next to the backups themselves.
 */
const statements = [
  `create table stored_checks (
    id uuid primary key default gen_random_uuid(),
    file_id uuid constraint stored_checks_file unique references files on delete cascade,
    document_id uuid constraint stored_checks_document unique references documents on delete cascade,
    checked bigint,
    fault text check (fault in ('missing', 'size', 'content', 'unreadable')),
    found_bytes bigint,
    found bigint,
    kept_sha256 text,
    accepted bigint,
    accepted_by uuid references users on delete set null,
    accepted_reason text
  )`,
  `create index stored_checks_faults on stored_checks (found) where fault is not null`,
  `alter table backup_runs drop constraint backup_runs_kind_check`,
  `alter table backup_runs add constraint backup_runs_kind_check check (kind in ('create', 'verify', 'delete', 'restore'))`,
  `alter table backup_runs add column item_id uuid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
