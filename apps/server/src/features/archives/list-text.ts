import type { Mission } from '@osprey/contract';
import { csvLine } from '../../base/http/csv.ts';

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

/** One row for each mission, RFC 4180 with a byte order mark, so that spreadsheets read it as UTF-8. */
export function csvOf(missions: readonly Mission[], { bookmarks }: { bookmarks: boolean }): string {
  const head = csvLine([...COLUMNS, ...(bookmarks ? ['bookmarks'] : [])]);
  const lines = missions.map((mission) => csvLine([...cellsOf(mission), ...(bookmarks ? ['0'] : [])]));
  return `\ufeff${head}${lines.join('')}`;
}

function cellsOf(mission: Mission): string[] {
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
    String(mission.rating),
    String(mission.views),
    mission.tags.join(';'),
    mission.sensors.map(({ name }) => name).join(';'),
    String(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)),
    mission.areaSqKm === null ? '' : mission.areaSqKm.toFixed(1),
  ];
}

const time = (us: number | null): string => (us === null ? '' : new Date(us / 1000).toISOString());

/** As the list of missions has them, without what opens media. */
export function jsonOf(missions: readonly Mission[], { bookmarks }: { bookmarks: boolean }): string {
  const rows = missions.map(({ accessToken: _token, ...mission }) => ({
    ...mission,
    ...(bookmarks ? { bookmarks: [] } : {}),
  }));
  return JSON.stringify(rows, null, 1);
}
