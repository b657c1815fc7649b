import {
  type Classification,
  classificationRank,
  type controlPlatform,
  type LivePlatform,
  recordingMissionName,
} from '@osprey/contract';
import type { z } from 'zod';

export type RecordForm = {
  name: string;
  description: string;
  label: Classification;
  everyone: boolean;
  usergroups: string[];
  tags: string[];
};

/**
 * Returns the initial values of the dialog: a name made of platform and time, and the platform's label and audience.
 */
export const recordForm = (platform: LivePlatform, nowUs: number): RecordForm => ({
  name: recordingMissionName(platform.name, nowUs),
  description: '',
  label: platform.securityClassification,
  everyone: platform.audience === 'everyone',
  usergroups: [...platform.usergroups],
  tags: [],
});

type Body = z.input<typeof controlPlatform.input>['body'];

/**
 * Builds the request that starts a recording. Label and audience are sent only if they differ from the platform's,
 * which may have user groups that the user cannot see and that must be kept.
 */
export function recordBody(
  platform: LivePlatform,
  form: RecordForm,
  sensors: readonly string[],
): Omit<Body, 'platformName' | 'platformType'> {
  const { audience, usergroups, securityClassification } = platform;
  const sharesAsPlatform =
    form.everyone === (audience === 'everyone') && (form.everyone || form.usergroups.join() === usergroups.join());
  return {
    record: true,
    missionName: form.name,
    description: form.description.trim(),
    sensors: [...sensors],
    tags: form.tags,
    autostart: false,
    ...(!sharesAsPlatform && {
      audience: form.everyone ? 'everyone' : 'groups',
      usergroups: form.everyone ? [] : form.usergroups,
    }),
    ...(form.label !== securityClassification && { securityClassification: form.label }),
  };
}

/** Whether a recording may have this label: never one below the platform's. */
export const isReachable = (label: Classification, platform: LivePlatform): boolean =>
  classificationRank(label) >= classificationRank(platform.securityClassification);
