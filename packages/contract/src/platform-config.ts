import { z } from 'zod';
import { classificationWord } from './access/labels.ts';
import { defineCall, flag, formFile, micros, reasonText } from './core/call.ts';

export const PLATFORMS_FILE_BYTES = 1024 * 1024;

/** One platform that applying the file would add, change or remove. */
export const platformChange = z.object({
  kind: z.enum(['added', 'changed', 'removed']),
  platform: z.string(),
  /** The higher of the labels before and after the change; `marked` is false if it was never chosen. */
  securityClassification: classificationWord,
  marked: z.boolean(),
  /** Differences by field; `null` if the field is absent on that side. Addresses are shown without their passwords. */
  fields: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
});
export type PlatformChange = z.output<typeof platformChange>;

/** `valid`: the configuration was accepted or, with `preview`, would be accepted. An invalid one changes nothing. */
export const platformsConfigResult = z.object({
  valid: z.boolean(),
  /** Summary as a whole sentence. */
  message: z.string(),
  /** `line` counts from 1; null if the error has no particular line. */
  errors: z.array(z.object({ line: z.int().nullable(), text: z.string() })),
  /** Problems that did not prevent acceptance but should be checked. */
  warnings: z.array(z.string()),
  changes: z.array(platformChange),
  /** Number of platforms that stay unchanged. */
  unchanged: z.int(),
  /** Whether a label would be lowered or an audience widened, in which case `reason` must be sent. */
  needsReason: z.boolean(),
  /** Identifies the configuration against which the file was compared; sent back as `expected`. */
  revision: z.string(),
});
export type PlatformsConfigResult = z.output<typeof platformsConfigResult>;

const applying = z.strictObject({
  /** True: only checks the file and returns the differences. */
  preview: flag.optional(),
  /** Revision that was shown to the user: the call is refused if the configuration has changed since. */
  expected: z.string().max(64).optional(),
  reason: reasonText.optional(),
});
export type ApplyOptions = z.output<typeof applying>;

export const getPlatformsConfigFile = defineCall({
  method: 'GET',
  path: '/platformsConfigFile',
  summary:
    'Returns the platforms visible to the caller as platforms.yml, passwords as ***. With `version`, as they were then',
  action: 'platformConfig.manage',
  input: z.object({ query: z.strictObject({ version: z.coerce.number().int().min(1).optional() }) }),
  answer: z.unknown(),
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound'],
  raw: 'media',
});

export const uploadPlatformsConfig = defineCall({
  method: 'POST',
  path: '/upload/platformsConfig',
  summary:
    'Replaces the visible platforms by platforms.yml (form field `platforms`, at most 1 MiB), whole or not at all',
  action: 'platformConfig.manage',
  input: z.object({ query: applying }),
  answer: platformsConfigResult,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'reasonNeeded', 'revisionConflict', 'unsupportedMediaType'],
  raw: 'form',
  form: z.object({ platforms: formFile }),
});

export const platformVersion = z.object({
  version: z.int(),
  created: micros,
  /** Name of the account; null if the account no longer exists. */
  author: z.string().nullable(),
  /** Number of its platforms that the caller may see. */
  platforms: z.int(),
  current: z.boolean(),
});
export type PlatformVersion = z.output<typeof platformVersion>;

export const listPlatformVersions = defineCall({
  method: 'GET',
  path: '/platformsConfig/versions',
  summary: 'Lists the platform configurations so far, newest first',
  action: 'platformConfig.manage',
  input: z.object({}),
  answer: z.array(platformVersion),
  errors: ['notSignedIn', 'forbidden'],
});

export const restorePlatformVersion = defineCall({
  method: 'POST',
  path: '/platformsConfig/versions/:version/restore',
  summary: 'Restores an earlier configuration',
  action: 'platformConfig.manage',
  input: z.object({ params: z.object({ version: z.coerce.number().int().min(1) }), query: applying }),
  answer: platformsConfigResult,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', 'reasonNeeded', 'revisionConflict', 'ruleRefused'],
});
