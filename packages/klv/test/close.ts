import { expect } from 'vitest';

const RELATIVE = 1e-9;
const ABSOLUTE = 1e-12;

/** Compares two trees of values; numbers may differ by rounding errors in the last digits. */
export function expectClose(actual: unknown, expected: unknown, path = ''): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const allowed = Math.max(ABSOLUTE, Math.abs(expected) * RELATIVE);
    expect(Math.abs(actual - expected), `${path}: ${actual} is not ${expected}`).toBeLessThanOrEqual(allowed);
    return;
  }
  if (typeof expected === 'object' && expected !== null && !(expected instanceof Uint8Array)) {
    expect(actual, path).toBeTypeOf('object');
    for (const [key, value] of Object.entries(expected)) {
      expectClose((actual as Record<string, unknown> | null)?.[key], value, `${path}.${key}`);
    }
    expect(Object.keys(actual ?? {}).toSorted(), path).toEqual(Object.keys(expected).toSorted());
    return;
  }
  expect(actual, path).toEqual(expected);
}
