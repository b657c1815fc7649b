declare module '../../base/db/schema.ts' {
  interface Database {
    /** Links by which the owners of accounts set their passwords; at most one per account. */
    password_links: {
      user_id: string;
      /** SHA-256 of the 256 random bits in the link. */
      secret_hash: Buffer;
      created: number;
      expires: number;
      made_by: string | null;
    };
  }
}

export {};
