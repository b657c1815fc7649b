import type { Classification } from '@osprey/contract';
import { exifOf, type Place } from './place-in-exif.ts';

/** JPEG markers (ISO/IEC 10918-1, B.1.1.3): start of image, application segments 0 and 1. */
const SOI = 0xffd8;
const APP0 = 0xffe0;
const APP1 = 0xffe1;
/** Identifier of an XMP segment in JPEG (ISO 16684-3, 6.2). */
const XMP_NAMESPACE = 'http://ns.adobe.com/xap/1.0/\0';

/** Facts written into a copy: its label at this moment, and the subject of the picture. */
export type CopyFacts = {
  label: Classification;
  title: string;
  takenUs: number;
  /** Source of the picture, if it differs from that of the recording. */
  source: string | null;
  /** Ground position of the frame centre, if the telemetry contains it. */
  centre: Place | null;
};

/**
 * Returns the same JPEG with its label and place in an XMP packet, and with the place in EXIF. Both are inserted after
 * the leading APP0 segments; the coded image data does not change.
 *
 * @throws RangeError if the bytes are no JPEG
 */
export function withLabel(jpeg: Buffer, facts: CopyFacts): Buffer {
  if (jpeg.length < 4 || jpeg.readUInt16BE(0) !== SOI) throw new RangeError('Not a JPEG');
  let at = 2;
  while (at + 4 <= jpeg.length && jpeg.readUInt16BE(at) === APP0) at += 2 + jpeg.readUInt16BE(at + 2);
  const exif = facts.centre === null ? [] : [segmentOf(exifOf(facts.centre))];
  const xmp = segmentOf(Buffer.from(XMP_NAMESPACE + xmpOf(facts), 'utf8'));
  return Buffer.concat([jpeg.subarray(0, at), ...exif, xmp, jpeg.subarray(at)]);
}

function segmentOf(content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(APP1, 0);
  // The length field includes its own two bytes.
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

function xmpOf({ label, title, takenUs, source, centre }: CopyFacts): string {
  const taken = new Date(takenUs / 1000).toISOString();
  const alternative = (text: string) => `<rdf:Alt><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt>`;
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Instructions="${escaped(label)}" xmp:CreateDate="${taken}"${centre === null ? '' : placeOf(centre)}>
<dc:title>${alternative(title)}</dc:title><dc:rights>${alternative(label)}</dc:rights>${source === null ? '' : `<dc:description>${alternative(source)}</dc:description>`}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}

/** Formats a place as EXIF properties in XMP require: degrees, and minutes with six decimals. */
function placeOf({ lat, lon }: Place): string {
  const angle = (degrees: number, [positive, negative]: readonly [string, string]) => {
    const parts = Math.round(Math.abs(degrees) * 60e6);
    const minutes = ((parts % 60e6) / 1e6).toFixed(6);
    return `${Math.floor(parts / 60e6)},${minutes}${degrees < 0 ? negative : positive}`;
  };
  return `
 xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSVersionID="2.3.0.0" exif:GPSMapDatum="WGS-84"
 exif:GPSLatitude="${angle(lat, ['N', 'S'])}" exif:GPSLongitude="${angle(lon, ['E', 'W'])}"`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
