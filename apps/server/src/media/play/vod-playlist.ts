/** HLS playlist of a whole recording (RFC 8216), around the lines of its segments. */
export function vodPlaylist(longestSeconds: number, body: readonly string[]): string {
  const head = [
    '#EXTM3U',
    '#EXT-X-VERSION:4',
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(longestSeconds))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
  ];
  return `${[...head, ...body, '#EXT-X-ENDLIST'].join('\n')}\n`;
}

/** The lines of one segment; `range` is its place in the file at the address, null for an address of its own. */
export function segmentLines(
  seconds: number,
  address: string,
  range: { offset: number; sizeBytes: number } | null,
): string[] {
  const place = range === null ? [] : [`#EXT-X-BYTERANGE:${range.sizeBytes}@${range.offset}`];
  return [`#EXTINF:${seconds.toFixed(6)},`, ...place, address];
}
