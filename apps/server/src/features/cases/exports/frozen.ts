import { type CasePart, type CaseRow, casePartKinds, classifications, pictureSources } from '@osprey/contract';
import { z } from 'zod';

/** A part as it was when a version was frozen. */
const frozenPart = z.object({
  id: z.guid(),
  kind: z.enum(casePartKinds),
  /**
   * Id of the clip, bookmark, document, annotation, or sensor of a track; null for notes and for sources that were
   * already deleted.
   */
  subjectId: z.guid().nullable(),
  title: z.string(),
  remark: z.string(),
  text: z.string().nullable(),
  missionId: z.guid().nullable(),
  missionName: z.string().nullable(),
  sensorName: z.string().nullable(),
  startTime: z.int().nullable(),
  endTime: z.int().nullable(),
  label: z.enum(classifications),
  extent: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  state: z.enum(['shown', 'inBin', 'gone']),
  author: z.string(),
  added: z.int(),
  revision: z.int(),
  /** Path of its picture on this server. */
  thumbnailUrl: z.string().nullable(),
  /** Source of the picture; null in versions created before this was stored. */
  picture: z.enum(pictureSources).nullable().default(null),
  overlays: z.boolean().default(false),
  /** Files of the part in the package; empty until the package is made. */
  files: z.array(z.object({ path: z.string(), sizeBytes: z.int(), sha256: z.string() })).default([]),
});
export type FrozenPart = z.output<typeof frozenPart>;

/** A comment as it was when the version was frozen. */
const frozenComment = z.object({
  author: z.string(),
  text: z.string(),
  /** Time of creation, in UTC microseconds. */
  created: z.int(),
  edited: z.int().nullable(),
  struck: z.boolean(),
});
export type FrozenComment = z.output<typeof frozenComment>;

/** Content of `case_exports.frozen`. */
export const frozenCase = z.object({
  number: z.int(),
  name: z.string(),
  description: z.string(),
  parts: z.array(frozenPart),
  comments: z.array(frozenComment).default([]),
  /** True if clips are also packed as MP4 files. */
  mp4: z.boolean().default(false),
});
export type FrozenCase = z.output<typeof frozenCase>;

/** Freezes the case as its reader sees it at this moment. */
export function freeze(
  { number, name, description }: CaseRow,
  { parts, comments, mp4 }: { parts: readonly CasePart[]; comments: readonly FrozenComment[]; mp4: boolean },
): FrozenCase {
  return {
    ...{ number, name, description, comments: [...comments], mp4 },
    parts: parts.map(({ _id, sensorId: _sensor, securityClassification, ...part }) => ({
      ...part,
      ...{ id: _id, label: securityClassification, files: [] },
    })),
  };
}

/** Whether a part's files are included in the package. Parts in the bin and deleted parts are only named. */
export const isPacked = ({ state }: Pick<FrozenPart, 'state'>): boolean => state === 'shown';
