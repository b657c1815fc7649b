import type { Bookmark, Mission } from '@osprey/contract';
import { type Cell, csvLine } from '../../base/http/csv.ts';

const COLUMNS = [
  'id',
  'name',
  'description',
  'securityClassification',
  'marked',
  'state',
  'platform',
  'platformType',
  'countryCode',
  'country',
  'creationTime',
  'startTime',
  'endTime',
  'rating',
  'views',
  'tags',
  'sensors',
  'sizeBytes',
  'areaSqKm',
] as const;

/** A mission in a list. `bookmarks` is null if they were not requested. */
export type ListedMission = { mission: Mission; bookmarks: readonly Bookmark[] | null };

/**
 * Formats one row for each mission as CSV (RFC 4180). It begins with a byte order mark, so that spreadsheets read it as
 * UTF-8.
 */
export function csvOf(rows: readonly ListedMission[]): string {
  const hasBookmarks = rows.some(({ bookmarks }) => bookmarks !== null);
  const head = csvLine([...COLUMNS, ...(hasBookmarks ? ['bookmarks'] : [])]);
  const lines = rows.map(({ mission, bookmarks }) =>
    csvLine([...cellsOf(mission), ...(bookmarks === null ? [] : [bookmarksCell(bookmarks)])]),
  );
  return `\ufeff${head}${lines.join('')}`;
}

/** Formats bookmarks for one cell, a line for each: time, sensor and title. */
const bookmarksCell = (bookmarks: readonly Bookmark[]): string =>
  bookmarks
    .map((one) => [time(one.time), one.sensorName ?? '', one.title].filter((part) => part !== '').join(' '))
    .join('\n');

function cellsOf(mission: Mission): Cell[] {
  const files = mission.sensors.flatMap(({ assets }) => assets);
  return [
    mission._id,
    mission.name,
    mission.description,
    mission.securityClassification,
    String(mission.marked),
    mission.state,
    mission.platform.name,
    mission.platformType,
    mission.country_code ?? '',
    mission.country_name ?? '',
    time(mission.creationTime),
    time(mission.startTime),
    time(mission.endTime),
    mission.rating,
    mission.views,
    mission.tags.join(';'),
    mission.sensors.map(({ name }) => name).join(';'),
    files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    mission.areaSqKm === null ? null : { value: mission.areaSqKm, digits: 1 },
  ];
}

const time = (us: number | null): string => (us === null ? '' : new Date(us / 1000).toISOString());

/**
 * Formats missions as JSON, as in the lists of missions and bookmarks, but without addresses that give access to media
 * and without fields that depend on the reader.
 */
export function jsonOf(rows: readonly ListedMission[]): string {
  const listed = rows.map(({ mission: { accessToken: _token, ...mission }, bookmarks }) => ({
    ...mission,
    ...(bookmarks && { bookmarks: bookmarks.map(({ editable: _editable, ...bookmark }) => bookmark) }),
  }));
  return JSON.stringify(listed, null, 1);
}
