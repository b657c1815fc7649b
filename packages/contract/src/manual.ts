/**
 * Types of the manual below /help, and the addresses that its Markdown uses for headings and chapters; shared by server
 * and client.
 */

export type ManualContents = readonly { slug: string; title: string }[];
/** `text` is Markdown without HTML. */
export type ManualChapter = { title: string; text: string };
export type ManualHit = { slug: string; anchor: string; page: string; title: string; text: string };

/**
 * Returns the anchor of a heading, which is the heading's id in the page. Links in the manual and its search results
 * use it.
 */
export const headingAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const LINK = /^\d+-([a-z-]+)\.md(#.*)?$/;

/** Returns the address of a chapter below `root` for a link written as `03-x.md#y`; null for every other link. */
export function chapterAddress(written: string, root: string): string | null {
  const found = LINK.exec(written);
  return found === null ? null : `${root}/${found[1]}${found[2] ?? ''}`;
}
