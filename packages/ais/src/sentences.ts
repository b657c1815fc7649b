import { encodeMessage } from './encode.ts';
import type { AisMessage } from './messages.ts';

/** Maximum number of payload characters in one sentence, so that it has at most 82 characters (IEC 61162-1, § 7.3). */
const PAYLOAD_CHARACTERS = 60;

export type SentenceOptions = {
  /** Talker, two characters. Default AI. */
  talker?: string;
  /** Writes VDO, which is from the own ship, instead of VDM. */
  own?: boolean;
  channel?: 'A' | 'B' | null;
  /** Sequence number that identifies a message of several sentences, 0 to 9. Default 0. */
  sequence?: number;
  /** UTC microseconds; if given, a tag block with c: is written, in milliseconds unless they are whole seconds. */
  timeUs?: number | null;
  /** Source; if given, a tag block with s: is written. Up to 15 printable characters without , * and \. */
  source?: string | null;
};

/**
 * Returns the sentences of a message, without line ends.
 *
 * @throws RangeError that names the field, if a value does not fit
 */
export function encodeSentences(message: AisMessage, options: SentenceOptions = {}): string[] {
  const { talker = 'AI', own = false, channel = 'A', sequence = 0, timeUs = null, source = null } = options;
  const { payload, fill } = encodeMessage(message);
  const total = Math.max(1, Math.ceil(payload.length / PAYLOAD_CHARACTERS));
  if (total > 9) throw new RangeError(`The message needs ${total} sentences; nine is the most`);
  return Array.from({ length: total }, (_, index) => {
    const part = payload.slice(index * PAYLOAD_CHARACTERS, (index + 1) * PAYLOAD_CHARACTERS);
    const isLast = index === total - 1;
    const head = `${talker}${own ? 'VDO' : 'VDM'},${total},${index + 1},${total > 1 ? sequence : ''}`;
    const body = `${head},${channel ?? ''},${part},${isLast ? fill : 0}`;
    // Only the first part has a tag block, which applies to all parts.
    return `${index === 0 ? tagBlock(timeUs, source) : ''}!${body}*${checksum(body)}`;
  });
}

function tagBlock(timeUs: number | null, source: string | null): string {
  if (source !== null && !/^[^,*\\\r\n]{1,15}$/.test(source))
    throw new RangeError('source is no text of up to 15 characters');
  const milliseconds = timeUs === null ? null : Math.floor(timeUs / 1000);
  const time = milliseconds === null ? null : milliseconds % 1000 === 0 ? milliseconds / 1000 : milliseconds;
  const fields = [source === null ? null : `s:${source}`, time === null ? null : `c:${time}`].filter(
    (field) => field !== null,
  );
  const text = fields.join(',');
  return text === '' ? '' : `\\${text}*${checksum(text)}\\`;
}

/** XOR of all characters, as two hexadecimal digits (IEC 61162-1, § 7.2.4). */
function checksum(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum ^= text.charCodeAt(i);
  return sum.toString(16).toUpperCase().padStart(2, '0');
}
