import { Readable } from 'node:stream';
import {
  createAnnotation,
  deleteAnnotation,
  deleteAnnotations,
  exportAnnotations,
  importAnnotations,
  listAnnotationBin,
  listAnnotations,
  restoreAnnotations,
  updateAnnotation,
} from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { auditedChange, auditedItem } from '../../base/audit/item-notes.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { AnnotationChanges } from './changes.ts';
import { exportedFile, exportedRows } from './export.ts';
import type { AnnotationFrames } from './frames.ts';
import type { AnnotationImport } from './import.ts';
import type { AnnotationRepository } from './repository.ts';
import { factsOfAnnotation, type StoredAnnotation } from './rows.ts';

export type AnnotationRoutesDeps = Http & {
  db: Db;
  annotations: AnnotationRepository;
  importer: AnnotationImport;
  changes: AnnotationChanges;
  frames: Pick<AnnotationFrames, 'frameOf' | 'refresh'>;
  /** Asks open clients to read these rows again. */
  changed: (noun: 'annotations', ids: string[]) => void;
};

export function annotationRoutes(deps: AnnotationRoutesDeps): void {
  const { db, annotations, changes, frames, importer, changed } = deps;
  const idsOf = (rows: readonly StoredAnnotation[]) => rows.map(({ id }) => id);
  const titlesOf = (rows: readonly StoredAnnotation[]) => rows.map(({ title }) => title).join(', ');

  callRoute(deps, listAnnotations, async ({ input: { query }, actor, reply, audit }) => {
    if (query.id !== undefined) {
      const { row, annotation } = await annotations.whole(actor, query.id);
      const facts = factsOfAnnotation(row);
      authorize(actor, 'annotation.read', facts);
      await audit.read('annotation.read', facts);
      return annotation;
    }
    const { bbox } = query;
    if (bbox !== undefined && query.rows !== true) {
      reply.header('content-type', 'application/json; charset=utf-8');
      return Readable.from([Buffer.from(await annotations.shown(actor, { ...query, bbox }))]);
    }
    const [{ rows, next }, count] = await Promise.all([
      annotations.page(actor, query),
      query.count ? annotations.count(actor, query) : null,
    ]);
    if (next !== null) reply.header('x-next-after', next);
    if (count !== null) reply.header('x-total-count', String(count));
    return rows;
  });

  callRoute(deps, listAnnotationBin, async ({ actor }) => annotations.bin(actor));

  callRoute(deps, createAnnotation, async ({ input: { body }, actor, audit }) => {
    authorize(actor, 'annotation.createAny');
    const id = await changes.create(actor, body, { frame: await frames.frameOf(actor, body) });
    const { row, annotation } = await annotations.read(actor, id);
    await audit.write({ action: 'annotation.create', ...auditedItem(factsOfAnnotation(row)) });
    changed('annotations', [id]);
    return annotation;
  });

  callRoute(deps, updateAnnotation, async ({ input: { params, body }, actor, audit }) => {
    if (body.startTime !== undefined) await frames.refresh(params.id);
    const change = await changes.update(actor, params.id, body);
    await audit.write(auditedChange('annotation.update', change));
    changed('annotations', [params.id]);
    return (await annotations.read(actor, params.id)).annotation;
  });

  callRoute(deps, deleteAnnotation, async ({ input: { params }, actor, audit }) => {
    const rows = await changes.remove(actor, [params.id]);
    for (const row of rows) await audit.write({ action: 'annotation.delete', ...auditedItem(factsOfAnnotation(row)) });
    changed('annotations', idsOf(rows));
    return { message: 'Annotation deleted successfully' };
  });

  callRoute(deps, deleteAnnotations, async ({ input: { body }, actor, audit }) => {
    authorize(actor, 'annotation.createAny');
    const rows = await changes.remove(actor, body.annotations);
    for (const row of rows) await audit.write({ action: 'annotation.delete', ...auditedItem(factsOfAnnotation(row)) });
    changed('annotations', idsOf(rows));
    return { message: `Annotations ${titlesOf(rows)} deleted.` };
  });

  callRoute(deps, restoreAnnotations, async ({ input: { body }, actor, audit }) => {
    authorize(actor, 'annotation.createAny');
    const rows = await changes.restore(actor, body.annotations);
    for (const row of rows) await audit.write({ action: 'annotation.restore', ...auditedItem(factsOfAnnotation(row)) });
    changed('annotations', idsOf(rows));
    return { message: `Annotations ${titlesOf(rows)} restored.` };
  });

  callRoute(deps, exportAnnotations, async ({ input: { body }, actor, reply, audit }) => {
    const rows = await exportedRows(db, actor, body);
    for (const row of rows)
      await audit.write({ action: 'annotation.export', ...auditedItem(factsOfAnnotation(row)), result: body.format });
    const { text, type, name } = exportedFile(annotations, actor, body, rows);
    reply.header('content-type', type).header('content-disposition', `attachment; filename="${name}"`);
    reply.header('cache-control', 'private, no-store').header('x-total-count', String(rows.length));
    reply.header('content-security-policy', "sandbox; default-src 'none'").header('x-content-type-options', 'nosniff');
    return Readable.from(text);
  });

  callRoute(deps, importAnnotations, ({ input: { query }, actor, request }) =>
    importer.read(actor, request, query.simplify === true),
  );
}
