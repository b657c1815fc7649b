import { AppError } from '@osprey/contract';
import { BadFile } from '../../../base/formats/bad-file.ts';
import { decoded, linesOf } from '../../../base/formats/text.ts';
import { type Order, type OrderBasis, other } from './coordinates.ts';
import { readCsv } from './csv.ts';
import { type CsvHeader, csvHeader, type TimeColumns } from './csv-header.ts';
import { type SidecarFormat, sidecarFormat } from './detect.ts';
import { type FlightLogFormat, flightLogFormat, readFlightLog } from './flight-logs/flight-log.ts';
import { readGeoJsonTimes } from './geojson.ts';
import { readGpx } from './gpx.ts';
import { readKml } from './kml.ts';
import { type LostPlaces, lostText } from './places.ts';
import { readQgisFmv } from './qgis-fmv.ts';
import type { SidecarRow } from './row.ts';
import { findOrder, readSrt } from './srt.ts';

export type { SidecarRow } from './row.ts';

/** Maximum number of rows; ten samples a second for a day are 864,000. */
const ROWS_MAX = 5_000_000;
const FIRST_CHARACTERS = 16_384;
const FIRST_BYTES = 1024;

/** Describes what a file without rows lacks, so that its sender can correct it. */
const WITHOUT_ROWS: Record<SidecarFormat | FlightLogFormat, string> = {
  csv: 'no row has a time as ISO 8601 with a zone, or as seconds, milliseconds or microseconds since 1970',
  qgisFmv: 'it holds no Precision Time Stamp',
  srt: 'none of its subtitles holds a place or another value that is known',
  gpx: 'it holds no track point with a time since 1990',
  kml: 'it holds no gx:Track with times since 1990',
  geojson: 'none of its points and lines has times since 1990',
  ulog: 'it holds no position with a fix and no attitude that can be read',
  dataflash: 'it holds no position with a fix and no attitude that can be read',
  tlog: 'it holds no position with a fix and no attitude that can be read',
};

/** How the order of unlabelled coordinates in a log was determined, and whether a user exchanged them. */
export type SidecarOrder = { order: Order; basis: OrderBasis; isExchanged: boolean };

export type Sidecar = {
  /** `gpmf`: the metadata track of a GoPro. */
  format: SidecarFormat | FlightLogFormat | 'gpmf';
  /** `utc`: microseconds since 1970. `video`: microseconds from the first picture of the recording. */
  clock: 'utc' | 'video';
  /**
   * True if the log counts its times from its own start, or states them in an unknown zone, so that it need not begin
   * together with the video.
   */
  isStartAssumed: boolean;
  /** Null if the log labels its coordinates. */
  order: SidecarOrder | null;
  /** Rows in the order of the file, which may not be sorted by time. */
  rows: AsyncGenerator<SidecarRow>;
  /** Describes unreadable or omitted parts of the file as an unfinished sentence. Call it after the last row. */
  damage?: () => string | null;
};

export type SidecarSource = {
  /** Returns the bytes of the file, from the beginning at each call. */
  open: () => AsyncIterable<Uint8Array>;
  /** True if a user exchanged latitude and longitude. No effect if the log is unambiguous. */
  isExchanged?: boolean;
};

const refused = (reason: string, cause?: unknown) => new AppError('badFile', { reason }, cause);

/**
 * Opens a telemetry sidecar; its format is detected from its content. @throws AppError badFile, also while the rows are
 * being read
 */
export async function readSidecar({ open, isExchanged = false }: SidecarSource): Promise<Sidecar> {
  const log = flightLogFormat(await firstBytesOf(open()));
  if (log !== null) return flightLog(log, open);
  const first = await beginningOf(open());
  const format = sidecarFormat(first);
  if (format === null) throw refused('its telemetry format is not known');
  const order = format === 'srt' ? await orderOf(open(), isExchanged) : null;
  const header = format === 'csv' ? csvHeader(first.trimStart()) : null;
  const time = header?.time.clock;
  const lost = { count: 0 };
  return {
    format,
    clock: format === 'srt' || isRelative(time) ? 'video' : 'utc',
    isStartAssumed: isRelative(time),
    order,
    rows: checked(rowsOf(format, textOf(open), { order, header, lost }), WITHOUT_ROWS[format]),
    damage: () => lostText(lost),
  };
}

async function flightLog(format: FlightLogFormat, open: SidecarSource['open']): Promise<Sidecar> {
  const { clock, rows, damage } = await readFlightLog(format, open);
  const isStartAssumed = clock === 'video';
  return { format, clock, isStartAssumed, order: null, rows: checked(rows, WITHOUT_ROWS[format]), damage };
}

const isRelative = (clock: TimeColumns['clock'] | null | undefined): boolean =>
  clock === 'local' || clock === 'elapsed';

/** Decodes the text of a file; the file is opened only when the first piece is read. */
async function* textOf(open: SidecarSource['open']): AsyncGenerator<string> {
  yield* decoded(open());
}

async function firstBytesOf(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  let first = Buffer.alloc(0);
  for await (const piece of source) {
    first = Buffer.concat([first, piece.subarray(0, FIRST_BYTES)]);
    if (first.length >= FIRST_BYTES) break;
  }
  return first;
}

async function beginningOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  let first = '';
  try {
    for await (const piece of decoded(source)) {
      first += piece;
      if (first.length >= FIRST_CHARACTERS) break;
    }
  } catch (error) {
    throw refused('it is not text', error);
  }
  return first;
}

async function orderOf(source: AsyncIterable<Uint8Array>, isExchanged: boolean): Promise<SidecarOrder | null> {
  try {
    const found = await findOrder(linesOf(decoded(source)));
    if (found === null) return null;
    const exchanges = isExchanged && found.basis !== 'plausibility';
    return { ...found, order: exchanges ? other(found.order) : found.order, isExchanged: exchanges };
  } catch (error) {
    throw refused('its text is damaged', error);
  }
}

function rowsOf(
  format: SidecarFormat,
  pieces: AsyncIterable<string>,
  { order, header, lost }: { order: SidecarOrder | null; header: CsvHeader | null; lost: LostPlaces },
): AsyncGenerator<SidecarRow> {
  switch (format) {
    case 'gpx':
      return readGpx(pieces, lost);
    case 'kml':
      return readKml(pieces, lost);
    case 'geojson':
      return readGeoJsonTimes(pieces, lost);
    case 'qgisFmv':
      return readQgisFmv(linesOf(pieces));
    case 'srt':
      return readSrt(linesOf(pieces), order?.order ?? 'longitudeFirst');
    case 'csv':
      return readCsv(pieces, header!);
  }
}

/** Converts all errors of a reader to `badFile`, since they are caused by the file. */
async function* checked(rows: AsyncGenerator<SidecarRow>, withoutRows: string): AsyncGenerator<SidecarRow> {
  let count = 0;
  try {
    for await (const row of rows) {
      count += 1;
      if (count > ROWS_MAX) throw refused(`it has more than ${ROWS_MAX} rows`);
      yield row;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refused(error instanceof BadFile ? error.message : 'its text is damaged', error);
  }
  if (count === 0) throw refused(withoutRows);
}
