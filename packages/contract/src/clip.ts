import { z } from 'zod';
import { frameAnchor } from './core/anchor.ts';
import { id, micros } from './core/call.ts';

/** One sensor of a clip. */
const clipCut = z.object({
  /** Null: the sensor was removed. */
  sensorId: id.nullable(),
  sensorName: z.string().nullable(),
  /** Times of its frames in UTC microseconds; if a frame is no longer shown, its last known time. */
  startTime: micros,
  endTime: micros,
  /** First and last requested frame; null until a recording that is still running has been processed. */
  in: frameAnchor.nullable(),
  out: frameAnchor.nullable(),
  /** `gone`: one of its files was removed, or now shows something else. */
  state: z.enum(['shown', 'waiting', 'gone']),
});

/** A span of a mission. Only its definition is stored; it is cut from the originals when it is exported. */
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
  /** Usernames of the author, and of the account that made the last change. */
  author: z.string(),
  editor: z.string(),
  /** Must be sent back with PUT, which answers 409 if the row was changed in the meantime. */
  revision: z.int(),
  /** Whether the caller may change and delete it. */
  editable: z.boolean(),
});
export type Clip = z.output<typeof clip>;
