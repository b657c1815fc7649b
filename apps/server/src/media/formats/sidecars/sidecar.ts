import { AppError } from '@osprey/contract';
import { readCsv } from './csv.ts';
import { type SidecarFormat, sidecarFormat } from './detect.ts';
import { readGpx } from './gpx.ts';
import type { SidecarRow } from './row.ts';
import { readSrt } from './srt.ts';
import { decoded, linesOf } from './text.ts';

export type { SidecarRow } from './row.ts';

/** Ten samples a second for a day are 864,000. */
const ROWS_MAX = 5_000_000;
const FIRST_CHARACTERS = 16_384;

/** What is missing where nothing was found, so that its sender can mend it. */
const WITHOUT_ROWS: Record<SidecarFormat, string> = {
  csv: 'no row has a time as ISO 8601 with a zone, or as seconds, milliseconds or microseconds since 1970',
  srt: 'none of its subtitles holds a place or another value that is known',
  gpx: 'it holds no track point with a time since 1990',
};

export type Sidecar = {
  format: SidecarFormat;
  /** `utc`: microseconds since 1970. `video`: microseconds from the first picture of the recording beside it. */
  clock: 'utc' | 'video';
  /** As they stand in the file, in no order that could be relied on. */
  rows: AsyncGenerator<SidecarRow>;
};

const refused = (reason: string, cause?: unknown) => new AppError('badFile', { reason }, cause);

/** Opens a telemetry sidecar, told by its content. @throws AppError badFile, also while the rows are read */
export async function readSidecar(source: AsyncIterable<Uint8Array>): Promise<Sidecar> {
  const pieces = decoded(source)[Symbol.asyncIterator]();
  let first = '';
  while (first.length < FIRST_CHARACTERS) {
    const { value, done } = await pieces.next().catch((error) => {
      throw refused('it is not text', error);
    });
    if (done) break;
    first += value;
  }
  const format = sidecarFormat(first);
  if (format === null) throw refused('it is no telemetry that is known');
  const all = chain(first, pieces);
  return {
    format,
    clock: format === 'srt' ? 'video' : 'utc',
    rows: checked(rowsOf(format, all), WITHOUT_ROWS[format]),
  };
}

function rowsOf(format: SidecarFormat, pieces: AsyncIterable<string>): AsyncGenerator<SidecarRow> {
  if (format === 'gpx') return readGpx(pieces);
  return format === 'srt' ? readSrt(linesOf(pieces)) : readCsv(linesOf(pieces));
}

async function* chain(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first;
  for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value;
}

/** Whatever a reader finds wrong is the file's fault. */
async function* checked(rows: AsyncGenerator<SidecarRow>, withoutRows: string): AsyncGenerator<SidecarRow> {
  let count = 0;
  try {
    for await (const row of rows) {
      count += 1;
      if (count > ROWS_MAX) throw refused(`it has more than ${ROWS_MAX} rows`);
      yield row;
    }
  } catch (error) {
    throw error instanceof AppError ? error : refused('its text is damaged', error);
  }
  if (count === 0) throw refused(withoutRows);
}
