/** Characters of one feature: a line of a day with ten points a second has some forty million. */
const FEATURE_MAX = 64 * 1024 * 1024;
/** As the depth of all JSON that is taken. */
const DEPTH_MAX = 64;
const KEY_MAX = 64;

/**
 * The features of a GeoJSON file, one at a time as they come; of a text without `features` all of it as one value.
 *
 * @throws Error when it is not JSON, too deep, or when one feature is too long
 */
export async function* readFeatures(pieces: AsyncIterable<string>): AsyncGenerator<unknown> {
  const scanner = createScanner();
  for await (const piece of pieces) {
    scanner.push(piece);
    for (const text of scanner.take()) yield JSON.parse(text) as unknown;
  }
  const rest = scanner.end();
  if (rest !== null) yield JSON.parse(rest) as unknown;
}

/** Finds where the members of the top-level array `features` begin and end, without keeping what is between them. */
function createScanner() {
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let key = '';
  let inFeatures = false;
  let wasFound = false;
  /** Text of the open feature, or the whole text as long as no features were found; null between features. */
  let kept: string | null = '';
  let whole: string[] = [];

  function keep(text: string): void {
    if (kept === null) return;
    kept += text;
    if (kept.length > FEATURE_MAX) throw new RangeError('A feature is too long');
  }

  function inside(char: string): void {
    if (isEscaped) isEscaped = false;
    else if (char === '\\') isEscaped = true;
    else if (char === '"') inString = false;
    else if (depth === 1 && key.length < KEY_MAX) key += char;
  }

  return {
    push(piece: string): void {
      // Where the part begins that was not kept yet.
      let from = 0;
      for (let at = 0; at < piece.length; at += 1) {
        const char = piece[at]!;
        if (inString) {
          inside(char);
        } else if (char === '"') {
          inString = true;
          key = depth === 1 ? '' : key;
        } else if (char === '{' || char === '[') {
          depth += 1;
          if (depth > DEPTH_MAX) throw new RangeError('Nested too deep');
          if (depth === 2 && char === '[' && key === 'features') {
            inFeatures = true;
            wasFound = true;
            kept = null;
          }
          if (inFeatures && depth === 3) {
            kept = '';
            from = at;
          }
        } else if (char === '}' || char === ']') {
          depth -= 1;
          if (inFeatures && depth === 2 && kept !== null) {
            keep(piece.slice(from, at + 1));
            whole.push(kept);
            kept = null;
          }
          if (depth === 1) inFeatures = false;
        }
      }
      keep(piece.slice(from));
    },
    take(): string[] {
      const taken = whole;
      whole = [];
      return taken;
    },
    /** The text outside of features. @throws SyntaxError for a text that ends too early */
    end(): string | null {
      if (depth !== 0 || inString) throw new SyntaxError('It ends too early');
      return wasFound ? null : kept;
    },
  };
}
