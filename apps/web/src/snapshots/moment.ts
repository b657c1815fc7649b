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

/** The frame that a snapshot is taken of. */
export type SnapshotOf = {
  /** Null for a live stream that is not recorded. */
  missionId: string | null;
  sensor: { _id: string; name: string };
  platformName: string;
  /** UTC of the frame, microseconds. */
  timeUs: number;
  /** Data URL of what is on screen; null where the player shows no picture. */
  picture: string | null;
  /** Drawings over it; null if there are none. */
  overlays: DrawnOver | null;
  /** Rights of the mission, or of the platform: those of the snapshot unless the user narrows them. */
  rights: Pick<AccessFacts, 'securityClassification' | 'audience' | 'usergroups'>;
};

/** The part of the call that no field of the dialog changes. */
export const sourceFields = (of: SnapshotOf): Omit<NewSnapshot, 'title'> => ({
  missionName: of.missionId ?? '',
  // A sensor of a platform is named as the live list names it.
  sensorName: of.missionId === null ? of.sensor.name : of.sensor._id,
  // A mission whose platform has no name shows a dash.
  platformName: of.platformName === '-' ? '' : of.platformName,
  timestamp: of.timeUs,
  ...(of.picture !== null && { snapshotDataUrl: of.picture }),
});

/** A title by the time of the frame: letters, numbers and spaces, 16 characters. */
export const titleOf = (timeUs: number): string =>
  fill(texts.titleNow, { time: new Date(timeUs / 1000).toISOString().slice(11, 19).replaceAll(':', '') });

/** Groups that the snapshot may be shared with: at most those of what it shows. */
export function groupsOf({ rights }: SnapshotOf, groups: readonly Usergroup[]): Usergroup[] {
  return rights.audience === 'everyone' ? [...groups] : groups.filter(({ _id }) => rights.usergroups.includes(_id));
}

/**
 * Label and audience of its source. Only admins share with everyone; for others it is shared with their own groups, as
 * far as the ceilings of the groups reach the label.
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
