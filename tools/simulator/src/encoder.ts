import { type ChildProcess, spawn } from 'node:child_process';
import { aviPictures } from './avi-pictures.ts';
import type { ResolvedOptions } from './options.ts';
import { type CodedPicture, pictureSplitter } from './picture-order.ts';

/** Starts a program with pipes on all three standard streams. */
export type StartProcess = (program: string, args: readonly string[]) => ChildProcess;

/** The H.264 encoder: accepts pictures, and outputs coded pictures in coding order. */
export type Encoder = {
  /** Resolves once the bytes have been written; they must not be modified before that. */
  write(picture: Uint8Array): Promise<void>;
  /** Resolves once the last coded picture has been delivered. */
  end(): Promise<void>;
  kill(): void;
};

/** Thrown if the encoder cannot be started or fails; the message says what to do. */
export class EncoderError extends Error {
  override name = 'EncoderError';
}

/** Maximum length of the encoder's own messages that are kept for the error. */
const RETAINED_MESSAGES = 2000;

const startWithPipes: StartProcess = (program, args) => spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });

export type EncoderWay = {
  ffmpeg?: string;
  startProcess?: StartProcess;
  /** Delivers each picture as soon as it is coded, before the next one is drawn. */
  live?: boolean;
};

export function startEncoder(
  options: ResolvedOptions,
  take: (picture: CodedPicture) => void,
  { ffmpeg = 'ffmpeg', startProcess = startWithPipes, live = false }: EncoderWay,
): Encoder {
  const child = startProcess(ffmpeg, [...encoderArguments(options), ...(live ? LIVE_OUTPUT : FILE_OUTPUT)]);
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new EncoderError(`${ffmpeg} was started without pipes`);
  let messages = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    messages = (messages + text).slice(-RETAINED_MESSAGES);
  });
  // The rejection of `exited` reports the encoder's end; a broken pipe adds no information.
  stdin.on('error', () => undefined);

  const splitter = live ? pictureReader(take) : pictureSplitter(take);
  const exited = new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => reject(new EncoderError(startMessage(ffmpeg, cause), { cause })));
    stdout.on('data', (bytes: Uint8Array) => {
      try {
        splitter.push(bytes);
      } catch (error) {
        reject(error);
        child.kill('SIGKILL');
      }
    });
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new EncoderError(`${ffmpeg} ended with ${signal ?? `code ${code}`}: ${messages.trim() || 'no message'}`),
        );
    });
  });
  // The next write or the end reports the failure.
  exited.catch(() => undefined);

  return {
    write(picture) {
      const isTaken = new Promise<void>((resolve) => stdin.write(picture, () => resolve()));
      return Promise.race([isTaken, exited]).then(() => {
        if (child.exitCode !== null || child.signalCode !== null) return exited.then(() => endedEarly(ffmpeg));
      });
    },
    async end() {
      stdin.end();
      await exited;
      splitter.end();
    },
    kill: () => child.kill('SIGKILL'),
  };
}

function endedEarly(ffmpeg: string): never {
  throw new EncoderError(`${ffmpeg} ended before its last picture`);
}

function startMessage(ffmpeg: string, cause: Error): string {
  const isMissing = 'code' in cause && cause.code === 'ENOENT';
  if (!isMissing) return `${ffmpeg} could not be started: ${cause.message}`;
  return `${ffmpeg} was not found. Install it (Debian: apt-get install ffmpeg) or name its place with --ffmpeg`;
}

function encoderArguments({ width, height, fps, gop, bFrames, kbps }: ResolvedOptions): string[] {
  const x264 = {
    // Needed because the splitter cuts at the delimiter before each picture.
    aud: 1,
    keyint: gop,
    'min-keyint': gop,
    scenecut: 0,
    bframes: bFrames,
    'b-adapt': 0,
    'b-pyramid': 'none',
    'open-gop': 0,
    colorprim: 'bt709',
    transfer: 'bt709',
    colormatrix: 'bt709',
  };
  const params = Object.entries(x264).map(([name, value]) => `${name}=${value}`);
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-probesize', '32', '-analyzeduration', '0'],
    ...['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', `${width}x${height}`, '-framerate', String(fps)],
    ...['-i', 'pipe:0', '-an', '-c:v', 'libx264', '-preset', 'superfast', '-profile:v', 'high', '-crf', '25'],
    ...['-maxrate', `${kbps}k`, '-bufsize', `${2 * kbps}k`, '-x264-params', params.join(':')],
  ];
}

const FILE_OUTPUT = ['-f', 'h264', 'pipe:1'];
/** Options for minimum delay: no picture waits for others, neither in the encoder nor in the output. */
const LIVE_OUTPUT = ['-tune', 'zerolatency', '-flush_packets', '1', '-f', 'avi', 'pipe:1'];

/** Reads coded pictures that must be delivered one by one. */
function pictureReader(take: (picture: CodedPicture) => void) {
  const splitter = pictureSplitter(take);
  const pictures = aviPictures((bytes) => {
    splitter.push(bytes);
    splitter.end();
  });
  return { push: pictures.push, end: () => undefined };
}
