import {
  type AccessFacts,
  type Actor,
  classificationRank,
  isAdmin,
  type NewSnapshot,
  type Usergroup,
} from '@osprey/contract';
import { fill } from '../base/format.ts';
import type { ShareFields } from '../ui/fields/sharing.ts';
import type { DrawnOver } from './capture.ts';
import { texts } from './texts.ts';

/** The frame shown in a snapshot. */
export type SnapshotOf = {
  /** Null for a live stream that is not recorded. */
  missionId: string | null;
  sensor: { _id: string; name: string };
  platformName: string;
  /** Time of the frame, in UTC microseconds. */
  timeUs: number;
  /** Data URL of the picture on screen; null if the player shows none. */
  picture: string | null;
  /** Overlays drawn over the picture; null if there are none. */
  overlays: DrawnOver | null;
  /** Rights of the mission, or of the platform. The snapshot gets the same unless the user restricts them. */
  rights: Pick<AccessFacts, 'securityClassification' | 'audience' | 'usergroups'>;
};

/** Returns the part of the request that is independent of the dialog's fields. */
export const sourceFields = (of: SnapshotOf): Omit<NewSnapshot, 'title'> => ({
  missionName: of.missionId ?? '',
  // A sensor of a platform is given by its name in the live list.
  sensorName: of.missionId === null ? of.sensor.name : of.sensor._id,
  // The name "-" stands for a platform without a name.
  platformName: of.platformName === '-' ? '' : of.platformName,
  timestamp: of.timeUs,
  ...(of.picture !== null && { snapshotDataUrl: of.picture }),
});

/** Returns a default title with the time of the frame: letters, numbers and spaces, 16 characters. */
export const titleOf = (timeUs: number): string =>
  fill(texts.titleNow, { time: new Date(timeUs / 1000).toISOString().slice(11, 19).replaceAll(':', '') });

/** Returns the groups that the snapshot may be shared with, at most those of its source. */
export function groupsOf({ rights }: SnapshotOf, groups: readonly Usergroup[]): Usergroup[] {
  return rights.audience === 'everyone' ? [...groups] : groups.filter(({ _id }) => rights.usergroups.includes(_id));
}

/**
 * Returns the default label and audience, taken from the source. Only admins share with everyone; other users share
 * with their own groups whose maximum label is high enough.
 */
export function shareOf(of: SnapshotOf, actor: Actor, groups: readonly Usergroup[]): ShareFields {
  const label = of.rights.securityClassification;
  const everyone = of.rights.audience === 'everyone' && isAdmin(actor);
  const rank = classificationRank(label);
  const reaching = groupsOf(of, groups).filter((group) => classificationRank(group.securityClassification) >= rank);
  const own = reaching.filter(({ _id }) => actor.groups.some((group) => group._id === _id));
  const chosen = of.rights.audience === 'everyone' ? own : reaching;
  return { label, everyone, usergroups: everyone ? [] : chosen.map(({ _id }) => _id) };
}
