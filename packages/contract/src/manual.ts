/** Data of the manual below /help, and how its Markdown names places in it: for server and client alike. */

export type ManualContents = readonly { slug: string; title: string }[];
/** `text` is Markdown without HTML. */
export type ManualChapter = { title: string; text: string };
export type ManualHit = { slug: string; anchor: string; page: string; title: string; text: string };

/** Anchor of a heading: links in the manual and hits of its search name it, headings carry it as their id. */
export const headingAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const LINK = /^\d+-([a-z-]+)\.md(#.*)?$/;

/** Address of a chapter below `root`, for a link written `03-x.md#y`; null for every other link. */
export function chapterAddress(written: string, root: string): string | null {
  const found = LINK.exec(written);
  return found === null ? null : `${root}/${found[1]}${found[2] ?? ''}`;
}
