// Written by `npm run migrations` from the files of this folder: the server is one bundle, which has no folder to read.
// A number that is missing was reserved for a change that in the end needed no migration.
import type { Migration } from 'kysely/migration';
import * as m0001 from './0001-start.ts';
import * as m0002 from './0002-rights-notices.ts';
import * as m0003 from './0003-documents.ts';
import * as m0004 from './0004-people.ts';
import * as m0005 from './0005-platforms.ts';
import * as m0006 from './0006-backups.ts';
import * as m0007 from './0007-keeping.ts';
import * as m0009 from './0009-audit.ts';
import * as m0010 from './0010-media-notices.ts';
import * as m0011 from './0011-sign-in.ts';
import * as m0012 from './0012-api-credentials.ts';
import * as m0013 from './0013-live.ts';
import * as m0014 from './0014-platform-notices.ts';
import * as m0015 from './0015-stream-marks.ts';
import * as m0016 from './0016-searched-at-once.ts';
import * as m0017 from './0017-job-priority.ts';
import * as m0018 from './0018-documents-by-type.ts';
import * as m0019 from './0019-audit-intents.ts';
import * as m0020 from './0020-latest-access.ts';
import * as m0021 from './0021-remarks-on-files.ts';
import * as m0022 from './0022-item-notices.ts';
import * as m0023 from './0023-stored-checks.ts';
import * as m0024 from './0024-sidecar-settings.ts';
import * as m0025 from './0025-readings-of-files.ts';
import * as m0026 from './0026-bookmarks.ts';
import * as m0027 from './0027-clips.ts';
import * as m0028 from './0028-snapshots.ts';
import * as m0029 from './0029-annotations.ts';
import * as m0030 from './0030-ais.ts';
import * as m0031 from './0031-conference-rooms.ts';
import * as m0032 from './0032-coverage.ts';
import * as m0033 from './0033-cases.ts';
import * as m0034 from './0034-last-seen.ts';
import * as m0035 from './0035-saved-searches.ts';
import * as m0036 from './0036-ais-heard.ts';
import * as m0038 from './0038-old-mission-names.ts';
import * as m0041 from './0041-snapshot-overlays.ts';
import * as m0042 from './0042-annotation-frames.ts';
import * as m0043 from './0043-annotation-level-sizes.ts';
import * as m0044 from './0044-search-hits.ts';
import * as m0045 from './0045-site-places.ts';
import * as m0046 from './0046-ship-lists.ts';
import * as m0047 from './0047-ais-packed.ts';
import * as m0048 from './0048-live-klv.ts';
import * as m0053 from './0053-ais-dated.ts';
import * as m0054 from './0054-ais-ranges.ts';
import * as m0055 from './0055-ais-blocks.ts';
import * as m0057 from './0057-ceilings.ts';
import * as m0058 from './0058-annotation-places.ts';
import * as m0059 from './0059-live-shapes.ts';
import * as m0061 from './0061-notices-by-transaction.ts';
import * as m0065 from './0065-case-subjects.ts';
import * as m0066 from './0066-straight-edges.ts';
import * as m0067 from './0067-approximate-ground.ts';
import * as m0069 from './0069-sample-words.ts';
import * as m0070 from './0070-mission-words.ts';
import * as m0071 from './0071-sheets.ts';

/** Migrations in the order of their numbers; forward only. */
export const migrations: Record<string, Migration> = {
  '0001-start': m0001,
  '0002-rights-notices': m0002,
  '0003-documents': m0003,
  '0004-people': m0004,
  '0005-platforms': m0005,
  '0006-backups': m0006,
  '0007-keeping': m0007,
  '0009-audit': m0009,
  '0010-media-notices': m0010,
  '0011-sign-in': m0011,
  '0012-api-credentials': m0012,
  '0013-live': m0013,
  '0014-platform-notices': m0014,
  '0015-stream-marks': m0015,
  '0016-searched-at-once': m0016,
  '0017-job-priority': m0017,
  '0018-documents-by-type': m0018,
  '0019-audit-intents': m0019,
  '0020-latest-access': m0020,
  '0021-remarks-on-files': m0021,
  '0022-item-notices': m0022,
  '0023-stored-checks': m0023,
  '0024-sidecar-settings': m0024,
  '0025-readings-of-files': m0025,
  '0026-bookmarks': m0026,
  '0027-clips': m0027,
  '0028-snapshots': m0028,
  '0029-annotations': m0029,
  '0030-ais': m0030,
  '0031-conference-rooms': m0031,
  '0032-coverage': m0032,
  '0033-cases': m0033,
  '0034-last-seen': m0034,
  '0035-saved-searches': m0035,
  '0036-ais-heard': m0036,
  '0038-old-mission-names': m0038,
  '0041-snapshot-overlays': m0041,
  '0042-annotation-frames': m0042,
  '0043-annotation-level-sizes': m0043,
  '0044-search-hits': m0044,
  '0045-site-places': m0045,
  '0046-ship-lists': m0046,
  '0047-ais-packed': m0047,
  '0048-live-klv': m0048,
  '0053-ais-dated': m0053,
  '0054-ais-ranges': m0054,
  '0055-ais-blocks': m0055,
  '0057-ceilings': m0057,
  '0058-annotation-places': m0058,
  '0059-live-shapes': m0059,
  '0061-notices-by-transaction': m0061,
  '0065-case-subjects': m0065,
  '0066-straight-edges': m0066,
  '0067-approximate-ground': m0067,
  '0069-sample-words': m0069,
  '0070-mission-words': m0070,
  '0071-sheets': m0071,
};
