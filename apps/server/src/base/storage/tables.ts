declare module '../db/schema.ts' {
  interface Database {
    /** Folders of the storage whose rows are gone. */
    doomed_folders: { folder: string; since: number };
  }
}

export {};
