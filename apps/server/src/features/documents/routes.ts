import {
  type Actor,
  can,
  createDocument,
  deleteDocument,
  getDocument,
  listDocumentBin,
  listDocuments,
  MEDIA_TOKEN_MS,
  restoreDocuments,
  updateDocument,
} from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { auditedChange, auditedItem } from '../../base/audit/item-notes.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Session } from '../../base/http/session.ts';
import { factsOfDocument } from '../../base/items/document-facts.ts';
import type { MediaTokens } from '../../base/items/media-token.ts';
import { type NewDocumentDeps, receiveDocument } from './receive.ts';
import type { DocumentRepository, DocumentTokenOf } from './repository.ts';
import { toDocument } from './rows.ts';
import { downloadSum, type SnapshotCopy } from './snapshot-copy.ts';

export type DocumentRoutesDeps = Http &
  NewDocumentDeps & {
    documents: DocumentRepository;
    mediaTokens: Pick<MediaTokens, 'sign'>;
    /** Returns a snapshot as it is downloaded. @throws AppError badFile */
    snapshotCopy: SnapshotCopy;
    /** Notifies open clients to fetch these rows again. */
    changed: (noun: 'documents', ids: string[]) => void;
  };

export function documentRoutes(deps: DocumentRoutesDeps): void {
  const { documents, changes, changed } = deps;

  callRoute(deps, listDocuments, async ({ input: { query }, actor, session, request, reply }) => {
    const [{ rows, next }, count] = await Promise.all([
      documents.page(actor, query, tokenOf(deps.mediaTokens, { actor, session, address: request.ip })),
      query.count ? documents.count(actor, query) : null,
    ]);
    if (next !== null) reply.header('x-next-after', next);
    if (count !== null) reply.header('x-total-count', String(count));
    return rows;
  });

  callRoute(deps, listDocumentBin, async ({ actor }) => documents.bin(actor));

  callRoute(deps, getDocument, async ({ input: { params }, actor, session, request, audit }) => {
    const row = await documents.read(actor, params.id);
    const facts = factsOfDocument(row);
    authorize(actor, 'document.read', facts);
    await audit.read('document.read', facts);
    const token = tokenOf(deps.mediaTokens, { actor, session, address: request.ip });
    const [shown] = await documents.shown(actor, [row], token);
    return { ...shown!, downloadSha256: await downloadSum(deps.snapshotCopy, actor, row) };
  });

  callRoute(deps, createDocument, async ({ actor, request, audit }) => {
    authorize(actor, 'document.createAny');
    return toDocument(await receiveDocument(deps, { actor, audit }, request), actor);
  });

  callRoute(deps, updateDocument, async ({ input: { params, body }, actor, audit }) => {
    const change = await changes.update(actor, params.id, body);
    await audit.write(auditedChange('document.update', change));
    changed('documents', [params.id]);
    return shown(actor, params.id);
  });

  callRoute(deps, deleteDocument, async ({ input: { params }, actor, audit }) => {
    const row = await changes.remove(actor, params.id);
    await audit.write({ action: 'document.delete', ...auditedItem(factsOfDocument(row)) });
    changed('documents', [row.id]);
    return { message: `Document ${row.title} deleted.` };
  });

  callRoute(deps, restoreDocuments, async ({ input: { body }, actor, audit }) => {
    authorize(actor, 'document.createAny');
    const rows = await changes.restore(actor, body.documents);
    for (const row of rows) await audit.write({ action: 'document.restore', ...auditedItem(factsOfDocument(row)) });
    changed(
      'documents',
      rows.map((row) => row.id),
    );
    return { message: `Documents ${rows.map((row) => row.title).join(', ')} restored.` };
  });

  const shown = async (actor: Actor, id: string) => toDocument(await documents.read(actor, id), actor);
}

type Asking = { actor: Actor; session: Session; address: string };

/**
 * Tokens are bound to this session, to this address, and to the epochs of user and document, as for the media of
 * missions.
 */
function tokenOf(tokens: Pick<MediaTokens, 'sign'>, { actor, session, address }: Asking): DocumentTokenOf {
  const { id, userEpoch } = session;
  return (row) => {
    if (id === null || !can(actor, 'document.download', factsOfDocument(row)).allowed) return null;
    const own = { noun: 'documents', item: row.id, itemEpoch: row.epoch };
    return tokens.sign({ user: actor.id, userEpoch, ...own, session: id, address }, MEDIA_TOKEN_MS);
  };
}
