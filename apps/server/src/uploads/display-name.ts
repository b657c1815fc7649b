import { AppError } from '@osprey/contract';

/** Maximum number of characters in a name; longer names are truncated. */
const NAME_MAX = 255;
const UNNAMED = 'unnamed';

/**
 * Control characters and characters that are invisible, reorder text or break a line. They are removed from names that
 * are shown.
 */
const UNSHOWABLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/**
 * Extensions of programs, scripts and web pages. A recording with such an extension is meant to deceive the person who
 * downloads it.
 */
const REFUSED_ENDING =
  /\.(?:apk|app|bat|cmd|com|cpl|dll|elf|exe|hta|html?|jar|js|lnk|mjs|msi|php|pif|ps1|py|scr|sh|so|svgz?|vbs|wsf|xhtml)$/i;

/**
 * Returns the name of an uploaded file as shown to users. The result is only text for display and is never used in a
 * path, header or program. Folders before the name are removed; a name with a NUL character, a dot name, or the
 * extension of a program is refused.
 */
export function displayName(given: string): string {
  const shown = shownName(given);
  if (REFUSED_ENDING.test(shown)) {
    throw new AppError('unsupportedFile', { reason: 'its name ends like that of a program or page' });
  }
  return shown;
}

/**
 * Returns the name of a file as shown to users, like `displayName`, but accepts any extension: a document is sent
 * unchanged, and is never opened by the type that its name suggests.
 */
export function shownName(given: string): string {
  if (given.includes('\0')) throw new AppError('unsupportedFile', { reason: 'its name holds a NUL character' });
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const shown = last.normalize('NFC').replace(UNSHOWABLE, '').trim();
  if (shown === '.' || shown === '..') throw new AppError('unsupportedFile', { reason: 'its name is a folder' });
  return [...shown].slice(0, NAME_MAX).join('') || UNNAMED;
}
