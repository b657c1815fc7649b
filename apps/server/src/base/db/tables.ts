import type { Json } from './schema.ts';

declare module './schema.ts' {
  interface Database {
    settings: { key: string; value: Json<unknown> };
  }
}
