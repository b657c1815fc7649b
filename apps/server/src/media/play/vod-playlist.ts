/** Writes the HLS playlist of a complete recording (RFC 8216), around the lines of its segments. */
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

/**
 * Returns the lines of one segment; `range` is its byte range in the file at the address, null if the segment has a
 * separate address.
 */
export function segmentLines(
  seconds: number,
  address: string,
  range: { offset: number; sizeBytes: number } | null,
): string[] {
  const place = range === null ? [] : [`#EXT-X-BYTERANGE:${range.sizeBytes}@${range.offset}`];
  return [`#EXTINF:${seconds.toFixed(6)},`, ...place, address];
}
