import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Finished, findSandbox, type Sandbox, type Sandboxed, type SandboxLimits } from './sandbox.ts';

const FFMPEG = '/usr/bin/ffmpeg';
const GIB = 1024 ** 3;
export const DECODERS_MAX = 2;

const PICTURE: SandboxLimits = { memoryBytes: GIB, wallMs: 20_000 };
const PICTURE_MAX_BYTES = 4 * 1024 * 1024;
/**
 * Limits for one frame at full resolution. A 2160p frame does not fit into the address space allowed for small
 * pictures.
 */
const FRAME: SandboxLimits = { memoryBytes: 3 * GIB, wallMs: 20_000 };
const FRAME_MAX_BYTES = 32 * 1024 * 1024;
/**
 * Tolerance of a frame's PTS, in 90 kHz ticks. It is less than half the interval between pictures at 120 frames per
 * second.
 */
const FRAME_TOLERANCE_TICKS = 300;
/** PTS values wrap at 33 bits (ISO/IEC 13818-1, 2.4.3.7). */
const WRAP = 2 ** 33;
const CONVERSION_MEMORY = 3 * GIB;
const CONVERSION_BASE_MS = 60_000;
/**
 * Time without progress after which a decoder is ended, in milliseconds. Two attempts, with the sound and without it,
 * still fit into the 90 s allowed for a decoder that loops.
 */
const STALL_MS = 30_000;
/**
 * Minimum size limit of a conversion's output. Otherwise the limit is twice the source, but in short recordings the
 * tables take more space than the pictures.
 */
const CONVERSION_FLOOR_BYTES = 4 * 1024 * 1024;
/** Interval between key frames, which is also the length of a segment, in seconds. */
const KEYFRAME_SECONDS = 2;

/** A decoder failed on its input. The message is for users; the decoder's output is in `detail`, for the log. */
export class DecoderError extends Error {
  override name = 'DecoderError';
  readonly detail: string;

  constructor(message: string, detail: string) {
    super(message);
    this.detail = detail;
  }
}

export type PictureOrder = {
  /** A transport stream of 188-byte packets that begins with its tables and a keyframe, or an MP4 with its tables in front. */
  bytes: Uint8Array;
  /** Default: mpegts. */
  format?: 'mpegts' | 'mov';
  /** Width of the result, in pixels. The height follows from the aspect ratio. */
  width: number;
  type: 'webp' | 'jpeg';
};

export type SheetOrder = {
  /** Whole JPEGs of one size, sampling and colour space. */
  pictures: readonly Uint8Array[];
  /** Number of pictures in a row, and the size of each in pixels; even numbers. */
  columns: number;
  width: number;
  height: number;
  /** Coarseness of the JPEG, 2 to 31. */
  quality: number;
};

export type FrameOrder = {
  /** A transport stream of 188-byte packets that begins with its tables and a key frame. */
  source: Readable;
  /** PTS of the frame as the stream writes it: 33 bits of 90 kHz. */
  pts: number;
};

export type Sound = 'none' | 'copy' | 'encode';

/**
 * Input formats by the name of their demuxer: a transport stream of 188-byte packets, an MP4 or MOV with its tables
 * first, or Matroska.
 */
export type SourceFormat = 'mpegts' | 'mov' | 'matroska';

/**
 * Offset added to the times of containers, which begin at 0, in seconds. Decoding times can precede the first picture,
 * and a transport stream cannot have times below 0.
 */
export const CONTAINER_START_SECONDS = 10;

export type ConversionOrder = {
  source: Readable;
  /** Default: mpegts. */
  format?: SourceFormat | undefined;
  /** Clockwise rotation of the pictures, in degrees. A rotation requires encoding them. Default: 0. */
  rotation?: number | undefined;
  sourceBytes: number;
  durationSeconds: number;
  /**
   * `copy` keeps AAC sound and its times unchanged; `encode` converts other sound to AAC; `none` drops the sound, for
   * streams whose sound cannot be decoded. Default: encode.
   */
  audio?: Sound | undefined;
  /** `copy` keeps the pictures unchanged, if browsers can play them. Default: encode. */
  video?: 'copy' | 'encode' | undefined;
  /** Number of this conversion among several whose results are joined; each uses its own PIDs. Default: 0. */
  part?: number | undefined;
  signal: AbortSignal;
  /** Called with the percentage of the source that has been read. */
  progress: (percent: number) => void;
};

/** A Matroska file to extract subtitles from. */
export type SubtitleOrder = Pick<ConversionOrder, 'source' | 'sourceBytes' | 'durationSeconds' | 'signal'>;

export type Ffmpeg = ReturnType<typeof ffmpegTools>;

/**
 * The only module that starts ffmpeg. ffmpeg never sees an address or a name from a user: input comes through a pipe,
 * the demuxer is fixed, and protocols, formats and decoders are restricted to the necessary ones.
 */
export function ffmpegTools({ sandbox, stallMs = STALL_MS }: { sandbox: Sandbox; stallMs?: number }) {
  const turn = turnstile(DECODERS_MAX);

  return {
    isolated: sandbox.isolated,

    available: (): boolean => existsSync(FFMPEG),

    /** The first picture of the bytes. @throws DecoderError */
    pictureAt: (order: PictureOrder): Promise<Buffer> =>
      turn(async () => {
        const child = sandbox.start(FFMPEG, pictureArguments(order), PICTURE);
        child.stdin.end(order.bytes);
        const picture = await output(child, PICTURE_MAX_BYTES);
        const finished = await child.finished;
        if (finished.code !== 0 || picture.byteLength === 0) throw failed('No picture could be made', finished);
        return picture;
      }),

    /** Joins pictures into one, row by row. @throws DecoderError if any of them cannot be decoded */
    sheetOf: (order: SheetOrder): Promise<Buffer> =>
      turn(async () => {
        const child = sandbox.start(FFMPEG, sheetArguments({ ...order, count: order.pictures.length }), PICTURE);
        child.stdin.end(Buffer.concat(order.pictures));
        const sheet = await output(child, PICTURE_MAX_BYTES);
        const finished = await child.finished;
        if (finished.code !== 0 || sheet.byteLength === 0) throw failed('No sheet could be made', finished);
        return sheet;
      }),

    /**
     * Returns the frame with this PTS at full resolution, as JPEG. @throws DecoderError also if no frame has this PTS
     */
    frameAt: ({ source, pts }: FrameOrder): Promise<Buffer> =>
      turn(async () => {
        const child = sandbox.start(FFMPEG, frameArguments(pts), FRAME);
        const feeding = pipeline(source, child.stdin).catch((error: unknown) => {
          // The decoder closes its input once it has the frame, which is no error.
          if (!isClosedPipe(error)) throw error;
        });
        feeding.catch(child.kill);
        const picture = await output(child, FRAME_MAX_BYTES);
        await feeding;
        const finished = await child.finished;
        if (finished.code !== 0 || picture.byteLength === 0) throw failed('The frame could not be decoded', finished);
        return picture;
      }),

    /** The first subtitles of a Matroska file as SubRip text. @throws DecoderError */
    async *subtitles(order: SubtitleOrder): AsyncGenerator<Uint8Array> {
      const release = await turn.take();
      try {
        order.signal.throwIfAborted();
        yield* converted({ sandbox, stallMs }, { ...order, progress: () => {} }, subtitleArguments());
      } finally {
        release();
      }
    },

    /**
     * Converts pictures and sound to H.264 8-bit 4:2:0 progressive and AAC in a transport stream. Times are kept as in
     * the source, so that telemetry remains aligned. Yields bytes as they are produced.
     *
     * @throws DecoderError for input that it cannot convert; another Error if the decoder was killed from outside
     */
    async *transcode(order: ConversionOrder): AsyncGenerator<Uint8Array> {
      const release = await turn.take();
      try {
        order.signal.throwIfAborted();
        yield* converted({ sandbox, stallMs }, order, conversionArguments(order));
      } finally {
        release();
      }
    },
  };
}

/** Returns the output of a decoder. A decoder that exceeds the size limit is killed. */
async function output(child: Pick<Sandboxed, 'stdout' | 'kill'>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const bytes of child.stdout as AsyncIterable<Buffer>) {
    chunks.push(bytes);
    size += bytes.byteLength;
    if (size > maxBytes) child.kill();
  }
  return Buffer.concat(chunks);
}

type Tools = { sandbox: Sandbox; stallMs: number };

type Running = Pick<ConversionOrder, 'source' | 'sourceBytes' | 'durationSeconds' | 'signal' | 'progress'>;

async function* converted({ sandbox, stallMs }: Tools, order: Running, args: string[]): AsyncGenerator<Uint8Array> {
  const { source, sourceBytes, durationSeconds, signal, progress } = order;
  const wallMs = CONVERSION_BASE_MS + 2 * durationSeconds * 1000;
  const maximum = Math.max(CONVERSION_FLOOR_BYTES, 2 * sourceBytes);
  const child = sandbox.start(FFMPEG, args, { memoryBytes: CONVERSION_MEMORY, wallMs });
  signal.addEventListener('abort', child.kill);
  const stall = stallWatch(stallMs, child.kill);
  const fed = counted(sourceBytes, (percent) => {
    stall.moved();
    progress(percent);
  });
  const feeding = pipeline(source, fed, child.stdin).catch((error: unknown) => {
    // The decoder closed its input; its exit status gives the reason. Errors of the source itself belong to the caller.
    if (!isClosedPipe(error)) throw error;
  });
  feeding.catch(child.kill);
  let size = 0;
  try {
    for await (const bytes of child.stdout as AsyncIterable<Buffer>) {
      size += bytes.byteLength;
      if (size > maximum) throw new DecoderError('The conversion grew beyond its limit.', '');
      // Stop the stall timer: the decoder waits for this process while the bytes are stored.
      stall.pause();
      yield bytes;
      stall.moved();
    }
    await feeding;
    const finished = await child.finished;
    signal.throwIfAborted();
    if (stall.isOver()) throw failed('The video could not be converted', { ...finished, timedOut: true });
    if (wasKilled(finished)) throw new Error('The decoder was killed');
    if (finished.code !== 0 || size === 0) throw failed('The video could not be converted', finished);
  } finally {
    stall.end();
    child.kill();
    signal.removeEventListener('abort', child.kill);
  }
}

/**
 * Kills a decoder that has neither read nor written a byte for `stallMs`: it is looping, even if the time limit of a
 * long file is not reached yet.
 */
function stallWatch(stallMs: number, kill: () => void) {
  let since: number | null = performance.now();
  let isOver = false;
  const looks = setInterval(() => {
    if (since === null || performance.now() - since < stallMs) return;
    isOver = true;
    kill();
  }, stallMs / 10);
  return {
    moved: () => {
      since = performance.now();
    },
    pause: () => {
      since = null;
    },
    isOver: () => isOver,
    end: () => clearInterval(looks),
  };
}

const counted = (total: number, progress: (percent: number) => void) =>
  async function* (source: AsyncIterable<Uint8Array>) {
    let read = 0;
    for await (const bytes of source) {
      yield bytes;
      read += bytes.byteLength;
      if (total > 0) progress(Math.min(100, (100 * read) / total));
    }
  };

/** Names of ffmpeg's demuxers. Each is named after all formats it reads. */
const FAMILY: Record<SourceFormat, string> = {
  mpegts: 'mpegts',
  mov: 'mov,mp4,m4a,3gp,3g2,mj2',
  matroska: 'matroska,webm',
};
/**
 * Allowed decoders. `mp2float` is ffmpeg's default decoder for MPEG audio layer 2; `aac_latm` decodes AAC in LATM
 * framing; `libdav1d` decodes AV1.
 */
const DECODERS = 'h264,hevc,mpeg2video,mpeg4,libdav1d,mjpeg,png,aac,aac_latm,ac3,eac3,mp2,mp2float';

/** Input options of every run. */
const input = (format: SourceFormat) => [
  ...['-nostdin', '-hide_banner'],
  ...['-loglevel', 'error'],
  ...['-threads', '2'],
  ...['-filter_threads', '2'],
  ...['-protocol_whitelist', 'pipe'],
  // The whitelist needs the demuxer's full name, which for MP4 lists the whole family of formats.
  ...['-format_whitelist', FAMILY[format]],
  ...['-codec_whitelist', DECODERS],
  // A movie file may refer to other files for its data (ISO/IEC 14496-12, 8.7.2); this is disabled.
  ...(format === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
  ...['-f', format],
];

/**
 * Builds ffmpeg's arguments for a still picture from constants and one number only, so that no user input reaches the
 * command line.
 */
export function pictureArguments({ width, type, format = 'mpegts' }: Omit<PictureOrder, 'bytes'>): string[] {
  const encoder = type === 'webp' ? ['-c:v', 'libwebp', '-quality', '75'] : ['-c:v', 'mjpeg', '-q:v', '5'];
  return [
    ...input(format),
    ...['-i', 'pipe:0'],
    ...['-map', '0:v:0', '-frames:v', '1', '-an', '-sn', '-dn', '-map_metadata', '-1'],
    ...['-vf', `yadif=deint=interlaced,scale=${Math.round(width)}:-2:flags=bilinear,format=yuv420p`],
    ...encoder,
    ...['-f', 'image2pipe', 'pipe:1'],
  ];
}

/** Returns a function that finds out the available isolation at its first call; each call returns the same tools. */
export function ffmpegWhenNeeded(mode: 'auto' | 'required'): () => Promise<Ffmpeg> {
  let tools: Promise<Ffmpeg> | null = null;
  return () => {
    tools ??= findSandbox(mode).then((sandbox) => ffmpegTools({ sandbox }));
    return tools;
  };
}

/**
 * Builds ffmpeg's arguments for a sheet of JPEGs, from numbers only. Any error of the decoder ends the run: a picture
 * left out would move all that follow it to the cells of others.
 */
export function sheetArguments(order: Omit<SheetOrder, 'pictures'> & { count: number }): string[] {
  const [columns, width, height, quality, count] = [
    ...[order.columns, order.width, order.height, order.quality, order.count],
  ].map(Math.round) as [number, number, number, number, number];
  const grid = `${columns}x${Math.ceil(count / columns)}`;
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-xerror', '-threads', '1', '-filter_threads', '1'],
    ...['-protocol_whitelist', 'pipe', '-format_whitelist', 'jpeg_pipe', '-codec_whitelist', 'mjpeg'],
    ...['-err_detect', 'explode', '-reinit_filter', '0', '-framerate', '1', '-f', 'jpeg_pipe', '-i', 'pipe:0'],
    ...['-map', '0:v:0', '-an', '-sn', '-dn', '-map_metadata', '-1', '-frames:v', '1', '-fps_mode', 'passthrough'],
    ...['-vf', `scale=${width}:${height}:flags=area:out_range=pc,format=yuvj420p,tile=${grid}:nb_frames=${count}`],
    ...['-c:v', 'mjpeg', '-q:v', String(quality), '-huffman', 'optimal'],
    ...['-f', 'image2pipe', 'pipe:1'],
  ];
}

/**
 * Builds ffmpeg's arguments for a single frame, from constants and numbers only. Times are kept as in the stream, so
 * that the PTS identifies the frame even if the decoder drops frames before it.
 */
export function frameArguments(pts: number): string[] {
  // After a wrap of the 33 bits, the demuxer may continue counting upwards; the comparison is therefore modulo the
  // wrap.
  const isRequested = `lte(mod(pts-${Math.round(pts)}+${2 * WRAP + FRAME_TOLERANCE_TICKS}\\,${WRAP})\\,${2 * FRAME_TOLERANCE_TICKS})`;
  return [
    ...input('mpegts'),
    ...['-copyts', '-correct_ts_overflow', '0', '-i', 'pipe:0'],
    ...['-map', '0:v:0', '-an', '-sn', '-dn', '-map_metadata', '-1'],
    ...['-vf', `select=${isRequested},yadif=deint=interlaced,scale=out_range=pc,format=yuvj420p`],
    ...['-frames:v', '1', '-fps_mode', 'passthrough', '-c:v', 'mjpeg', '-q:v', '3'],
    ...['-f', 'image2pipe', 'pipe:1'],
  ];
}

/** Builds ffmpeg's arguments for subtitles, from constants only. The text is copied without decoding. */
export const subtitleArguments = (): string[] => [
  ...input('matroska'),
  ...['-i', 'pipe:0', '-map', '0:s:0', '-c:s', 'copy', '-vn', '-an', '-dn', '-map_metadata', '-1'],
  ...['-f', 'srt', 'pipe:1'],
];

type Conversion = Pick<
  ConversionOrder,
  'sourceBytes' | 'durationSeconds' | 'audio' | 'video' | 'part' | 'format' | 'rotation'
>;

const sound: Record<Sound, string[]> = {
  none: ['-an'],
  copy: ['-map', '0:a:0?', '-c:a', 'copy'],
  encode: ['-map', '0:a:0?', '-c:a', 'aac', '-b:a', '128k', '-ac', '2'],
};

/** PIDs of the elementary streams in a joined conversion: 16 for each part, below the PIDs of the tables. */
const FIRST_PID = 0x100;
const PIDS_OF_A_PART = 16;
const PARTS = 200;

/** Builds ffmpeg's arguments for a conversion, from constants and numbers only. */
export function conversionArguments(conversion: Conversion): string[] {
  const { audio = 'encode', video = 'encode', part = 0, format = 'mpegts' } = conversion;
  return [
    ...input(format),
    // Automatic rotation is off; an explicit filter rotates the pictures, so that the result is the same for all
    // containers.
    ...(format === 'mpegts' ? [] : ['-noautorotate']),
    ...['-copyts', '-i', 'pipe:0'],
    // `V` excludes pictures attached to a file as its cover.
    ...['-map', format === 'mpegts' ? '0:v:0' : '0:V:0', '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'],
    ...(video === 'copy' ? ['-c:v', 'copy'] : pictureCoding(conversion)),
    ...sound[audio],
    ...['-muxdelay', '0', '-muxpreload', '0', '-mpegts_copyts', '1', '-avoid_negative_ts', 'disabled'],
    ...(format === 'mpegts' ? [] : ['-output_ts_offset', String(CONTAINER_START_SECONDS)]),
    ...['-mpegts_start_pid', String(FIRST_PID + (part % PARTS) * PIDS_OF_A_PART)],
    ...['-f', 'mpegts', 'pipe:1'],
  ];
}

/** Rotation filters by clockwise angle in degrees. */
const TURNS: Record<number, string> = { 90: 'transpose=clock,', 180: 'hflip,vflip,', 270: 'transpose=cclock,' };

/**
 * Builds the options for encoding pictures. There are no B-frames: with them, decoding times would precede the first
 * picture, and ffmpeg would shift all times to compensate.
 */
function pictureCoding({ sourceBytes, durationSeconds, rotation = 0 }: Conversion): string[] {
  const sourceBits = durationSeconds > 0 ? (sourceBytes * 8) / durationSeconds : 4_000_000;
  const maxBits = Math.round(Math.min(20_000_000, Math.max(1_000_000, sourceBits * 1.5)));
  return [
    ...['-vf', `yadif=deint=interlaced,${TURNS[rotation] ?? ''}scale=trunc(iw/2)*2:trunc(ih/2)*2,format=yuv420p`],
    ...['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', '22', '-bf', '0'],
    ...['-maxrate', String(maxBits), '-bufsize', String(maxBits * 2)],
    ...['-force_key_frames', `expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+${KEYFRAME_SECONDS}))`],
  ];
}

function failed(what: string, { timedOut, signal, code, stderr }: Finished): DecoderError {
  const why = timedOut ? 'it took too long' : 'the decoder failed';
  return new DecoderError(`${what}: ${why}.`, `code ${code} signal ${signal}: ${stderr}`);
}

/**
 * Whether the decoder was killed from outside, for example by the system when out of memory. The sandbox then exits
 * with 128 plus the signal number.
 */
const wasKilled = ({ code, signal, timedOut, tooLarge }: Finished): boolean =>
  (signal === 'SIGKILL' || code === 128 + constants.signals.SIGKILL) && !timedOut && !tooLarge;

const closedPipe = new Set<unknown>(['EPIPE', 'ECONNRESET', 'ECANCELED', 'ERR_STREAM_PREMATURE_CLOSE']);
const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && closedPipe.has(error.code);

/** Limits the number of callers that run concurrently; the others wait in order of arrival. */
export function turnstile(maximum: number) {
  let inside = 0;
  const waiting: (() => void)[] = [];

  async function acquire(): Promise<() => void> {
    if (inside >= maximum) await new Promise<void>((resolve) => waiting.push(resolve));
    else inside += 1;
    return () => {
      const next = waiting.shift();
      // The slot passes directly to the next waiting caller.
      if (next === undefined) inside -= 1;
      else next();
    };
  }

  async function turn<T>(work: () => Promise<T>): Promise<T> {
    const release = await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
  return Object.assign(turn, { take: acquire });
}
