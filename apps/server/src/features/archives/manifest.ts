import {
  audiences,
  classifications,
  idOrName,
  micros,
  missionName,
  platform,
  sensorName,
  sensorTypes,
  tag,
} from '@osprey/contract';
import { z } from 'zod';

export const MANIFEST_NAME = 'manifest.json';
export const ARCHIVE_FORMAT = 'osprey-missions';
/** Version of archives that are written; all earlier ones are read too. */
export const ARCHIVE_VERSION = 2;

const path = z.string().min(1).max(255);
const size = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const stored = z.object({ path, sizeBytes: size, sha256 });

const original = stored.extend({
  name: z.string().min(1).max(255),
  kind: z.enum(['ts', 'mp4', 'mkv', 'manifest', 'sidecar', 'ais']),
  /**
   * In UTC microseconds: modification time of the file itself, and time of its upload. They date recordings that
   * contain no time.
   */
  lastModified: micros.nullable(),
  created: micros,
  /** Facts known at upload. Archives of earlier versions have none. */
  remark: z.string().max(1000).nullable().default(null),
  /** Users' decisions about a telemetry file: microseconds added to its times, and exchanged coordinates. */
  timeOffset: z.int().min(-4e15).max(4e15).default(0),
  coordinatesExchanged: z.boolean().default(false),
  /** A user's choice of the KLV stream and of how its clock is read. */
  reading: z
    .strictObject({
      videoPid: z.int().min(0).max(8190).exactOptional(),
      klvPid: z.int().min(0).max(8190).exactOptional(),
      clock: z.enum(['other']).exactOptional(),
      joined: z.literal(true).exactOptional(),
      ais: z.strictObject({ startUs: micros, perSecond: z.number().positive().max(1e6) }).exactOptional(),
    })
    .nullable()
    .default(null),
});

const archivedSensor = z.object({
  name: sensorName,
  description: z.string().max(1000),
  type: z.enum(sensorTypes),
  timeShift: z.int().min(-1e16).max(1e16),
  originals: z.array(original).max(1000),
  /** For readers of the archive only; an import builds its own. */
  indexes: z.array(stored),
  pictures: z.array(stored),
});

/**
 * A file with marks of a mission, since version 2. Readers skip kinds that they do not know and report this, so that
 * further kinds need no new version.
 */
const marksFile = stored.extend({ kind: z.string().regex(/^[a-z][a-zA-Z]{0,31}$/) });

const archivedMission = z.object({
  id: idOrName,
  name: missionName,
  description: z.string().max(1000),
  /** If missing or unknown, the highest label of the importing installation applies, unmarked. */
  label: z.string().max(64).nullable(),
  marked: z.boolean(),
  audience: z.enum(audiences),
  /** Names of the usergroups. */
  usergroups: z.array(z.string().max(256)).max(200),
  platform,
  rating: z.int().min(0).max(5),
  countryCode: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  countryName: z.string().max(100).nullable(),
  tags: z.array(tag).max(50),
  sortOrder: z.int().min(-1_000_000).max(1_000_000),
  creationTime: micros,
  sensors: z.array(archivedSensor).max(64),
  marks: z.array(marksFile).max(1000).default([]),
});

/**
 * Manifest that describes an archive. It is the last entry, since its checksums are computed while the other entries
 * are written.
 */
export const archiveManifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.int().min(1).max(ARCHIVE_VERSION),
  /** Highest label of its missions. */
  label: z.enum(classifications),
  created: z.string().max(40),
  server: z.string().max(64),
  missions: z.array(archivedMission).min(1).max(500),
});
export type ArchiveManifest = z.output<typeof archiveManifest>;
export type ArchivedMission = ArchiveManifest['missions'][number];
export type ArchivedSensor = ArchivedMission['sensors'][number];
export type ArchivedOriginal = ArchivedSensor['originals'][number];
