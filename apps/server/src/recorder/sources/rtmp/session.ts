import { randomBytes } from 'node:crypto';
import { FormatError } from '@osprey/bytes';
import { type AmfValue, readAmf, writeAmf } from './amf0.ts';
import { chunkReader, MESSAGE, type RtmpMessage, writeMessage } from './chunks.ts';

/** RTMP version in the handshake (RTMP 1.0, 5.2). After it, each side sends two blocks of ECHO_BYTES. */
const VERSION = 3;
const ECHO_BYTES = 1536;
/** Maximum size of a message before the key is accepted. */
const STRANGER_MESSAGE_MAX = 16 * 1024;
/** Maximum size of a message after the key is accepted; a key frame of 4K video at 100 Mbit/s has about 2 MB. */
const MESSAGE_MAX = 4 * 1024 * 1024;
/** Maximum number of commands in one connection; encoders send eight. */
const COMMANDS_MAX = 100;
const WINDOW_BYTES = 2_500_000;
const CHUNK_SIZE = 4096;
const STREAM_ID = 1;

/** An FLV video or audio tag of a publisher, with its body. */
export type FlvTag = { kind: 'video' | 'audio'; timestampMs: number; bytes: Buffer };

/** Reply to a request to publish on a path. Any reply other than `taken` ends the connection. */
export type PublishAnswer = 'taken' | 'denied' | 'inUse';

type SessionDeps = {
  send(bytes: Buffer): void;
  /** Called once, before any picture is accepted; `path` is `app/key`. */
  publish(path: string): PublishAnswer;
};

const REFUSALS = {
  denied: { code: 'NetStream.Publish.Denied', description: 'The key is not known here' },
  inUse: { code: 'NetStream.Publish.BadName', description: 'Somebody publishes here already' },
} as const;

const NOTHING_TO_PLAY = { code: 'NetStream.Play.StreamNotFound', description: 'Nothing is played here' };
const PUBLISH_ENDS = ['FCUnpublish', 'deleteStream', 'closeStream'];

/** Protocol state of one encoder's connection, from the handshake to the pictures, independent of the socket. */
export function rtmpSession({ send, publish }: SessionDeps) {
  const reader = chunkReader({ messageMax: STRANGER_MESSAGE_MAX });
  let greeting: Buffer | null = Buffer.alloc(0);
  let isGreeted = false;
  let app: string | null = null;
  let isPublishing = false;
  let hasEnded = false;
  let commands = 0;
  let window = WINDOW_BYTES;
  let received = 0;
  let acknowledged = 0;

  /**
   * Processes received bytes, sends replies, and yields the tags of a publisher. The caller may pause after each tag.
   *
   * @throws FormatError for bytes that are no RTMP, or exceed its limits
   */
  function* read(bytes: Buffer): Generator<FlvTag> {
    received += bytes.length;
    if (received - acknowledged >= window) acknowledge();
    const chunks = greeting === null ? bytes : greet(bytes);
    for (const message of reader.read(chunks)) {
      const tag = handle(message);
      if (tag !== null) yield tag;
      if (hasEnded) return;
    }
  }

  function acknowledge(): void {
    acknowledged = received;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(received % 2 ** 32);
    send(writeMessage({ type: MESSAGE.acknowledgement, streamId: 0, bytes: count }));
  }

  /** Handles the handshake: replies to C0 and C1 with S0, S1 and S2 (S2 echoes C1). Returns the bytes after C2. */
  function greet(bytes: Buffer): Buffer {
    const got = Buffer.concat([greeting ?? Buffer.alloc(0), bytes]);
    greeting = got;
    if (got[0] !== VERSION) throw new FormatError('No handshake of RTMP', 0);
    if (got.length < 1 + ECHO_BYTES) return Buffer.alloc(0);
    if (!isGreeted) {
      // S1 consists of a time of 0, four zero bytes and random bytes; S2 is a copy of C1.
      const own = Buffer.concat([Buffer.alloc(8), randomBytes(ECHO_BYTES - 8)]);
      send(Buffer.concat([Buffer.of(VERSION), own, got.subarray(1, 1 + ECHO_BYTES)]));
      isGreeted = true;
    }
    if (got.length < 1 + 2 * ECHO_BYTES) return Buffer.alloc(0);
    greeting = null;
    return got.subarray(1 + 2 * ECHO_BYTES);
  }

  function handle({ type, timestampMs, bytes }: RtmpMessage): FlvTag | null {
    if (type === MESSAGE.command) command(readAmf(bytes));
    // An AMF 3 command message begins with a format byte; the rest is encoded in AMF 0.
    else if (type === MESSAGE.commandAmf3) command(readAmf(bytes.subarray(1)));
    else if (type === MESSAGE.windowSize && bytes.length >= 4) window = Math.max(1024, bytes.readUInt32BE(0));
    else if (isPublishing && type === MESSAGE.video) return { kind: 'video', timestampMs, bytes };
    else if (isPublishing && type === MESSAGE.audio) return { kind: 'audio', timestampMs, bytes };
    return null;
  }

  function command([name, id, object, argument]: AmfValue[]): void {
    commands += 1;
    if (commands > COMMANDS_MAX) throw new FormatError('Too many commands', received);
    const request = typeof id === 'number' ? id : 0;
    if (name === 'connect') connect(request, object);
    else if (name === 'createStream') answer('_result', request, [null, STREAM_ID]);
    else if (name === 'publish') begin(argument);
    else if (name === 'play' || name === 'play2') refuse(NOTHING_TO_PLAY);
    else if (PUBLISH_ENDS.includes(String(name))) hasEnded = isPublishing;
  }

  function connect(request: number, object: AmfValue | undefined): void {
    const named = object instanceof Map ? object.get('app') : undefined;
    if (app !== null || typeof named !== 'string') throw new FormatError('No connect that can be answered', received);
    app = named;
    const sizes = Buffer.alloc(13);
    sizes.writeUInt32BE(WINDOW_BYTES, 0);
    sizes.writeUInt32BE(WINDOW_BYTES, 4);
    // Limit type 2 is "dynamic" (5.4.5).
    sizes[8] = 2;
    sizes.writeUInt32BE(CHUNK_SIZE, 9);
    send(writeMessage({ type: MESSAGE.windowSize, streamId: 0, bytes: sizes.subarray(0, 4) }));
    send(writeMessage({ type: MESSAGE.peerBandwidth, streamId: 0, bytes: sizes.subarray(4, 9) }));
    send(writeMessage({ type: MESSAGE.chunkSize, streamId: 0, bytes: sizes.subarray(9) }));
    const description = 'Connected';
    const status = { level: 'status', code: 'NetConnection.Connect.Success', description, objectEncoding: 0 };
    answer('_result', request, [{ fmsVer: 'FMS/3,0,1,123', capabilities: 31 }, status]);
  }

  function begin(key: AmfValue | undefined): void {
    if (app === null || isPublishing || typeof key !== 'string') {
      throw new FormatError('No publish that can be answered', received);
    }
    const result = publish(`${app}/${key}`);
    if (result !== 'taken') {
      refuse(REFUSALS[result]);
      return;
    }
    isPublishing = true;
    reader.allow(MESSAGE_MAX);
    notify({ level: 'status', code: 'NetStream.Publish.Start', description: 'Pictures are taken' });
  }

  function refuse(why: { code: string; description: string }): void {
    notify({ level: 'error', ...why });
    hasEnded = true;
  }

  const notify = (status: { [name: string]: string }) => answer('onStatus', 0, [null, status], STREAM_ID);

  function answer(name: string, request: number, values: Parameters<typeof writeAmf>[0], streamId = 0): void {
    send(writeMessage({ type: MESSAGE.command, streamId, bytes: writeAmf([name, request, ...values]) }));
  }

  return { read, isPublishing: () => isPublishing, hasEnded: () => hasEnded };
}
