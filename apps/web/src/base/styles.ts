import createCache from '@emotion/cache';

/** Pseudo-elements and classes of one make of browsers. */
const VENDOR = /::?-(?:moz|ms|webkit)-[a-z-]+/;

/**
 * Creates the style element for the rules of components. Those for another make of browser, as `::-moz-focus-inner`,
 * are left out: a browser throws at a selector it does not know, which costs more than all other rules of a button
 * together.
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
