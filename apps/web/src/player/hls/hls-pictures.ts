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
  /** Loads segments and parts for the player, and reads them. */
  loader: FragmentLoaderConstructor;
  /** Called for the bytes that the player puts into its buffer. */
  appended: (data: BufferAppendingData) => void;
  /** Times of the shown pictures. */
  pictures: PictureTimes;
};

/**
 * Maps each picture that hls.js shows to its PTS. Its media time is not enough: hls.js takes the last picture of each
 * part to be as long as the one before it, and moves the pictures of the next part to where that one ends. After a
 * picture that came late they all stay late from then on. So the loaded bytes are compared with the fragment made of
 * them.
 */
export function hlsPictures(Player: typeof Hls): HlsPictures {
  const readPictures = pictureReader();
  /** PTS of what was loaded and is not in the buffer yet, by piece. */
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
        // Now: the player gives the bytes away.
        const read = readPictures(new Uint8Array(response.data as ArrayBuffer));
        loaded.delete(key);
        loaded.set(key, read);
        callbacks.onSuccess(response, ...rest);
      };
      super.load(context, config, { ...callbacks, onSuccess });
    }
  }

  /** PTS up to a piece: a lone picture waits for the next piece, and pieces that were given up are dropped. */
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
      // Pictures before the first key frame are left out. Fewer than were made of them is a stream that is read otherwise.
      const own = read.length < times.length ? times : read.slice(read.length - times.length);
      pictures.put(times.map((time, i) => ({ mediaTime: time / TICKS_PER_SECOND + offset, ticks: own[i]! })));
    },
    pictures,
  };
}

const pieceKey = (segment: number | 'initSegment', part: number) => `${segment} ${part}`;
