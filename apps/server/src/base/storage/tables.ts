declare module '../db/schema.ts' {
  interface Database {
    /** Storage directories whose database rows have been deleted, to be removed. */
    doomed_folders: { folder: string; since: number };
  }
}

export {};
