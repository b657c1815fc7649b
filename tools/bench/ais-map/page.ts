import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = resolve(import.meta.dirname, '../../..');
const SHIPS = join(ROOT, 'apps/web/src/ais/map');

/** The layer as used in the client, on a map without the client's page. */
const ENTRY = `
export { Map, setWorkerUrl } from 'maplibre-gl';
export { createShipLayer } from '${SHIPS}/ship-layer.ts';
export { shipsOverlay } from '${SHIPS}/ships-overlay.ts';
export { createMapTargets } from '${SHIPS}/targets.ts';
`;
const HTML = `<!doctype html><title>Ships</title>
<style>html, body, #map { margin: 0; width: 100%; height: 100%; overflow: hidden }
#map canvas { position: absolute; left: 0 } #over { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none }
body { font-family: Inter, sans-serif; background: #0d1520 }</style>
<div id="map"></div><svg id="over"></svg>`;

export type ShipsPage = { address: string; close: () => Promise<void> };

/**
 * Serves a page with a map and the ship layer at its own address; `/ships.js` contains the code that the bench needs.
 */
export async function serveShips(): Promise<ShipsPage> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-ais-map-'));
  // The file is placed near the client, so that its imports are resolved to the client's packages.
  const entry = join(folder, 'entry.ts');
  await writeFile(entry, ENTRY);
  const bundle = await rolldown({
    input: entry,
    resolve: { modules: [join(ROOT, 'node_modules')] },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
  const worker = join(ROOT, 'node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs');
  const workerBundle = await rolldown({ input: worker });
  const { output: workerOutput } = await workerBundle.generate({ format: 'esm', codeSplitting: false });
  await rm(folder, { recursive: true });
  const files: Record<string, { type: string; body: string }> = {
    '/': { type: 'text/html', body: HTML },
    '/ships.js': { type: 'text/javascript', body: output[0].code },
    '/worker.js': { type: 'text/javascript', body: workerOutput[0].code },
  };
  const server = createServer(({ url = '/' }, response) => {
    const file = files[url];
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
