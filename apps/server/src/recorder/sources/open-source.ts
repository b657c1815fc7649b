import type { Sandbox } from '../../base/ffmpeg/sandbox.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { SourceCheck } from '../../recorder-wire/source-address.ts';
import type { OpenSource, SourceSink } from '../components.ts';
import { httpOpener } from './http-source.ts';
import { replayOpener } from './replay-source.ts';
import { rtmpOpener } from './rtmp/rtmp-source.ts';
import type { FindTls } from './rtmp/shared-ports.ts';
import { rtspOpener } from './rtsp-source.ts';
import { SourceError } from './source-error.ts';
import { srtOpener } from './srt-source.ts';
import { tcpOpener } from './tcp-source.ts';
import { openUdp } from './udp-source.ts';

export type SourceDeps = {
  check: SourceCheck;
  /** Sandbox for the external programs that receive RTSP and SRT. */
  sandbox: () => Promise<Sandbox>;
  /** Storage of the recordings that are replayed. */
  storage: Pick<Storage, 'list' | 'read'>;
  /** Certificate for encoders that push over TLS. */
  tls: FindTls;
};

/**
 * Opens a source address of any kind. The address is checked again first, since its name may resolve differently by
 * now.
 *
 * @throws SourceError with a message for operators
 */
export function sourceOpener(deps: SourceDeps): OpenSource {
  const { check, storage } = deps;
  const http = httpOpener(check);
  const rtsp = rtspOpener(deps);
  const rtmp = rtmpOpener(deps);
  const openers: Record<string, OpenSource> = {
    udp: openUdp,
    rtp: openUdp,
    tcp: tcpOpener(check),
    http,
    https: http,
    srt: srtOpener(deps),
    rtsp,
    rtsps: rtsp,
    rtmp,
    rtmps: rtmp,
    replay: replayOpener(storage),
  };
  return async (source, sink) => {
    const opener = openers[source.url.slice(0, source.url.indexOf(':')).toLowerCase()];
    if (opener === undefined) throw new SourceError('No address of this kind is received');
    const { problem } = await check(source.url);
    if (problem !== null) throw new SourceError(problem);
    return opener(source, problemOver(sink));
  };
}

/**
 * Wraps the sink so that any reported problem is cleared when packets arrive, including one from before the source was
 * reopened.
 */
function problemOver(sink: SourceSink): SourceSink {
  let isWell = false;
  return {
    reading: sink.reading,
    packets(bytes, arrivalUs) {
      if (!isWell) sink.problem(null);
      isWell = true;
      sink.packets(bytes, arrivalUs);
    },
    problem(text, isOfPackets = false) {
      isWell = text === null || isOfPackets;
      sink.problem(text);
    },
    failed: (error) => sink.failed(error),
  };
}
