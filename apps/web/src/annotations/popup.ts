import type { ShownAnnotation } from '@osprey/contract';
import { fill, plainText } from '../base/format.ts';
import { sizeText } from './draw/measure.ts';
import { texts } from './texts.ts';

/**
 * Returns the content of a shape's popup. Texts by other users are inserted as plain text, so that nothing in them
 * becomes markup, a link or a picture.
 */
export function popupContent(one: ShownAnnotation, index: number): HTMLElement {
  const feature = one.features[index] ?? one.features[0];
  const { featureTitle, title, popupContent: text } = feature?.properties ?? {};
  const own = featureTitle || title;
  const lines: [string, string][] = [
    ['title', own || one.title],
    ['of', own ? one.title : ''],
    ['text', text ?? ''],
    ['description', one.description],
    ['size', feature ? sizeText(feature, 'nm') : ''],
    ['by', fill(texts.popup.by, { author: one.author, label: one.securityClassification })],
  ];
  const box = document.createElement('div');
  for (const [part, words] of lines) {
    if (words === '') continue;
    const line = document.createElement(part === 'title' ? 'strong' : 'p');
    line.dataset.part = part;
    line.textContent = plainText(words);
    box.append(line);
  }
  return box;
}
