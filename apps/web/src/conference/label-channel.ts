import { type Classification, classificationOf } from '@osprey/contract';
import { z } from 'zod';

/** Channel on which pages of this site exchange their labels. It is local to the browser. */
const CHANNEL = 'osprey-labels';

const word = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ask') }),
  z.object({ kind: z.literal('shows'), page: z.string(), rank: z.int().min(1).max(5) }),
  z.object({ kind: z.literal('gone'), page: z.string() }),
]);
type Word = z.output<typeof word>;

const openChannel = () => (typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL));

/** Sends the label of this page to other pages whenever it changes, and whenever a page requests it. */
export function labelNotifier() {
  const channel = openChannel();
  const page = crypto.randomUUID();
  let rank = 1;
  const post = (message: Word) => channel?.postMessage(message);
  const notify = () => post({ kind: 'shows', page, rank });
  const gone = () => post({ kind: 'gone', page });
  if (channel) channel.onmessage = ({ data }) => word.safeParse(data).data?.kind === 'ask' && notify();
  window.addEventListener('pagehide', gone);
  return {
    shows(now: number): void {
      rank = now;
      notify();
    },
    close(): void {
      window.removeEventListener('pagehide', gone);
      gone();
      channel?.close();
    },
  };
}

/** Listens for the highest label that any page in this browser shows. Returns a function that stops listening. */
export function receiveLabels(onHighest: (label: Classification) => void): () => void {
  const channel = openChannel();
  const ranks = new Map<string, number>();
  if (channel) {
    channel.onmessage = ({ data }) => {
      const { data: received } = word.safeParse(data);
      if (received === undefined || received.kind === 'ask') return;
      if (received.kind === 'shows') ranks.set(received.page, received.rank);
      else ranks.delete(received.page);
      onHighest(classificationOf(Math.max(1, ...ranks.values())));
    };
    channel.postMessage({ kind: 'ask' } satisfies Word);
  }
  return () => channel?.close();
}
