import { DOS_PAGES } from './dos-pages.ts';

/** Decodes bytes in one code page; returns null if they are not valid in it. */
export type Decode = (bytes: Uint8Array) => string | null;

/** Code page numbers for which the platform uses another name. */
const NUMBERS: Readonly<Record<string, string>> = {
  ...{ 866: 'ibm866', 874: 'windows-874', 932: 'shift_jis', 936: 'gbk', 949: 'euc-kr', 950: 'big5' },
  ...{ 10000: 'macintosh', 10007: 'x-mac-cyrillic', 20866: 'koi8-r', 21866: 'koi8-u', 20932: 'euc-jp' },
  ...{ 51932: 'euc-jp', 51949: 'euc-kr', 54936: 'gb18030', 65001: 'utf-8' },
};

/** Returns the decoder for a code page, given its name or number as programs write it; null if it is unknown. */
export function codePage(name: string): Decode | null {
  const plain = name.trim().toLowerCase().replaceAll('_', '-');
  const digits = /^(?:cp|ibm|oem|ansi|ms|windows|win|x-cp)?[- ]*(\d{3,5})$/.exec(plain)?.[1];
  if (digits !== undefined && Object.hasOwn(DOS_PAGES, digits)) return dosPage(DOS_PAGES[digits]!);
  const iso = /^(?:iso[- ]?)?8859[- ]?(\d{1,2})$/.exec(plain)?.[1] ?? /^28(?:5|6)(\d\d)$/.exec(digits ?? '')?.[1];
  if (iso !== undefined) return platformPage(`iso-8859-${isoPart(iso)}`);
  const windows = /^125\d$/.test(digits ?? '') ? `windows-${digits}` : plain;
  return platformPage(NUMBERS[digits ?? ''] ?? windows);
}

/**
 * Returns the part number of ISO 8859 for the last digits of the code pages 28591 to 28605: 91 to 99 stand for parts 1
 * to 9, and 00 to 05 for parts 10 to 15.
 */
function isoPart(digits: string): string {
  if (/^9\d$/.test(digits)) return digits.slice(1);
  return /^0\d$/.test(digits) ? `1${digits.slice(1)}` : digits;
}

function platformPage(label: string): Decode | null {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    return (bytes) => {
      try {
        return decoder.decode(bytes);
      } catch {
        return null;
      }
    };
  } catch {
    return null;
  }
}

function dosPage(upper: string): Decode {
  return (bytes) => {
    let text = '';
    for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80]!;
    return text;
  };
}

const utf8 = platformPage('utf-8')!;
const windows1252 = platformPage('windows-1252')!;

/**
 * Decodes bytes of unknown encoding: UTF-8 where they are valid (a field may have cut the last character), else
 * windows-1252.
 */
export function decodeShown(bytes: Uint8Array): string {
  for (let cut = 0; cut < 4 && cut < bytes.length; cut += 1) {
    // All bytes of an incomplete character are non-ASCII.
    if (cut > 0 && bytes[bytes.length - cut]! < 0x80) break;
    const text = utf8(bytes.subarray(0, bytes.length - cut));
    if (text !== null) return text;
  }
  return windows1252(bytes) ?? '';
}
