export type CoverageLine = {
  id: string;
  ticked: boolean;
  path: string | null;
  test: string | null;
  /** All that follows the id. */
  text: string;
  line: number;
};

const pattern = /^- \[([ x])\] (S[12]-\d{3}) ?((?:(\S+) "(.+)")?.*)/;

/** The lines of docs/spec-coverage.md that speak of one line of the specification each. */
export function readCoverage(markdown: string): CoverageLine[] {
  return markdown.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line);
    if (found === null) return [];
    const [, tick, id = '', text = '', path = null, test = null] = found;
    return [{ id, ticked: tick === 'x', path, test, text, line: index + 1 }];
  });
}

/** The text of a file of the project, by its path from the root; null if there is none. */
export type Read = (path: string) => string | null;

/**
 * A ticked line must name a test file that exists and a test in it, whose body holds the mark `// S1-001` at the end of the
 * expectation that shows it. Lines of `byName` were ticked before there were marks. A line that the product decides
 * otherwise is not ticked and links to the reason.
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

/** Ids in the comment at the end of a line: `// S1-001 S2-005`. */
const marks = (line: string): string[] => / \/\/((?: S[12]-\d{3})+)$/.exec(line)?.[1]?.trim().split(' ') ?? [];

/**
 * The lines of a test, found by the indentation that the formatter gives them: from its name up to the line that closes
 * the call, which is as deep as the name or, if the name has a line of its own, less deep.
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

/** The text is in the line as a string in any quotes, with these quotes escaped or not. */
function hasString(line: string, text: string): boolean {
  const escaped = [`'`, '"', '`'].map((quote) => text.replaceAll(quote, `\\${quote}`));
  return [text, ...escaped].some((one) => [`'`, '"', '`'].some((quote) => line.includes(`${quote}${one}${quote}`)));
}
