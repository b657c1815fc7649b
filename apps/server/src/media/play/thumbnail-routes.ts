import { AppError, getSensorSheet, getThumbnail } from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { STILL_STEP_US } from '../index/growing-stills.ts';
import { pictureKey, sensorOfPicture } from '../index/picture-files.ts';
import { readSheets, sheetKey } from '../index/sheet-files.ts';
import type { MediaSensors } from './media-files.ts';
import { headers } from './routes.ts';

export type ThumbnailRoutesDeps = Http & { storage: Storage; media: MediaSensors };

/**
 * Routes of small pictures of missions, sensors and moments. The rights are those of the mission, checked at each
 * request.
 */
export function thumbnailRoutes(deps: ThumbnailRoutesDeps): void {
  const { storage } = deps;

  callRoute(deps, getThumbnail, async ({ input: { params }, actor, audit, reply }) => {
    const { mission } = await deps.media.read(sensorOfPicture(params.thumbnail));
    const isOfMission = [mission.id, mission.name].includes(params.mission);
    if (!isOfMission) throw new AppError('notFound');
    authorize(actor, 'mission.read', mission);
    const key = pictureKey(mission.id, params.thumbnail);
    const stored = await storage.stat(key);
    if (stored === null) throw new AppError('notFound');
    await audit.read('thumbnail.read', mission);
    headers(reply, mission).type('image/jpeg').header('content-length', stored.sizeBytes);
    return storage.read(key);
  });

  callRoute(deps, getSensorSheet, async ({ input: { params }, actor, audit, reply }) => {
    const { mission, indexKey } = await deps.media.read(params.sensorId);
    authorize(actor, 'mission.read', mission);
    const sheets = await readSheets(storage, { id: params.sensorId, missionId: mission.id, indexKey });
    const sheet = sheets.find(({ id }) => `${id}.jpg` === params.sheet);
    if (sheet === undefined) throw new AppError('notFound');
    const key = sheetKey(mission.id, params.sensorId, sheet.id);
    const stored = await storage.stat(key);
    if (stored === null) throw new AppError('notFound');
    const lengthUs = sheet.timesUs.at(-1)! - sheet.timesUs[0]! + STILL_STEP_US;
    await audit.read('sheet.read', mission, `sensor ${params.sensorId}; ${Math.ceil(lengthUs / 1e6)} s`);
    headers(reply, mission).type('image/jpeg').header('content-length', stored.sizeBytes);
    return storage.read(key);
  });
}
