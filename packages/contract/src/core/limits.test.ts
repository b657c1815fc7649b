import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PRODUCT_VERSION } from './limits.ts';

it('has the version of package.json', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));

  expect(PRODUCT_VERSION).toBe(version);
});
