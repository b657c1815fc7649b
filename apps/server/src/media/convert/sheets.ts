import { randomUUID } from 'node:crypto';
import { SHEET_CELL, SHEET_COLUMNS, SHEET_PICTURES } from '@osprey/contract';
import { DecoderError, type Ffmpeg } from '../../base/ffmpeg/ffmpeg.ts';
import { fileBytes } from '../../base/storage/file-bytes.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { putJson } from '../index/file-index.ts';
import { jpegHead } from '../index/jpeg-head.ts';
import { pictureKey, pictureName } from '../index/picture-files.ts';
import { readSheets, type Sheet, type SheetList, sheetKey, sheetListKey, windowOf } from '../index/sheet-files.ts';

/** Maximum size of a full sheet: with its list, an hour of a sensor takes at most 0.6 MB. */
const SHEET_BYTES = 98_000;
/** The tables of a JPEG take room even where there are few pictures. */
const LEAST_BYTES = 4000;
/** Coarsenesses to try, until the sheet is small enough. */
const QUALITIES = [5, 9, 14, 22, 31] as const;
/** Maximum height of a cell, in pixels: of the narrowest portrait video. */
const HEIGHT_MAX = 192;

export type SheetDeps = {
  storage: Storage;
  ffmpeg: Pick<Ffmpeg, 'sheetOf'>;
  log: { warn: (fields: object, text: string) => void };
};

type Picture = { n: number; timeUs: number };

export type SheetsToMake = {
  missionId: string;
  sensorId: string;
  /** The pictures made so far, and the index that they were made of. */
  list: { indexKey: string; pictures: readonly Picture[] };
  /** False while more pictures follow: the last window is then left for later. */
  isAll: boolean;
  signal: AbortSignal;
};

/**
 * Joins the pictures along a sensor into sheets, one for each window of ten minutes, and a further one where the form of
 * the pictures changes. Windows whose pictures are unchanged keep their sheet. Returns the storage keys in use.
 */
export async function makeSheets(deps: SheetDeps, order: SheetsToMake): Promise<string[]> {
  const { storage } = deps;
  const { missionId, sensorId, list, isAll, signal } = order;
  const existing = await readSheets(storage, { id: sensorId, missionId, indexKey: list.indexKey });
  const pictures = list.pictures.toSorted((one, other) => one.timeUs - other.timeUs);
  const first = pictures[0]?.timeUs ?? 0;
  const windows = [...Map.groupBy(pictures, ({ timeUs }) => windowOf(timeUs, first)).values()];
  const sheets: Sheet[] = [];
  let made = 0;
  for (const [at, window] of windows.entries()) {
    signal.throwIfAborted();
    const of = window.map(({ n }) => n);
    const kept = existing.filter((sheet) => sheet.of.join() === of.join());
    if (kept.length > 0) sheets.push(...kept);
    else if (isAll || at < windows.length - 1) {
      made += 1;
      sheets.push(...(await sheetsOfWindow(deps, { missionId, sensorId }, window)));
    }
  }
  const listKey = sheetListKey(missionId, sensorId);
  if (made > 0 || sheets.length !== existing.length) {
    await putJson(storage, listKey, { indexKey: list.indexKey, sheets } satisfies SheetList);
  }
  return [listKey, ...sheets.map(({ id }) => sheetKey(missionId, sensorId, id))];
}

type Subject = { missionId: string; sensorId: string };
type Sized = Picture & { bytes: Buffer; height: number };

async function sheetsOfWindow(deps: SheetDeps, subject: Subject, window: readonly Picture[]): Promise<Sheet[]> {
  const byForm = new Map<string, Sized[]>();
  for (const picture of window) {
    const bytes = await fileBytes(
      deps.storage,
      pictureKey(subject.missionId, pictureName(subject.sensorId, picture.n)),
    );
    const head = bytes && jpegHead(bytes);
    if (!bytes || !head) continue;
    const height = Math.min(HEIGHT_MAX, Math.max(2, 2 * Math.round((SHEET_CELL * head.height) / head.width / 2)));
    byForm.set(head.form, [...(byForm.get(head.form) ?? []), { ...picture, bytes, height }]);
  }
  const of = window.map(({ n }) => n);
  const sheets: Sheet[] = [];
  for (const all of byForm.values()) {
    for (let at = 0; at < all.length; at += SHEET_PICTURES) {
      const sheet = await joined(deps, subject, all.slice(at, at + SHEET_PICTURES));
      if (sheet) sheets.push({ ...sheet, of });
    }
  }
  return sheets;
}

async function joined(
  deps: SheetDeps,
  subject: Subject,
  pictures: readonly Sized[],
): Promise<Omit<Sheet, 'of'> | null> {
  const { storage, log } = deps;
  const { missionId, sensorId } = subject;
  let shown = pictures;
  let bytes = await sheetBytes(deps, shown);
  if (bytes === null) {
    shown = await decodable(deps, pictures);
    bytes = shown.length === 0 ? null : await sheetBytes(deps, shown);
    log.warn({ missionId, sensorId, of: pictures.length, shown: shown.length }, 'pictures left out of a sheet');
  }
  const [first] = shown;
  if (bytes === null || first === undefined) return null;
  const id = randomUUID();
  await storage.put(sheetKey(missionId, sensorId, id), [bytes]);
  return { id, height: first.height, timesUs: shown.map(({ timeUs }) => timeUs) };
}

/** Returns the sheet in the best quality that is small enough; null if any of its pictures cannot be decoded. */
async function sheetBytes({ ffmpeg }: SheetDeps, pictures: readonly Sized[]): Promise<Buffer | null> {
  const most = Math.max(LEAST_BYTES, (SHEET_BYTES * pictures.length) / SHEET_PICTURES);
  let sheet: Buffer | null = null;
  for (const quality of QUALITIES) {
    try {
      sheet = await ffmpeg.sheetOf({
        pictures: pictures.map(({ bytes }) => bytes),
        columns: SHEET_COLUMNS,
        width: SHEET_CELL,
        height: pictures[0]!.height,
        quality,
      });
    } catch (error) {
      if (error instanceof DecoderError) return null;
      throw error;
    }
    if (sheet.length <= most) break;
  }
  return sheet;
}

/** Returns the pictures that can be decoded, each tried alone: rare, since their files look whole. */
async function decodable(deps: SheetDeps, pictures: readonly Sized[]): Promise<Sized[]> {
  const good: Sized[] = [];
  for (const picture of pictures) if ((await sheetBytes(deps, [picture])) !== null) good.push(picture);
  return good;
}
