// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { createStyles } from './styles.ts';

afterEach(() => vi.unstubAllGlobals());

it('inserts what this browser knows, and leaves out selectors of others', () => {
  const supports = vi.fn((condition: string) => condition === 'selector(::-webkit-scrollbar)');
  vi.stubGlobal('CSS', { supports });
  const styles = createStyles('once');
  styles.sheet.isSpeedy = false;

  for (const rule of [
    '.osprey-a{color:red;}',
    '.osprey-a::-moz-focus-inner{border-style:none;}',
    '.osprey-b::-moz-focus-inner{border-style:none;}',
    '.osprey-a::-webkit-scrollbar{width:8px;}',
    '@-webkit-keyframes osprey-turn{to{rotate:1turn;}}',
  ]) {
    styles.sheet.insert(rule);
  }

  const text = styles.sheet.tags.map((tag) => tag.textContent).join('');
  expect(text).toContain('.osprey-a{color:red;}');
  expect(text).toContain('.osprey-a::-webkit-scrollbar');
  expect(text).toContain('@-webkit-keyframes');
  expect(text).not.toContain('-moz-');
  expect(styles.sheet.tags.every((tag) => tag.nonce === 'once' || tag.getAttribute('nonce') === 'once')).toBe(true);
  // Each is asked for once.
  expect(supports).toHaveBeenCalledTimes(2);
});
