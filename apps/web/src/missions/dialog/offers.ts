import { missionName, NAME_MAX, newMissionForm, sensorName } from '@osprey/contract';
import type { FocusEvent } from 'react';

/**
 * Converts text to a valid mission name: spaces become dashes, and forbidden characters are removed. Null if nothing
 * remains.
 */
export function asMissionName(text: string): string | null {
  const name = text
    .trim()
    .replace(/[\s/\\]+/gu, '-')
    .replace(/[,\p{C}]/gu, '')
    .slice(0, NAME_MAX);
  return missionName.safeParse(name).success ? name : null;
}

/** Converts text to a valid sensor name; null if that is not possible. */
export function asSensorName(text: string): string | null {
  const name = text
    .replace(/[\\,\p{C}]/gu, '')
    .slice(0, NAME_MAX)
    .trim();
  return sensorName.safeParse(name).success ? name : null;
}

/** Converts text to a valid platform name; null if nothing remains. */
export const asPlatformName = (text: string): string | null => text.trim().slice(0, NAME_MAX).trim() || null;

/** Returns a file name without its suffix: `Kea 7` of `Kea 7.ts`. */
export const stemOf = (fileName: string): string => fileName.replace(/(?<=.)\.[^.]*$/, '');

const defaults: ReadonlySet<string> = new Set([
  newMissionForm.name,
  newMissionForm.description,
  newMissionForm.platform.name,
  ...newMissionForm.sensors.map(({ name }) => name),
]);

/** Selects a default value when its field gets the focus, so that typing replaces it. */
export function selectDefault({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  if (defaults.has(target.value)) target.select();
}
