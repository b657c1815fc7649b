import { z } from 'zod';
import { frameAnchor } from './core/anchor.ts';
import { id, micros } from './core/call.ts';

/** One sensor of a clip. */
const clipCut = z.object({
  /** Null: the sensor was removed. */
  sensorId: id.nullable(),
  sensorName: z.string().nullable(),
  /** UTC microseconds of its frames; if a frame is not shown any more, its last known time. */
  startTime: micros,
  endTime: micros,
  /** The first requested frame, and the last; null until a recording still running has been read. */
  in: frameAnchor.nullable(),
  out: frameAnchor.nullable(),
  /** `gone`: a file of it was removed, or now shows something else. */
  state: z.enum(['shown', 'waiting', 'gone']),
});

/** A span of a mission, stored as a recipe: it is cut from the originals when it is exported. */
export const clip = z.object({
  _id: id,
  missionId: id,
  missionName: z.string(),
  title: z.string(),
  note: z.string(),
  tags: z.array(z.string()),
  startTime: micros,
  endTime: micros,
  cuts: z.array(clipCut),
  created: micros,
  /** User name of who made it, and of who changed it last. */
  author: z.string(),
  editor: z.string(),
  /** Sent back with PUT: 409 when the row was changed in the meantime. */
  revision: z.int(),
  /** Whether the caller may change and delete it. */
  editable: z.boolean(),
});
export type Clip = z.output<typeof clip>;
