import type Hls from 'hls.js';
import type {
  BufferAppendingData,
  FragmentLoaderConstructor,
  FragmentLoaderContext,
  LoaderCallbacks,
  LoaderConfiguration,
} from 'hls.js';
import { TICKS_PER_SECOND } from '../../onscreen/clock/ticks.ts';
import { pictureReader } from './picture-reader.ts';
import { createPictureTimes, type PictureTimes } from './picture-times.ts';
import { sampleTimes } from './sample-times.ts';

type HlsPictures = {
  /** Loader class that loads segments and parts for the player, and reads their timestamps. */
  loader: FragmentLoaderConstructor;
  /** Must be called with the bytes that the player puts into its buffer. */
  appended: (data: BufferAppendingData) => void;
  /** Times of the shown pictures. */
  pictures: PictureTimes;
};

/**
 * Maps each picture that hls.js shows to its PTS. Its media time is not enough: hls.js assumes that the last picture of
 * each part is as long as the one before it, and moves the pictures of the next part to the end of that one. After one
 * late picture, all following ones remain shifted. Therefore the loaded bytes are compared with the fragment made from
 * them.
 */
export function hlsPictures(Player: typeof Hls): HlsPictures {
  const readPictures = pictureReader();
  /** PTS of data that is loaded but not yet in the buffer, by piece. */
  const loaded = new Map<string, number[]>();
  const pictures = createPictureTimes();

  const Loader = Player.DefaultConfig.loader as FragmentLoaderConstructor;

  class ReadingLoader extends Loader {
    override load(
      context: FragmentLoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<FragmentLoaderContext>,
    ) {
      const onSuccess: typeof callbacks.onSuccess = (response, ...rest) => {
        const { frag, part } = context;
        const key = pieceKey(frag.sn, part?.index ?? -1);
        // Read immediately, since the player transfers the bytes to its worker.
        const read = readPictures(new Uint8Array(response.data as ArrayBuffer));
        loaded.delete(key);
        loaded.set(key, read);
        callbacks.onSuccess(response, ...rest);
      };
      super.load(context, config, { ...callbacks, onSuccess });
    }
  }

  /**
   * Removes and returns the PTS up to and including a piece. A single picture is held back until the next piece, and
   * pieces that were abandoned are dropped.
   */
  function takeLoaded(key: string): number[] {
    const taken: number[] = [];
    if (!loaded.has(key)) return taken;
    for (const [piece, read] of loaded) {
      taken.push(...read);
      loaded.delete(piece);
      if (piece === key) break;
    }
    return taken;
  }

  return {
    loader: ReadingLoader,
    appended({ type, data, offset = 0, chunkMeta }) {
      if (type !== 'video') return;
      const times = sampleTimes(data);
      if (times.length === 0) return;
      const read = takeLoaded(pieceKey(chunkMeta.sn, chunkMeta.part));
      // hls.js drops pictures before the first key frame. If fewer pictures were read than shown, the stream is
      // interpreted differently, so the shown times are used.
      const own = read.length < times.length ? times : read.slice(read.length - times.length);
      pictures.put(times.map((time, i) => ({ mediaTime: time / TICKS_PER_SECOND + offset, ticks: own[i]! })));
    },
    pictures,
  };
}

const pieceKey = (segment: number | 'initSegment', part: number) => `${segment} ${part}`;
