export type CoverageLine = {
  id: string;
  ticked: boolean;
  path: string | null;
  test: string | null;
  /** The text that follows the id. */
  text: string;
  line: number;
};

const pattern = /^- \[([ x])\] (S[12]-\d{3}) ?((?:(\S+) "(.+)")?.*)/;

/** Returns the lines of docs/spec-coverage.md that each concern one line of the specification. */
export function readCoverage(markdown: string): CoverageLine[] {
  return markdown.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line);
    if (found === null) return [];
    const [, tick, id = '', text = '', path = null, test = null] = found;
    return [{ id, ticked: tick === 'x', path, test, text, line: index + 1 }];
  });
}

/** Returns the text of a project file, by its path from the root; null if there is no such file. */
export type Read = (path: string) => string | null;

/**
 * Returns the problems of the coverage list. A ticked line must name an existing test file and a test in it, and the
 * test's body must contain the mark `// S1-001` at the end of the expectation that proves it. Lines in `byName` were
 * ticked before there were marks. A line for which the product decided otherwise is not ticked and links to the reason.
 */
export function coverageProblems(lines: CoverageLine[], byName: ReadonlySet<string>, read: Read): string[] {
  const seen = new Set<string>();
  return lines.flatMap((one) => {
    const isRepeated = seen.has(one.id);
    seen.add(one.id);
    const problem = isRepeated ? `${one.id} stands twice` : problemOf(one, byName.has(one.id), read);
    return problem === null ? [] : [`line ${one.line}: ${problem}`];
  });
}

function problemOf({ id, ticked, path, test, text }: CoverageLine, isByName: boolean, read: Read): string | null {
  if (!ticked) {
    if (isByName) return `${id} is not ticked: take it out of by-name.txt`;
    return unticked(id, text, read);
  }
  if (path === null || test === null) return `${id} is ticked without a test`;
  const source = read(path);
  if (source === null) return `${path} does not exist`;
  const body = bodyOfTest(source, test);
  if (body === null) return `${path} has no test named "${test}"`;
  const isMarked = body.some((line) => line.includes('//') && marks(line).includes(id));
  return isByName || isMarked ? null : `no line of "${test}" in ${path} ends in // ${id}`;
}

function unticked(id: string, text: string, read: Read): string | null {
  if (!text.startsWith('decided otherwise')) return text === '' ? `${id} has neither a tick nor a reason` : null;
  const link = /\]\(([^)#]+)[^)]*\)/.exec(text)?.[1];
  if (link === undefined) return `${id} is decided otherwise without a link to the reason`;
  return read(`docs/${link}`) === null ? `docs/${link} does not exist` : null;
}

/** Returns the ids in the comment at the end of a line: `// S1-001 S2-005`. */
const marks = (line: string): string[] => / \/\/((?: S[12]-\d{3})+)$/.exec(line)?.[1]?.trim().split(' ') ?? [];

/**
 * Returns the lines of a test, found by the formatter's indentation: from the test's name to the line that closes the
 * call. That line is indented as deeply as the name or, if the name has a line of its own, less deeply.
 */
function bodyOfTest(source: string, name: string): string[] | null {
  const lines = source.split('\n');
  const from = lines.findIndex((line) => hasString(line, name));
  if (from < 0) return null;
  const depth = /^ */.exec(lines[from]!)![0].length;
  const closes = new RegExp(`^( {${depth}}}| {0,${Math.max(depth - 1, 0)}}[)}]).*;$`);
  const length = lines.slice(from + 1).findIndex((line) => closes.test(line));
  return lines.slice(from, length < 0 ? undefined : from + 1 + length);
}

/** Whether the line contains the text as a string in any kind of quotes, with these quotes escaped or not. */
function hasString(line: string, text: string): boolean {
  const escaped = [`'`, '"', '`'].map((quote) => text.replaceAll(quote, `\\${quote}`));
  return [text, ...escaped].some((one) => [`'`, '"', '`'].some((quote) => line.includes(`${quote}${one}${quote}`)));
}
