import type { Generated, GeneratedAlways } from 'kysely';

declare module '../db/schema.ts' {
  interface Database {
    users: {
      id: Generated<string>;
      username: string;
      /** The username in lower case: two accounts never differ in case alone. */
      username_key: string;
      first_name: Generated<string>;
      last_name: Generated<string>;
      company: Generated<string>;
      email: Generated<string>;
      country: Generated<string>;
      role: string;
      clearance: number;
      /** argon2id in PHC form; null for the guest, who has no password. */
      password_hash: string | null;
      disabled: Generated<boolean>;
      /** The account is registered but not yet approved. Such accounts are also disabled. */
      waiting: Generated<boolean>;
      /** Username, names, company and email in lower case; made by the database. */
      search_text: GeneratedAlways<string>;
      /**
       * Incremented with every change of rights or password. Open sessions compare it with the value they started with.
       */
      epoch: Generated<number>;
      registered: number;
      last_access: number | null;
      deleted_time: number | null;
    };
    usergroups: {
      id: Generated<string>;
      name: string;
      description: Generated<string>;
      /** The group's ceiling: 1 UNCLASSIFIED to 5 TOP SECRET. */
      classification: number;
      live_modes: Generated<string[]>;
      created: number;
    };
    user_usergroups: { user_id: string; usergroup_id: string };
    user_administered: { user_id: string; usergroup_id: string };
    credentials: {
      id: Generated<string>;
      user_id: string;
      /** SHA-256 of the 256 random bits that the page keeps. */
      secret_hash: Buffer;
      /** SHA-256 of the cookie's value; null for credentials of scripts. */
      cookie_hash: Buffer | null;
      created: number;
      last_used: number;
      expires: number;
      client: string;
      address: string;
      /** The credential was created for a program and does not expire when idle. */
      for_script: Generated<boolean>;
      /** Highest label that sessions of this credential may see, 1 to 5. */
      ceiling: Generated<number>;
    };
    second_factors: {
      user_id: string;
      /** The base32 secret, encrypted with the server's key. */
      secret: string;
      created: number;
      /** Time at which the first correct code was entered; null until then. */
      confirmed: number | null;
      /** RFC 6238 time step of the last accepted code, since each code is accepted only once. */
      last_step: Generated<number>;
    };
    /** Links an identity at a provider to its account. Accounts are never matched by e-mail or name. */
    single_sign_on: { issuer: string; subject: string; user_id: string; created: number; last_sign_in: number };
  }
}
