import { z } from 'zod';
import { clipContainers } from './clips.ts';
import { defineCall, id, micros } from './core/call.ts';

/** Most spans of one order. */
export const FOUND_CLIPS_MAX = 100;
/** Longest duration of all spans of one order together, in seconds. */
export const FOUND_CLIPS_SECONDS_MAX = 6 * 3600;

export const orderFoundClips = defineCall({
  method: 'POST',
  path: '/coverage/clips',
  summary:
    'Starts the export of clips of several missions in the background, as one zip with a folder for each; GET ' +
    `exports/{id} returns it. At most ${FOUND_CLIPS_MAX} spans of ${FOUND_CLIPS_SECONDS_MAX / 3600} hours in ` +
    'total. Spans without pictures, or still recorded, are left out',
  action: 'clip.export',
  input: z.object({
    body: z.strictObject({
      spans: z
        .array(z.strictObject({ missionId: id, sensorId: id, from: micros, to: micros }))
        .min(1)
        .max(FOUND_CLIPS_MAX),
      format: z.enum(clipContainers).optional(),
    }),
  }),
  answer: z.object({
    id,
    /** Spans that become clips, and those that were left out. */
    clips: z.int(),
    left: z.int(),
  }),
  errors: [
    ...(['invalid', 'notSignedIn', 'guestDownload', 'forbidden', 'notFound', 'fileMissing', 'ruleRefused'] as const),
    ...(['tooManyRequests', 'indexDamaged', 'diskFull'] as const),
  ],
});
