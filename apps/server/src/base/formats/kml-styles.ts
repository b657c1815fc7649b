import type { XmlAttributes } from './xml.ts';

/** A style by the names of simplestyle-spec 1.1. */
export type KmlStyle = Record<string, string | number>;
type Closed = { style: KmlStyle; url: string };

/** OGC KML 2.3 colours are alpha, blue, green, red. */
function colourOf(text: string): { colour: string; opacity: number } | null {
  const match = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (!match) return null;
  const [, alpha = 'ff', blue, green, red] = match;
  return { colour: `#${red}${green}${blue}`, opacity: Math.round((Number.parseInt(alpha, 16) / 255) * 100) / 100 };
}

/** Collects the styles and style maps of a file. Only the normal style of a map counts, shared or inline. */
export function kmlStyles(icon: (href: string) => void) {
  const shared = new Map<string, Closed>();
  let style: { id: string; fields: KmlStyle } | null = null;
  let map: { id: string; normal: Closed } | null = null;
  let pair: Closed & { key: string } = { key: '', style: {}, url: '' };

  function closeField(name: string, text: string, above: string, fields: KmlStyle): void {
    if (name === 'color') {
      const read = colourOf(text);
      if (read && above === 'LineStyle') Object.assign(fields, { stroke: read.colour, 'stroke-opacity': read.opacity });
      if (read && above === 'PolyStyle') Object.assign(fields, { fill: read.colour, 'fill-opacity': read.opacity });
      if (read && above === 'IconStyle') fields['marker-color'] = read.colour;
    }
    if (name === 'width' && above === 'LineStyle') fields['stroke-width'] = text;
    if (name === 'fill' && above === 'PolyStyle' && text === '0') fields['fill-opacity'] = 0;
    if (name === 'href' && above === 'Icon' && /^\w+:/.test(text)) icon(text);
  }

  function closeStyle(): Closed | null {
    const { id, fields } = style!;
    style = null;
    if (id !== '') shared.set(id, { style: fields, url: '' });
    if (map === null) return { style: fields, url: '' };
    pair.style = fields;
    return null;
  }

  function closeInMap(name: string, text: string): Closed | null {
    if (name === 'key') pair.key = text;
    if (name === 'styleUrl') pair.url = text;
    if (name === 'Pair' && pair.key === 'normal') map!.normal = { style: pair.style, url: pair.url };
    if (name !== 'StyleMap') return null;
    const { id, normal } = map!;
    map = null;
    if (id !== '') shared.set(id, normal);
    return normal;
  }

  return {
    isOpen: (): boolean => style !== null || map !== null,

    open(name: string, attributes: XmlAttributes): void {
      if (name === 'Style') style = { id: attributes.id ?? '', fields: {} };
      if (name === 'StyleMap') map = { id: attributes.id ?? '', normal: { style: {}, url: '' } };
      if (name === 'Pair') pair = { key: '', style: {}, url: '' };
    },

    /** Returns a style or style map that is now complete; null for every other element. */
    close(name: string, text: string, above: string): Closed | null {
      if (style === null) return closeInMap(name, text);
      closeField(name, text, above, style.fields);
      return name === 'Style' ? closeStyle() : null;
    },

    /** Returns the style that a reference `#id` names. A style map may in turn refer to a style. */
    shared(url: string): KmlStyle {
      const found = shared.get(url.replace(/^#/, ''));
      const named = found?.url ? shared.get(found.url.replace(/^#/, '')) : undefined;
      return { ...named?.style, ...found?.style };
    },
  };
}
