import type { Buffer } from 'node:buffer';

/**
 * Files of AIS: lines as they were received, each after a tag block (NMEA 0183, version 4.00) of our own with the time of
 * its reception in milliseconds, and before LF. The block has a fixed length, so that a line keeps its own tag block:
 * `\c:1732809600123*5A\!AIVDM,...` or `\c:1732809600123*5A\\s:mast,c:1732809599*1F\!AIVDM,...`.
 */
export const STAMP_BYTES = 20;

const STAMP = /^\\c:(\d{13})\*([0-9A-F]{2})\\/;

export const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');

/** UTC microseconds at which a line of such a file was received; null where it does not begin with our block. */
export function receptionOf(line: Buffer): number | null {
  const [, time] = STAMP.exec(line.toString('latin1', 0, STAMP_BYTES)) ?? [];
  return time === undefined ? null : Number(time) * 1000;
}

/** The folder of a sensor below `OSPREY_DATA/live`. */
export const aisFolderOf = (sensorId: string): string => `ais/${sensorId}`;

/** Parts of the name of a file of AIS. */
export type AisFileName = { sensorId: string; platformId: string; missionId: string | null; startedUs: number };

const NONE = '0';
const NAME = /^ais\/([0-9a-f-]{36})\/(\d{16})_([0-9a-f-]{36})_(0|[0-9a-f-]{36})\.nmea$/;

/** `ais/{sensor}/{start}_{platform}_{mission}.nmea`: in the order of their names, files are in the order of their times. */
export function aisFileKey({ sensorId, platformId, missionId, startedUs }: AisFileName): string {
  const start = String(startedUs).padStart(16, '0');
  return `${aisFolderOf(sensorId)}/${start}_${platformId}_${missionId ?? NONE}.nmea`;
}

/** Null for what is no file of AIS. */
export function readAisFileKey(key: string): AisFileName | null {
  const [, sensorId, start, platformId, mission] = NAME.exec(key) ?? [];
  if (sensorId === undefined || platformId === undefined) return null;
  return { sensorId, platformId, missionId: mission === NONE ? null : (mission ?? null), startedUs: Number(start) };
}
