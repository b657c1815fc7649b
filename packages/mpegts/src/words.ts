/** A view of `bytes`, the same one while the same array is given: most bytes come out of the array of those before. */
export type ViewOf = (bytes: Uint8Array) => DataView;

/** Makes a ViewOf that remembers the last array. Reading four bytes through a view costs as much as reading one. */
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
