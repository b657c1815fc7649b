import type { DocumentGeometry } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { shapesOf } from '../../base/db/shapes.ts';

/** Writes the shapes by which the geographic filter finds the document. */
export async function writeShapes(tx: Db, documentId: string, geometry: DocumentGeometry | null): Promise<void> {
  await asSystem(tx, 'document').deleteFrom('document_shapes').where('document_id', '=', documentId).execute();
  const rows = (geometry === null ? [] : shapesOf(geometry)).map((shape) => ({ document_id: documentId, shape }));
  for (let start = 0; start < rows.length; start += 500) {
    await tx
      .insertInto('document_shapes')
      .values(rows.slice(start, start + 500))
      .execute();
  }
}
