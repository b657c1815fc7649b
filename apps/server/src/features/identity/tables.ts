declare module '../../base/db/schema.ts' {
  interface Database {
    recovery_codes: { user_id: string; code_hash: Buffer };
  }
}

export {};
