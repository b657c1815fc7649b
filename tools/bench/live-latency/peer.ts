import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';

const PLAYER = resolve(import.meta.dirname, '../../../node_modules/hls.js/dist/hls.light.min.js');
const PLAYLIST = 'live.m3u8';

/** The sampler looks for the markup of our player: a section with the sensor's id that contains a video. */
export const PEER_SENSOR = 'peer';
const PAGE = `<!doctype html><section data-sensor-id="${PEER_SENSOR}"><video muted></video></section>
<script src="/player.js"></script><script>
const video = document.querySelector('video');
const player = new Hls();
player.on(Hls.Events.MANIFEST_PARSED, () => video.play());
player.loadSource('/${PLAYLIST}');
player.attachMedia(video);
</script>`;

const TYPES: Record<string, string> = { '.m3u8': 'application/vnd.apple.mpegurl', '.ts': 'video/mp2t' };

export type Peer = { address: string; playlist: string; stop: () => Promise<void> };

/** Starts HLS made by ffmpeg from a UDP input, in segments of two seconds like ours, and a bare page that plays it. */
export async function startPeer(port: number): Promise<Peer> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-live-peer-'));
  const input = ['-hide_banner', '-loglevel', 'error', '-fflags', 'nobuffer', '-i', `udp://127.0.0.1:${port}`];
  const output = ['-map', '0:v', '-c', 'copy', '-f', 'hls', '-hls_time', '2', '-hls_flags', 'delete_segments'];
  const ffmpeg = spawn('ffmpeg', [...input, ...output, join(folder, PLAYLIST)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const server = createServer(async (request, response) => {
    const name = basename(new URL(request.url ?? '/', 'http://peer').pathname);
    const path = join(folder, name);
    if (name === '') {
      response.setHeader('content-type', 'text/html').end(PAGE);
      return;
    }
    if (name === 'player.js') {
      response.end(await readFile(PLAYER));
      return;
    }
    if ((await stat(path).catch(() => null)) === null) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', TYPES[extname(name)] ?? 'application/octet-stream');
    createReadStream(path).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    playlist: `${address}/${PLAYLIST}`,
    async stop() {
      const ended = once(ffmpeg, 'exit');
      ffmpeg.kill('SIGKILL');
      server.closeAllConnections();
      server.close();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
