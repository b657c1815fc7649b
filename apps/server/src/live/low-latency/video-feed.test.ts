import { expect, it } from 'vitest';
import { join, mux } from '../../../../../packages/mpegts/test/streams.ts';
import { pictures } from '../../../test/live-stream.ts';
import { type FeedViewer, videoFeed } from './video-feed.ts';

const SEQUENCE = [0, 0, 1, 0xb3, 0x02, 0x00, 0x18, 0x15, 0xff, 0xff, 0xe0, 0x80, 0, 0, 1, 0, 0, 0x08, 0xff, 0xf8];

/** Three pictures of MPEG-2 on the same PID, with which a player can do nothing. */
const mpeg2 = mux(
  { streams: [{ pid: 256, kind: 'mpeg2' }] },
  [0, 1, 2].map((n) => ({ pid: 256, ptsTicks: 900_000 + n * 3000, keyframe: true, bytes: Uint8Array.from(SEQUENCE) })),
);

function viewer() {
  const said: string[] = [];
  const viewing: FeedViewer = {
    begin: ({ mimeType }) => said.push(mimeType),
    picture: () => said.push('picture'),
    impossible: (text) => said.push(text),
  };
  return { said, viewing };
}

it('refuses new viewers while the stream is MPEG-2, and none once it is H.264 again', () => {
  const feed = videoFeed();
  const [first, during, after] = [viewer(), viewer(), viewer()];
  feed.join(first.viewing);
  feed.push(join(pictures(5)), false);
  feed.push(mpeg2, false);
  feed.join(during.viewing);
  feed.push(join(pictures(5, { startTicks: 1_800_000 })), false);
  feed.join(after.viewing);

  const refusal = 'This stream is MPEG-2 video, which browsers do not play.';
  const begins = (said: string[]) => said.findLastIndex((word) => word.startsWith('video/mp4'));
  expect(first.said).toContain(refusal);
  expect(new Set(during.said.slice(0, begins(during.said)))).toEqual(new Set([refusal]));
  expect(after.said[begins(after.said) + 1]).toBe('picture');
  expect(after.said).not.toContain(refusal);
});
