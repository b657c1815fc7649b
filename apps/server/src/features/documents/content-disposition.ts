/** Characters of RFC 8187 attr-char that stay as they are. */
const PLAIN = /[A-Za-z0-9!#$&+.^_`|~-]/;

/**
 * The header of a download: never shown in the page, always saved, under the name it came with (RFC 6266). The plain
 * name is what old readers get; the starred one has every script (RFC 8187). Control characters are cut from both.
 */
export function attachment(fileName: string): string {
  const shown = fileName.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
  const plain = shown.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '_');
  const coded = [...Buffer.from(shown, 'utf8')]
    .map((byte) => String.fromCharCode(byte))
    .map((character) =>
      PLAIN.test(character) ? character : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`;
}
