import { expect, it } from 'vitest';
import styleHash from './style-hash.ts';

it('gives each style one name, and no two the same', () => {
  const styles = Array.from({ length: 2000 }, (_, index) => `margin:${index}px;`);

  const names = styles.map(styleHash);

  expect(new Set(names).size).toBe(styles.length);
  expect(styles.map(styleHash)).toEqual(names);
});
