import { tagOf } from './tag-names.ts';

export type SidecarFormat = 'csv' | 'srt' | 'gpx';

/** The separators of tables that people write; the header decides which. */
const SEPARATORS = [',', ';', '\t'] as const;

/** A line of a telemetry sidecar is short; anything else is not one. */
const HEADER_MAX = 16_384;

/** Behind a declaration, style sheets and comments; tools that write XML put a prefix before the name. */
const GPX = /^(?:<\?[^<>]*\?>\s*|<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:\w+:)?gpx[\s>]/;

/** Which sidecar a text is, by its first lines; null for every other text. */
export function sidecarFormat(text: string): SidecarFormat | null {
  const start = text
    .slice(0, HEADER_MAX)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (/^\d+\s*\r?\n\s*(?:\d\d:\d\d:\d\d[,.]\d{1,3}\s*-->|\d{4}[.-]\d\d?[.-]\d\d? \d\d:\d\d:\d\d)/.test(start))
    return 'srt';
  if (GPX.test(start)) return 'gpx';
  return csvHeader(start) === null ? null : 'csv';
}

export type CsvHeader = {
  separator: string;
  /** Index of the column `time`. */
  time: number;
  /** ST 0601 tag of each column; null where it names none. */
  tags: (number | null)[];
};

/** What spreadsheets write before the header to name the separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?\s*$/i;

/** Whether a line names the separator of the table below it. */
export const isSeparatorLine = (line: string): boolean => SEPARATOR_LINE.test(line);

/** The zone is checked, and the unit told, of each value. */
const TIME_COLUMN = /^time(?:\s*[([](?:utc|s|ms|us|µs)[)\]])?$/i;

/** The header of a table with one column `time` and at least one of ST 0601; null for every other beginning. */
export function csvHeader(text: string): CsvHeader | null {
  const [first = '', second = ''] = text.split(/\r?\n/, 2);
  const line = isSeparatorLine(first) ? second : first;
  for (const separator of SEPARATORS) {
    const names = line.split(separator).map((name) =>
      name
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .trim(),
    );
    const time = names.findIndex((name) => TIME_COLUMN.test(name));
    const tags = names.map((name, index) => (index === time ? null : tagOf(name)));
    if (time >= 0 && tags.some((tag) => tag !== null)) return { separator, time, tags };
  }
  return null;
}
