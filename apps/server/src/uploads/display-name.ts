import { AppError } from '@osprey/contract';

/** Characters of a name that are kept; the rest is cut. */
const NAME_MAX = 255;
const UNNAMED = 'unnamed';

/** Control characters, and those that hide, reorder or break a line: never part of a name that is shown. */
const UNSHOWABLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** Programs, scripts and pages: such an ending on a recording is meant to fool the next reader. */
const REFUSED_ENDING =
  /\.(?:apk|app|bat|cmd|com|cpl|dll|elf|exe|hta|html?|jar|js|lnk|mjs|msi|php|pif|ps1|py|scr|sh|so|svgz?|vbs|wsf|xhtml)$/i;

/**
 * The name of an uploaded file as people see it. It is text only: no path, header or program ever takes it.
 * Folders before it are dropped; a NUL, a dot name, or the ending of a program is refused.
 */
export function displayName(given: string): string {
  const shown = shownName(given);
  if (REFUSED_ENDING.test(shown)) {
    throw new AppError('unsupportedFile', { reason: 'its name ends like that of a program or page' });
  }
  return shown;
}

/** The same with any ending: a document is handed out as it came, and never opened as what its name says. */
export function shownName(given: string): string {
  if (given.includes('\0')) throw new AppError('unsupportedFile', { reason: 'its name holds a NUL character' });
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const shown = last.normalize('NFC').replace(UNSHOWABLE, '').trim();
  if (shown === '.' || shown === '..') throw new AppError('unsupportedFile', { reason: 'its name is a folder' });
  return [...shown].slice(0, NAME_MAX).join('') || UNNAMED;
}
