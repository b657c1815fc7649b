import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chapterAddress, headingAnchor, type ManualHit } from '@osprey/contract';
import MarkdownIt from 'markdown-it';
import MiniSearch from 'minisearch';

/** `text` is Markdown without HTML, rendered by the client; `html` is shown by the page without scripts. */
export type ManualPage = Readonly<{ slug: string; title: string; text: string; html: string }>;

export type Manual = {
  /** Sorted by their numbers. */
  pages: readonly ManualPage[];
  page: (slug: string) => ManualPage | undefined;
  search: (words: string) => ManualHit[];
  /** Paths of the existing PNG files by name; no others are served. */
  pictures: ReadonlyMap<string, string>;
};

const FILE = /^\d+-([a-z-]+)\.md$/;
const HITS_MAX = 20;
const EXCERPT = 180;

type Section = { id: string; slug: string; anchor: string; page: string; title: string; text: string };

/**
 * Reads docs/manual: files `NN-name.md` with one first-level heading each, and their pictures. Pages are rendered and
 * indexed at the first request, since a server that starts, perhaps in the middle of a recording, has more urgent work.
 */
export async function readManual(folder: string): Promise<Manual> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).sort();
  const pictureFolder = join(folder, 'pictures');
  const pictureNames = await readdir(pictureFolder).catch(() => []);
  const pictures = new Map(
    pictureNames.filter((name) => name.endsWith('.png')).map((name) => [name, join(pictureFolder, name)]),
  );
  const sections: Section[] = [];
  const pages: ManualPage[] = [];
  for (const name of names) {
    const slug = FILE.exec(name)?.[1] ?? '';
    const text = await readFile(join(folder, name), 'utf8');
    const title = /^# (.+)$/m.exec(text)?.[1] ?? slug;
    pages.push(drawnOnce(slug, title, text));
    sections.push(...sectionsOf(slug, title, text));
  }
  let index: MiniSearch<Section> | null = null;
  return {
    pages,
    page: (slug) => pages.find((page) => page.slug === slug),
    pictures,
    search(words) {
      index ??= indexOf(sections);
      return index
        .search(words)
        .slice(0, HITS_MAX)
        .map((found) => {
          const { slug, anchor, page, title, text } = found as unknown as Section;
          return { slug, anchor, page, title, text: text.slice(0, EXCERPT) };
        });
    },
  };
}

function drawnOnce(slug: string, title: string, text: string): ManualPage {
  let html: string | null = null;
  return {
    slug,
    title,
    text,
    get html() {
      html ??= render(text);
      return html;
    },
  };
}

function indexOf(sections: readonly Section[]): MiniSearch<Section> {
  const index = new MiniSearch<Section>({
    fields: ['title', 'text'],
    storeFields: ['slug', 'anchor', 'page', 'title', 'text'],
    searchOptions: { boost: { title: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  index.addAll(sections);
  return index;
}

/**
 * Renders Markdown. HTML in the text is escaped. Headings get anchors, links to `03-x.md` become /help/plain/x,
 * pictures are in /help/pictures.
 */
function render(text: string): string {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const { rules } = markdown.renderer;
  rules.heading_open = (tokens, at) => {
    const { tag } = tokens[at]!;
    return `<${tag} id="${headingAnchor(tokens[at + 1]?.content ?? '')}">`;
  };
  rules.table_open = () => '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  rules.link_open = (tokens, at, options, _env, self) => {
    const href = String(tokens[at]?.attrGet('href') ?? '');
    const address = chapterAddress(href, '/help/plain');
    if (address !== null) tokens[at]?.attrSet('href', address);
    return self.renderToken(tokens, at, options);
  };
  const image = rules.image;
  rules.image = (tokens, at, options, env, self) => {
    const source = tokens[at]?.attrGet('src') ?? '';
    tokens[at]?.attrSet('src', `/help/${source}`);
    tokens[at]?.attrSet('loading', 'lazy');
    return image?.(tokens, at, options, env, self) ?? '';
  };
  return markdown.render(text);
}

/** Splits a page into sections, one for each heading, with the plain text below it. */
function sectionsOf(slug: string, page: string, text: string): Section[] {
  return text.split(/^(?=#{1,3} )/m).flatMap((part, index) => {
    const [heading = '', ...lines] = part.split('\n');
    const title = heading.replace(/^#+ /, '').trim();
    const words = lines
      .join(' ')
      .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[*`|_-]{1,}/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (title === '') return [];
    return [{ id: `${slug}/${index}`, slug, anchor: headingAnchor(title), page, title, text: words }];
  });
}
