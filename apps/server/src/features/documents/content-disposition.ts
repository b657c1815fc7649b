/** Characters that need no escaping (attr-char of RFC 8187). */
const PLAIN = /[A-Za-z0-9!#$&+.^_`|~-]/;

/**
 * Returns a Content-Disposition header that makes the browser save the file under its original name instead of
 * displaying it (RFC 6266). Old clients use the plain ASCII name; others use the `filename*` one, which supports every
 * script (RFC 8187). Control characters are removed from both.
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
