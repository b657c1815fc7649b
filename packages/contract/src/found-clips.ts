import { z } from 'zod';
import { clipContainers } from './clips.ts';
import { defineCall, id, micros } from './core/call.ts';

/** Maximum number of spans in one request. */
export const FOUND_CLIPS_MAX = 100;
/** Maximum total duration of all spans in one request, in seconds. */
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
    /** Number of spans that become clips (`clips`) and of spans that were left out (`left`). */
    clips: z.int(),
    left: z.int(),
  }),
  errors: [
    ...(['invalid', 'notSignedIn', 'guestDownload', 'forbidden', 'notFound', 'fileMissing', 'ruleRefused'] as const),
    ...(['tooManyRequests', 'indexDamaged', 'diskFull'] as const),
  ],
});
