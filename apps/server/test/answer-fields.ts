import { z } from 'zod';

/** Names of fields that carry what opens something. */
export const OPENS = /(?:key|secret|token|ticket|credential|password|passphrase|codes)$/i;

/** Names of all fields of a schema, at every depth. */
export function fieldsOf(schema: z.ZodType): string[] {
  const names: string[] = [];
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => void names.push(...Object.keys(jsonSchema.properties ?? {})),
  });
  return names;
}
