const SVG = 'http://www.w3.org/2000/svg';

type Attributes = Record<string, string | number>;

/** Creates an SVG element, which later drawing only changes. */
export function svgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  children: readonly Element[] = [],
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** Sets attributes of an element, but only those that have changed. */
export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

export function show(element: SVGElement, shown: boolean): void {
  element.style.display = shown ? '' : 'none';
}
