import type { Sandbox } from '../../base/ffmpeg/sandbox.ts';
import type { SourceCheck } from '../../recorder-wire/source-address.ts';
import type { OpenSource } from '../components.ts';
import { checkedHost, inUrl } from './checked-host.ts';
import { readProgram } from './program-source.ts';

const FFMPEG = '/usr/bin/ffmpeg';
const SILENT_MS = 8000;
const ANSWER_US = 5_000_000;

/**
 * Pulls a stream from an RTSP server with ffmpeg, which remuxes it to a transport stream with pictures, sound and KLV
 * unchanged. Uses TCP if the server supports it, otherwise UDP.
 *
 * The password is among the arguments of ffmpeg, which other accounts of this machine can read.
 */
export function rtspOpener({ check, sandbox }: { check: SourceCheck; sandbox: () => Promise<Sandbox> }): OpenSource {
  return async ({ url }, sink) => {
    const target = new URL(url);
    const host = target.host;
    const address = await checkedHost(target.hostname, check);
    // The host is replaced with a regular expression, since the URL class does not allow changing the host of an
    // unknown scheme.
    const resolved = url.replace(/^([a-z]+:\/\/(?:[^/?@]*@)?)(?:\[[^\]]*\]|[^:/?]*)/i, `$1${inUrl(address)}`);
    return readProgram(
      {
        sandbox: await sandbox(),
        program: FFMPEG,
        debianPackage: 'ffmpeg',
        args: rtspArguments(resolved),
        silence: { ms: SILENT_MS, text: `Nothing comes from ${host}` },
        whyEnded: ({ stderr }) => whyRtspEnded(host, stderr),
      },
      sink,
    );
  };
}

/** Only one argument comes from users: the address after `-i`. Its parameters were checked. */
function rtspArguments(url: string): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin'],
    ...['-protocol_whitelist', 'rtsp,rtp,rtcp,udp,tcp,tls,crypto', '-rtsp_flags', 'prefer_tcp'],
    ...['-timeout', String(ANSWER_US), '-fflags', '+nobuffer', '-analyzeduration', '1000000', '-f', 'rtsp'],
    ...['-i', url],
    ...['-map', '0:v?', '-map', '0:a?', '-map', '0:d?', '-c', 'copy', '-copy_unknown'],
    ...['-muxdelay', '0', '-muxpreload', '0', '-flush_packets', '1', '-f', 'mpegts', 'pipe:1'],
  ];
}

/**
 * Explains to operators why ffmpeg ended. The output of ffmpeg is not passed on, since it may contain the address with
 * its password. It also contains unrelated numbers, such as memory addresses (`[rtsp @ 0x7f4034]`) and ports, so a
 * status code counts only after a word such as "failed".
 */
export function whyRtspEnded(host: string, stderr: string): string {
  if (/(?:failed:|returned) 40[13]\b|nauthorized|orbidden/.test(stderr))
    return `${host} refuses the name or the password`;
  if (/(?:failed:|returned) 404\b|not found/i.test(stderr)) return `${host} knows no such stream`;
  if (/refused|timed out|no route|unreachable/i.test(stderr)) return `Nobody answers at ${host}`;
  return `The stream of ${host} ended`;
}
