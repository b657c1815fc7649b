import { sql } from 'kysely';

/** Functions shared by the files of contents. */

export const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
export const iso = (us: number | null): string | null => (us === null ? null : new Date(us / 1000).toISOString());

/** Maximum size of a picture in a report. */
export const PICTURE_MAX_BYTES = 1024 * 1024;

/** Turns a name into one that every file system accepts. */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._]+/, '');
  const end = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? '';
  return `${
    Array.from(plain.slice(0, plain.length - end.length))
      .slice(0, 40)
      .join('') || 'file'
  }${end}`;
}

/** Texts for the origin of a snapshot's picture. */
export const pictureTexts = {
  server: 'Picture from the recording',
  browser: 'Picture from the browser',
  overlays: 'Picture with overlays, drawn by the browser',
} as const;

/** Box of a polygon of PostgreSQL, as a JSON array; [0] of a box is its upper right corner. */
export const boxOf = (column: string) => sql`json_build_array(
  ((${sql.ref(column)}::box)[1])[0], ((${sql.ref(column)}::box)[1])[1],
  ((${sql.ref(column)}::box)[0])[0], ((${sql.ref(column)}::box)[0])[1])`;
