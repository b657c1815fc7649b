import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sendPaced } from '../../test-support/paced-sender.ts';
import { treeCpuSeconds } from './process-cpu.ts';

const SRTP = 10;
const UDP = 20;
const KEY = Buffer.alloc(30, 0x5a).toString('base64');
const WARM_UP_MS = 3000;

export type PeerResult = { cpuSeconds: number; missed: number };

/**
 * Runs one ffmpeg that copies the stream to as many receivers as our server has; it checks neither rights nor sessions.
 */
export async function measurePeer(bytes: Buffer, seconds: number): Promise<PeerResult> {
  const receivers = fork(join(import.meta.dirname, 'receivers.ts'), [String(SRTP), String(UDP)]);
  let program: ChildProcess | null = null;
  try {
    const [[input, ...ports]] = (await once(receivers, 'message')) as [[number, ...number[]]];
    const outputs = ports.flatMap((port, index) => (index < SRTP ? toSrtp(port) : toUdp(port)));
    const source = ['-f', 'mpegts', '-i', `udp://127.0.0.1:${input}?fifo_size=50000`];
    program = spawn('/usr/bin/ffmpeg', ['-nostdin', '-v', 'error', ...source, ...outputs], { stdio: 'ignore' });
    const sender = await sendPaced({ bytes, port: input, rounds: Number.POSITIVE_INFINITY });
    await pause(WARM_UP_MS);
    const before = cpuOf(program.pid!);
    await pause(seconds * 1000);
    const cpuSeconds = cpuOf(program.pid!) - before;
    receivers.send('tell');
    const [missed] = (await once(receivers, 'message')) as [number];
    await sender.stop();
    return { cpuSeconds, missed };
  } finally {
    program?.kill('SIGKILL');
    receivers.kill();
  }
}

const copy = ['-map', '0:v', '-c', 'copy'];
const toUdp = (port: number) => [...copy, '-f', 'mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`];
const toSrtp = (port: number) => {
  const secret = ['-srtp_out_suite', 'AES_CM_128_HMAC_SHA1_80', '-srtp_out_params', KEY];
  return [...copy, '-f', 'rtp', ...secret, `srtp://127.0.0.1:${port}?pkt_size=1200`];
};

const cpuOf = (pid: number): number => [...treeCpuSeconds(pid).values()].reduce((sum, one) => sum + one, 0);
