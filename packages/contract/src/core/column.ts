import { z } from 'zod';

type Plain = 'integer' | 'number' | 'string' | 'null';
type PlainValue<Kind extends Plain> = Kind extends 'string' ? string : Kind extends 'null' ? null : number;

/**
 * Schema of a long array of plain values (a `number` is finite, an `integer` safe), validated in one pass. A minute of
 * telemetry has a hundred thousand values, and a separate schema for each would take a hundred times as long. API
 * descriptions show it like any other array.
 */
export function column<Kind extends Plain>(...kinds: Kind[]) {
  const [takesIntegers, takesNumbers, takesTexts, takesNulls] = (['integer', 'number', 'string', 'null'] as const).map(
    (kind) => (kinds as Plain[]).includes(kind),
  );
  const isValue = (value: unknown) => {
    if (typeof value === 'number')
      return takesNumbers ? Number.isFinite(value) : takesIntegers && Number.isSafeInteger(value);
    if (typeof value === 'string') return takesTexts;
    return value === null && takesNulls;
  };
  return z
    .custom<PlainValue<Kind>[]>((values) => Array.isArray(values) && values.every(isValue), 'Expected plain values')
    .meta({ type: 'array', items: { type: kinds.length === 1 ? kinds[0] : kinds } });
}
