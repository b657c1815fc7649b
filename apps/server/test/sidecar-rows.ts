import type { SidecarRow } from '../src/media/formats/sidecars/row.ts';
import { readSidecar, type SidecarSource } from '../src/media/formats/sidecars/sidecar.ts';

/** All of a sidecar, read in small pieces. */
export async function rowsOf(text: string | Uint8Array, options: Omit<SidecarSource, 'open'> = {}) {
  const bytes = Buffer.from(text as string);
  async function* open() {
    for (let at = 0; at < bytes.byteLength; at += 1000) yield bytes.subarray(at, at + 1000);
  }
  const sidecar = await readSidecar({ open, ...options });
  const rows: SidecarRow[] = [];
  for await (const row of sidecar.rows) rows.push(row);
  return { ...sidecar, rows };
}
