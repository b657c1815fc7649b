/// <reference lib="dom" />
import type { Room } from '@osprey/contract';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Visitor } from './stage.ts';

/** Returns the tile of a participant in the window of a call. */
export const tile = (call: Page, name: string): Locator =>
  call.getByRole('list', { name: 'In the room' }).getByRole('listitem').filter({ hasText: name });

/** Joins the call from the lobby of a room. */
export async function join(call: Page): Promise<void> {
  await call.getByRole('button', { name: 'Join', exact: true }).click();
  await call.getByRole('toolbar', { name: 'Conference' }).waitFor();
}

export async function joinRoom(page: Page, { _id }: Room): Promise<void> {
  await page.goto(`/conference#room=${_id}`);
  await join(page);
}

/** Joins by a call in another window of the same browser. */
export async function joinInWindow({ context }: Visitor, room: Room): Promise<Page> {
  const call = await context.newPage();
  await joinRoom(call, room);
  return call;
}

/** Returns the numbers of pictures that a page has decoded, and that it has dropped. */
export const videoFrames = (video: Locator): Promise<{ total: number; dropped: number }> =>
  video.evaluate((element) => {
    const { totalVideoFrames, droppedVideoFrames } = (element as HTMLVideoElement).getVideoPlaybackQuality();
    return { total: totalVideoFrames, dropped: droppedVideoFrames };
  });

/** Waits until more pictures of a participant have arrived. */
export async function expectPictures(call: Page, name: string): Promise<void> {
  const video = tile(call, name).locator('video');
  await video.waitFor();
  const before = (await videoFrames(video)).total;
  await expect.poll(async () => (await videoFrames(video)).total).toBeGreaterThan(before + 5);
}
