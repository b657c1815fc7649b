import { type KmlLink, type KmlPlacemark, kmlReader } from '../../../base/formats/kml.ts';
import { readXml } from '../../../base/formats/xml.ts';
import type { Gathering } from './gather.ts';

/** Handles links to files in the same archive. */
type Links = { isInside: (href: string) => boolean; inside: (href: string) => void };
const NO_LINKS: Links = { isInside: () => false, inside: () => {} };

/** Reads placemarks with their styles. References to external files are reported and never fetched. @throws BadFile */
export function readKml(text: string, into: Gathering, { isInside, inside }: Links = NO_LINKS): void {
  const marks: KmlPlacemark[] = [];
  const reader = kmlReader({
    placemark: (mark) => void marks.push(mark),
    link(link) {
      if (link.element === 'NetworkLink' && isInside(link.href)) inside(link.href);
      else noteLink(link, into);
    },
    icon: (href) => into.note('Icon', `${href.slice(0, 200)} is not fetched: a plain symbol is shown.`),
    data: (name, value) => name === 'securityClassification' && into.labelled(value),
  });
  readXml(text, reader);
  for (const { name, description, data, shapes, style, foreignStyle } of marks) {
    if (foreignStyle !== '') into.note('Style', `${foreignStyle.slice(0, 200)} is not fetched.`);
    const properties = { ...data, ...(name && { name }), ...(description && { description }), ...style() };
    if (shapes.length === 0) into.add(null, properties);
    else if (shapes.length === 1) into.add(shapes[0], properties);
    else into.addTogether(shapes, properties);
  }
}

function noteLink({ element, name, href }: KmlLink, into: Gathering): void {
  const what = element === 'NetworkLink' ? 'It is not fetched' : 'It is not shown, and nothing of it is fetched';
  into.note(`${element} ${name}`.trim(), `${what}${href ? `: ${href.slice(0, 200)}` : ''}.`);
}
