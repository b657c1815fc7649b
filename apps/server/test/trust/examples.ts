/** The part of JSON Schema that the contract's description uses. */
export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  format?: string;
  minLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  [key: string]: unknown;
};

/** A value that the schema takes, with what it asks for and nothing more; ids are `id`. */
export function exampleOf(schema: Schema, id: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.[0]) return exampleOf(choices[0], id);
  switch ([schema.type].flat()[0]) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, id)]));
    }
    case 'array':
      return schema.items ? [exampleOf(schema.items, id)] : [];
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return schema.format === 'uuid' ? id : 'correct-horse-battery'.padEnd(schema.minLength ?? 0, 'x');
  }
}
