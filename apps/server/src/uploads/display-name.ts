import { AppError } from '@osprey/contract';

/** Limit of characters in a name; the rest is cut off. */
const NAME_MAX = 255;
const UNNAMED = 'unnamed';

/**
 * Control characters, and characters that are invisible, reorder text or break a line: removed from names that are
 * shown.
 */
const UNSHOWABLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** Endings of programs, scripts and pages: on a recording, such an ending is meant to deceive a person who downloads it. */
const REFUSED_ENDING =
  /\.(?:apk|app|bat|cmd|com|cpl|dll|elf|exe|hta|html?|jar|js|lnk|mjs|msi|php|pif|ps1|py|scr|sh|so|svgz?|vbs|wsf|xhtml)$/i;

/**
 * The name of an uploaded file as shown to users. It is display text only, and never used in a path, header or program.
 * Folders in front are removed; a NUL, a dot name, or the ending of a program is refused.
 */
export function displayName(given: string): string {
  const shown = shownName(given);
  if (REFUSED_ENDING.test(shown)) {
    throw new AppError('unsupportedFile', { reason: 'its name ends like that of a program or page' });
  }
  return shown;
}

/** Does the same, but accepts any ending: a document is sent unchanged, and is never opened by the type in its name. */
export function shownName(given: string): string {
  if (given.includes('\0')) throw new AppError('unsupportedFile', { reason: 'its name holds a NUL character' });
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const shown = last.normalize('NFC').replace(UNSHOWABLE, '').trim();
  if (shown === '.' || shown === '..') throw new AppError('unsupportedFile', { reason: 'its name is a folder' });
  return [...shown].slice(0, NAME_MAX).join('') || UNNAMED;
}
