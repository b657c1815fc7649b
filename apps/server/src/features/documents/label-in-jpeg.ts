import type { Classification } from '@osprey/contract';

/** ISO/IEC 10918-1, B.1.1.3: start of image, application segments 0 and 1. */
const SOI = 0xffd8;
const APP0 = 0xffe0;
const APP1 = 0xffe1;
/** XMP in JPEG (ISO 16684-3, 6.2). */
const XMP_NAMESPACE = 'http://ns.adobe.com/xap/1.0/\0';

/** Facts written into a copy: the label of this moment, and the subject of the picture. */
export type CopyFacts = {
  label: Classification;
  title: string;
  takenUs: number;
  /** Maker of the picture, if it is not the recording's own. */
  source: string | null;
};

/**
 * The same JPEG with an XMP packet that holds its label: it goes after the application segments 0, before all else, and
 * no coded byte changes.
 *
 * @throws RangeError where the bytes are no JPEG
 */
export function withLabel(jpeg: Buffer, facts: CopyFacts): Buffer {
  if (jpeg.length < 4 || jpeg.readUInt16BE(0) !== SOI) throw new RangeError('Not a JPEG');
  let at = 2;
  while (at + 4 <= jpeg.length && jpeg.readUInt16BE(at) === APP0) at += 2 + jpeg.readUInt16BE(at + 2);
  const packet = Buffer.from(XMP_NAMESPACE + xmpOf(facts), 'utf8');
  const head = Buffer.alloc(4);
  head.writeUInt16BE(APP1, 0);
  // The length counts its own two bytes.
  head.writeUInt16BE(packet.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, at), head, packet, jpeg.subarray(at)]);
}

function xmpOf({ label, title, takenUs, source }: CopyFacts): string {
  const taken = new Date(takenUs / 1000).toISOString();
  const alternative = (text: string) => `<rdf:Alt><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt>`;
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Instructions="${escaped(label)}" xmp:CreateDate="${taken}">
<dc:title>${alternative(title)}</dc:title><dc:rights>${alternative(label)}</dc:rights>${source === null ? '' : `<dc:description>${alternative(source)}</dc:description>`}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
