declare module 'heic-decode' {
  type Picture = { width: number; height: number };
  type Decoded = Picture & { data: Uint8ClampedArray };
  type Images = (Picture & { decode: () => Promise<Decoded> })[] & { dispose: () => void };
  function decode(input: { buffer: Uint8Array }): Promise<Decoded>;
  namespace decode {
    function all(input: { buffer: Uint8Array }): Promise<Images>;
  }
  export default decode;
}
