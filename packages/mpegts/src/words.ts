/** Returns a view of `bytes`, reusing the previous one if the array is the same, which it usually is. */
export type ViewOf = (bytes: Uint8Array) => DataView;

/**
 * Creates a ViewOf that remembers the last array. Views are worthwhile since reading four bytes through one costs as
 * much as reading one byte.
 */
export function createViewOf(): ViewOf {
  let last: Uint8Array = new Uint8Array(0);
  let view: DataView = new DataView(last.buffer);

  return (bytes) => {
    if (bytes !== last) {
      last = bytes;
      view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    return view;
  };
}
