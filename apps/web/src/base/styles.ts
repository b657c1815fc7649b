import createCache from '@emotion/cache';

/** Matches pseudo-elements and classes of a specific browser vendor. */
const VENDOR = /::?-(?:moz|ms|webkit)-[a-z-]+/;

/**
 * Creates the style element for the rules of components. Rules for other browsers, such as `::-moz-focus-inner`, are
 * left out: a browser throws an exception for a selector that it does not know, which takes longer than inserting all
 * other rules of a button.
 */
export function createStyles(nonce: string) {
  const styles = createCache({ key: 'osprey', nonce, prepend: true });
  const known = new Map<string, boolean>();
  const insert = styles.sheet.insert.bind(styles.sheet);

  function isKnown(rule: string): boolean {
    const pseudo = VENDOR.exec(rule.slice(0, rule.indexOf('{')))?.[0];
    if (pseudo === undefined) return true;
    if (!known.has(pseudo)) known.set(pseudo, CSS.supports(`selector(${pseudo})`));
    return known.get(pseudo) ?? true;
  }

  styles.sheet.insert = (rule) => {
    if (isKnown(rule)) insert(rule);
  };
  return styles;
}
