import { type PictureSheet, SHEET_US } from '@osprey/contract';
import type { Storage } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import { findJson } from './file-index.ts';
import { GROWING, pictureKey } from './picture-files.ts';

/** A sheet, stored as `{sensorId}-sheet-{id}.jpg`. An id is never used again: what a page has read stays true. */
export type Sheet = {
  id: string;
  height: number;
  /** Times of its pictures on the sensor's own clock, in the order of the cells. */
  timesUs: number[];
  /** Numbers of the pictures of its window, also of those that could not be decoded or are in another sheet. */
  of: number[];
};

/** Sheets of a sensor. They are valid only together with the index of which their pictures were made. */
export type SheetList = { indexKey: string; sheets: Sheet[] };

export const sheetKey = (missionId: string, sensorId: string, id: string): string =>
  pictureKey(missionId, `${sensorId}-sheet-${id}.jpg`);
export const sheetListKey = (missionId: string, sensorId: string): string =>
  pictureKey(missionId, `${sensorId}-sheets.json`);

type Sensor = { id: string; missionId: string; indexKey: string | null };

/** Returns the sheets of a sensor that were made of its present index; none if the list is absent or damaged. */
export async function readSheets(storage: Pick<Storage, 'read'>, sensor: Sensor): Promise<Sheet[]> {
  try {
    const list = await findJson<SheetList>(storage, sheetListKey(sensor.missionId, sensor.id));
    return list?.indexKey === (sensor.indexKey ?? GROWING) ? list.sheets : [];
  } catch (error) {
    if (error instanceof IndexDamaged) return [];
    throw error;
  }
}

/** Returns addresses, sizes and times of the sheets along a sensor. */
export async function sheetsOf(
  storage: Pick<Storage, 'read'>,
  { shiftUs, ...sensor }: Sensor & { shiftUs: number },
): Promise<PictureSheet[]> {
  const sheets = await readSheets(storage, sensor);
  return sheets.map(({ id, height, timesUs }) => ({
    url: `/api/media/${sensor.id}/sheets/${id}.jpg`,
    height,
    times: timesUs.map((timeUs) => timeUs + shiftUs),
  }));
}

/** Number of the window of ten minutes, counted from the first picture, in which a picture lies. */
export const windowOf = (timeUs: number, firstUs: number): number => Math.floor((timeUs - firstUs) / SHEET_US);
