import { type LandTopology, landOf } from './land.ts';

const read = async (url: string): Promise<LandTopology | null> => {
  const answer = await fetch(url);
  return answer.ok ? answer.json() : null;
};

/** Reads a file of the land off the main thread: its address comes in, polygons go out, null when it did not come. */
self.addEventListener('message', async ({ data: url }: MessageEvent<string>) => {
  const topology = await read(url).catch(() => null);
  // The file is part of this build: what fails in it is a fault of ours, and is to be seen in the console.
  self.postMessage(topology && landOf(topology));
});
