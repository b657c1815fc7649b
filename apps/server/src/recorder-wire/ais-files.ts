import type { Buffer } from 'node:buffer';

/**
 * AIS files contain lines as received, each preceded by a tag block (NMEA 0183, version 4.00) with its time of
 * reception in milliseconds, and followed by LF. The block has a fixed length, so that a line can contain another tag
 * block after it:
 * `\c:1732809600123*5A\!AIVDM,...` or `\c:1732809600123*5A\\s:mast,c:1732809599*1F\!AIVDM,...`.
 */
export const STAMP_BYTES = 20;

const STAMP = /^\\c:(\d{13})\*([0-9A-F]{2})\\/;

export const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');

/**
 * Returns the UTC microseconds at which a line of an AIS file was received; null if it does not begin with the time
 * stamp block.
 */
export function receptionOf(line: Buffer): number | null {
  const [, time] = STAMP.exec(line.toString('latin1', 0, STAMP_BYTES)) ?? [];
  return time === undefined ? null : Number(time) * 1000;
}

/** The folder of a sensor under `OSPREY_DATA/live`. */
export const aisFolderOf = (sensorId: string): string => `ais/${sensorId}`;

/** Parts of an AIS file's name. */
export type AisFileName = { sensorId: string; platformId: string; missionId: string | null; startedUs: number };

const NONE = '0';
const NAME = /^ais\/([0-9a-f-]{36})\/(\d{16})_([0-9a-f-]{36})_(0|[0-9a-f-]{36})\.nmea$/;

/** Returns the key `ais/{sensor}/{start}_{platform}_{mission}.nmea`; keys sorted by name are in time order. */
export function aisFileKey({ sensorId, platformId, missionId, startedUs }: AisFileName): string {
  const start = String(startedUs).padStart(16, '0');
  return `${aisFolderOf(sensorId)}/${start}_${platformId}_${missionId ?? NONE}.nmea`;
}

/** Parses a storage key; null if it is not that of an AIS file. */
export function readAisFileKey(key: string): AisFileName | null {
  const [, sensorId, start, platformId, mission] = NAME.exec(key) ?? [];
  if (sensorId === undefined || platformId === undefined) return null;
  return { sensorId, platformId, missionId: mission === NONE ? null : (mission ?? null), startedUs: Number(start) };
}
