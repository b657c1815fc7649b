const LITERAL =
  /(?:new BadFile|refusal|refused?)\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)|^const [A-Z\d_]+ =\s*'(it [^']+|its [^']+)'/gm;

/**
 * Sentences by which the readers of a source file refuse what they are given, as far as all of their files have them in
 * common: up to a colon or semicolon, with "…" for names and numbers.
 */
export const refusalsOf = (source: string): string[] =>
  [...source.matchAll(LITERAL)]
    .map(([, quoted, template, constant]) => quoted ?? template ?? constant ?? '')
    .map((text) =>
      text
        .replace(/\$\{[^}]*\}/g, '…')
        .split(/[:;]/)[0]!
        .trim(),
    )
    .filter((text) => text !== '' && !text.startsWith('…'));
