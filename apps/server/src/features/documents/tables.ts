import type { DocumentTable, DocumentUsergroupTable } from '../../base/items/tables.ts';

declare module '../../base/db/schema.ts' {
  interface Database {
    document_shapes: { document_id: string; shape: string };
    documents: DocumentTable;
    document_usergroups: DocumentUsergroupTable;
  }
}
