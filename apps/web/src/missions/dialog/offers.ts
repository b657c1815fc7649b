import { missionName, NAME_MAX, newMissionForm, sensorName } from '@osprey/contract';
import type { FocusEvent } from 'react';

/** The text as a name of missions may be: spaces become dashes, and what names may not have is left out. Null: nothing is left. */
export function asMissionName(text: string): string | null {
  const name = text
    .trim()
    .replace(/[\s/\\]+/gu, '-')
    .replace(/[,\p{C}]/gu, '')
    .slice(0, NAME_MAX);
  return missionName.safeParse(name).success ? name : null;
}

/** The same for the name of a sensor. */
export function asSensorName(text: string): string | null {
  const name = text
    .replace(/[\\,\p{C}]/gu, '')
    .slice(0, NAME_MAX)
    .trim();
  return sensorName.safeParse(name).success ? name : null;
}

/** The same for the name of a platform. */
export const asPlatformName = (text: string): string | null => text.trim().slice(0, NAME_MAX).trim() || null;

/** Returns a file name without its suffix: `Kea 7` of `Kea 7.ts`. */
export const stemOf = (fileName: string): string => fileName.replace(/(?<=.)\.[^.]*$/, '');

const defaults: ReadonlySet<string> = new Set([
  newMissionForm.name,
  newMissionForm.description,
  newMissionForm.platform.name,
  ...newMissionForm.sensors.map(({ name }) => name),
]);

/** Selects what nobody typed, so that the first key replaces it. */
export function selectDefault({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  if (defaults.has(target.value)) target.select();
}
