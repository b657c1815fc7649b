import { readFileSync } from 'node:fs';
import { AppError } from '@osprey/contract';
import { expect, it } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { displayName } from './display-name.ts';

it.each([
  ['plain.ts', 'plain.ts'],
  ['../../etc/cron.d/x.ts', 'x.ts'],
  ['..\\..\\windows\\x.ts', 'x.ts'],
  ['/etc/passwd', 'passwd'],
  ['%2e%2e%2fx.ts', '%2e%2e%2fx.ts'],
  ['a\r\nSet-Cookie: s=1.ts', 'aSet-Cookie: s=1.ts'],
  ['מש 1.ts', 'מש 1.ts'],
  ['e\u0301te\u0301.ts', 'été.ts'],
  ['a\u202e\u200b.ts', 'a.ts'],
  ['', 'unnamed'],
  ['\u0007', 'unnamed'],
  ['$(id).ts', '$(id).ts'],
])('shows %j as %j', (given, shown) => {
  expect(displayName(given)).toBe(shown);
});

it.each(['x.ts\0.png', '.', '..', 'x.ts.exe', '\u202egpj.exe', 'page.HTML'])('refuses %j', (given) => {
  expect(() => displayName(given)).toThrow(AppError);
});

itWithData('takes or refuses every odd name, and never gives one that moves, hides or breaks a line', () => {
  const { names } = JSON.parse(readFileSync(testData('bad/names.json'), 'utf8')) as { names: { name: string }[] };

  for (const { name } of names) {
    let shown = 'refused';
    try {
      shown = displayName(name);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
    }
    expect(shown).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u200b]/u);
    expect([...shown].length).toBeLessThanOrEqual(255);
    expect(shown).not.toBe('');
  }
});
