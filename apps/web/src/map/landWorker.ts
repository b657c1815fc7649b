import { type LandTopology, landOf } from './land.ts';

/** Reads a file of the land off the main thread: its address comes in, polygons go out, null when it failed. */
self.addEventListener('message', async ({ data: url }: MessageEvent<string>) => {
  try {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`The land answered ${answer.status}`);
    // The file is part of this build.
    self.postMessage(landOf((await answer.json()) as LandTopology));
  } catch {
    self.postMessage(null);
  }
});
