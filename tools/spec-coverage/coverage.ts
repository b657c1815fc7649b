export type CoverageLine = { id: string; ticked: boolean; path: string | null; test: string | null; line: number };

const pattern = /^- \[([ x])\] (S[12]-\d{3})(?: (\S+) "(.+)")?/;

/** The lines of docs/spec-coverage.md that speak of one line of the specification each. */
export function readCoverage(markdown: string): CoverageLine[] {
  return markdown.split('\n').flatMap((text, index) => {
    const found = pattern.exec(text);
    if (found === null) return [];
    const [, tick, id = '', path = null, test = null] = found;
    return [{ id, ticked: tick === 'x', path, test, line: index + 1 }];
  });
}

/** A ticked line must name a test file that exists and a test in it; `read` gives a file's text or null. */
export function coverageProblems(lines: CoverageLine[], read: (path: string) => string | null): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { id, ticked, path, test, line } of lines) {
    if (seen.has(id)) problems.push(`line ${line}: ${id} stands twice`);
    seen.add(id);
    if (!ticked) continue;
    if (path === null || test === null) problems.push(`line ${line}: ${id} is ticked without a test`);
    else {
      const source = read(path);
      if (source === null) problems.push(`line ${line}: ${path} does not exist`);
      else if (!namesTest(source, test)) problems.push(`line ${line}: ${path} has no test named "${test}"`);
    }
  }
  return problems;
}

/** The name is in the source as a string in any quotes, with these quotes escaped or not. */
function namesTest(source: string, name: string): boolean {
  const escaped = [`'`, '"', '`'].map((quote) => name.replaceAll(quote, `\\${quote}`));
  return [name, ...escaped].some((text) => [`'`, '"', '`'].some((quote) => source.includes(`${quote}${text}${quote}`)));
}
