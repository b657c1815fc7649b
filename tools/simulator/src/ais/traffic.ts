import { type AisMessage, encodeSentences } from '@osprey/ais';
import { randomOf } from '../random.ts';
import type { TrafficOptions } from './options.ts';
import { makeStations, type Station } from './stations.ts';

/** One message with its sentences and its time of sending. */
export type Sent = { timeUs: number; message: AisMessage; sentences: string[] };

/** Maximum number of seconds until static data are first sent; they are repeated every six minutes. */
const FIRST_STATIC_S = 8;

type Due = { station: Station; send: Station['sends'][number]; dueS: number };

/** All sentences of the traffic in order of time. The same options give the same sentences. */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #due: Due[];
  #sequence = 0;
  #channel = 0;

  constructor(options: TrafficOptions) {
    this.#options = options;
    const random = randomOf(options.seed * 977 + 3);
    this.#due = makeStations(options).flatMap((station) =>
      station.sends.map((send) => {
        const everyS = send.everyS(station.at(0));
        return { station, send, dueS: random() * Math.min(everyS, FIRST_STATIC_S) };
      }),
    );
  }

  /** Returns the sentences from the end of the last call up to `endS` seconds after the start. */
  until(endS: number): Sent[] {
    const sent: Sent[] = [];
    for (const due of this.#due) {
      while (due.dueS < endS) {
        const { station, send, dueS } = due;
        const state = station.at(dueS);
        const timeUs = this.#options.startUs + Math.round(dueS * 1000) * 1000;
        for (const message of send.make(state, timeUs)) sent.push({ timeUs, message, sentences: [] });
        due.dueS += send.everyS(state);
      }
    }
    sent.sort((a, b) => a.timeUs - b.timeUs);
    for (const one of sent) one.sentences = this.#sentences(one);
    return sent;
  }

  #sentences({ message, timeUs }: Sent): string[] {
    const { source } = this.#options;
    const channel = this.#channel === 0 ? 'A' : 'B';
    this.#channel = 1 - this.#channel;
    const options = { channel, sequence: this.#sequence, ...(source === null ? {} : { source, timeUs }) } as const;
    const sentences = encodeSentences(message, { ...options, talker: talkerOf(message) });
    if (sentences.length > 1) this.#sequence = (this.#sequence + 1) % 10;
    return sentences;
  }
}

const talkerOf = ({ type }: AisMessage): string => (type === 4 ? 'AB' : type === 21 ? 'AN' : 'AI');
