import { expect, it } from 'vitest';
import { componentStyles } from './component-styles.ts';

it('sets figures alone to one width: words keep the hyphen of the font', () => {
  const { body, ...rules } = componentStyles.MuiCssBaseline!.styleOverrides as Record<string, Record<string, string>>;
  expect(body!.fontFeatureSettings).not.toContain('tnum');
  const [selector = ''] = Object.entries(rules).find(([, rule]) => rule.fontVariantNumeric === 'tabular-nums') ?? [];
  expect(selector.split(', ')).toEqual(
    expect.arrayContaining(['[role="timer"]', '[data-figures]', '[data-part="mission-clock"]', '[data-part="value"]']),
  );
});
