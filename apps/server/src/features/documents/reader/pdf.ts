import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import type { Reading } from '../reading.ts';
import { fromPixels, small } from './image.ts';
import { nothingFound, PAGE_PX, THUMBNAIL_PX, textCollector } from './limits.ts';

/** Maximum number of pages whose text is searched. */
const TEXT_PAGES_MAX = 2000;

/**
 * Reads the text and a small picture of a PDF. The renderer runs no scripts of the document and opens no files or
 * addresses that it names.
 */
export async function readPdf(bytes: Uint8Array): Promise<Reading> {
  const document = await open(bytes);
  const pages = document.getPageCount();
  const text = textCollector();
  let cut = pages > TEXT_PAGES_MAX;
  for (let index = 0; index < Math.min(pages, TEXT_PAGES_MAX); index += 1) {
    if (!text.add(`${textOf(document.getPage(index))}\n`)) {
      cut = index < pages - 1;
      break;
    }
  }
  const found = text.found();
  return {
    ...nothingFound,
    ...found,
    textScope: cut ? 'part' : found.textScope,
    pages,
    thumbnail: pages === 0 ? null : await firstPage(document),
  };
}

/** Returns a small picture of the first page, in base64. */
export async function pageThumbnail(bytes: Uint8Array): Promise<string> {
  return firstPage(await open(bytes));
}

const firstPage = async (document: PDFiumDocument): Promise<string> =>
  (await small(await render(document.getPage(0), THUMBNAIL_PX * 2))).toString('base64');

/** Renders a page for the viewer; the first page is 1. */
export async function screenPage(bytes: Uint8Array, page: number): Promise<Buffer> {
  const document = await open(bytes);
  return (await render(document.getPage(page - 1), PAGE_PX)).webp({ quality: 85 }).toBuffer();
}

/** Renders the first page at this size in pixels. */
export async function pageBitmap(bytes: Uint8Array, width: number, height: number) {
  const page = (await open(bytes)).getPage(0);
  const bitmap = await page.render({ width, height, render: 'bitmap' });
  return fromPixels(bitmap.data, bitmap.width, bitmap.height).resize({ width, height, fit: 'fill' });
}

async function open(bytes: Uint8Array): Promise<PDFiumDocument> {
  const library = await PDFiumLibrary.init();
  return library.loadDocument(bytes);
}

function textOf(page: PDFiumPage): string {
  try {
    return page.getText();
  } catch {
    // A damaged page must not prevent the text of the other pages from being found.
    return '';
  }
}

/** Renders a page so that its longer side has `longestPx` pixels, regardless of the size that the page states. */
async function render(page: PDFiumPage, longestPx: number) {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = longestPx / Math.max(originalWidth, originalHeight, 1);
  const { data, width, height } = await page.render({ scale, render: 'bitmap' });
  return fromPixels(data, width, height);
}
