const browsers: readonly [string, RegExp][] = [
  ['Edge', /Edg\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /Firefox\/(\d+)/],
  ['Chrome', /Chrom(?:e|ium)\/(\d+)/],
  ['Safari', /Version\/(\d+).*Safari/],
];

/** Returns name and version of a browser; for other clients, the name that they report. */
export function clientText(client: string | null): string {
  if (client === null) return '';
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(client)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return client;
}
