import { mdiBookOpenOutline, mdiMagnify } from '@mdi/js';
import { Box, MenuItem, Link as MuiLink, Paper, Skeleton, useMediaQuery } from '@mui/material';
import type { Theme } from '@mui/material/styles';
import type { ManualContents } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { fill, formatCount } from '../base/format.ts';
import { Field } from '../ui/fields/Field.tsx';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { ChapterText } from './ChapterText.tsx';
import { chapterQuery, contentsQuery, hitsQuery } from './manual.ts';
import { texts } from './texts.ts';

/**
 * Panel with the manual. `slug`: the chapter in the address; if it is empty, the first chapter. The search text is
 * stored in the address.
 */
export function HelpPanel({ slug: asked }: { slug: string }) {
  const [query, setQuery] = useSearchParams();
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  const contents = useQuery(contentsQuery);
  const words = query.get('q') ?? '';
  const slug = asked || (contents.data?.[0]?.slug ?? '');
  const search = (text: string) => setQuery(text === '' ? {} : { q: text }, { replace: words !== '' });
  const pages = contents.data ?? [];

  function reading() {
    if (words !== '') return <Hits words={words} />;
    if (slug !== '') return <Chapter slug={slug} />;
    // Without the table of contents, the first chapter is not known.
    const { error, refetch } = contents;
    return error ? <FailedNotice title={texts.failed.title} error={error} onRetry={refetch} /> : <Waiting />;
  }

  return (
    <Paper
      variant="outlined"
      sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: { xs: 'column', md: 'row' }, overflow: 'hidden' }}
    >
      <Box
        sx={{
          display: 'flex',
          flexDirection: { xs: 'row', md: 'column' },
          flexWrap: { xs: 'wrap', md: 'nowrap' },
          gap: 2,
          p: 3,
          width: { md: 252 },
          flex: 'none',
          minHeight: 0,
          borderColor: 'divider',
          borderStyle: 'solid',
          borderWidth: 0,
          borderRightWidth: { md: 1 },
          borderBottomWidth: { xs: 1, md: 0 },
        }}
      >
        <SearchField label={texts.search} value={words} onChange={search} />
        {isNarrow ? (
          <ContentsChoice pages={pages} current={words === '' ? slug : ''} />
        ) : (
          <ContentsList pages={pages} current={words === '' ? slug : ''} />
        )}
      </Box>
      {reading()}
    </Paper>
  );
}

type ContentsProps = { pages: ManualContents; current: string };

function ContentsList({ pages, current }: ContentsProps) {
  return (
    <Box
      component="nav"
      aria-label={texts.contents}
      sx={{ display: 'flex', flexDirection: 'column', overflowY: 'auto', minHeight: 0, mx: -1 }}
    >
      {pages.map(({ slug, title }) => (
        <MuiLink
          key={slug}
          component={Link}
          to={`/help/${slug}`}
          underline="none"
          aria-current={slug === current ? 'page' : undefined}
          sx={{
            px: 2,
            py: 1.5,
            borderRadius: 1.5,
            fontSize: 13,
            color: 'text.primary',
            '&:hover': { bgcolor: 'surface.hover' },
            '&[aria-current]': { bgcolor: 'surface.selected', fontWeight: 600 },
          }}
        >
          {title}
        </MuiLink>
      ))}
    </Box>
  );
}

/** Shows the table of contents as a select field, for phones, so that the text of the chapter is at the top. */
function ContentsChoice({ pages, current }: ContentsProps) {
  const navigate = useNavigate();
  if (pages.length === 0) return null;
  return (
    <Box component="nav" aria-label={texts.contents} sx={{ flex: '1 1 100%' }}>
      <Field
        select
        label={texts.choose}
        value={current}
        onChange={(event) => void navigate(`/help/${event.target.value}`)}
        fullWidth
      >
        {pages.map(({ slug, title }) => (
          <MenuItem key={slug} value={slug}>
            {title}
          </MenuItem>
        ))}
      </Field>
    </Box>
  );
}

const readingSx = { flex: 1, minWidth: 0, minHeight: 0, overflowY: 'auto', p: { xs: 4, md: 6 } } as const;

function Chapter({ slug }: { slug: string }) {
  const { data, error, refetch } = useQuery(chapterQuery(slug));
  const { hash } = useLocation();
  const articleBox = useRef<HTMLDivElement>(null);

  // Scrolls to the top of a new chapter, or to the heading named in the address.
  useEffect(() => {
    if (!data) return;
    // The hash is not decoded: anchors contain only characters that need no escaping, and decoding an invalid escape in
    // a link would throw an error.
    const heading = hash === '' ? null : document.getElementById(hash.slice(1));
    if (heading) {
      heading.scrollIntoView();
      heading.focus({ preventScroll: true });
    } else articleBox.current?.scrollTo(0, 0);
  }, [data, hash]);

  if (error) return <FailedNotice title={texts.failed.title} error={error} onRetry={refetch} />;
  if (data === null) return <Notice icon={mdiBookOpenOutline} title={texts.missing.title} text={texts.missing.text} />;
  return (
    <Box ref={articleBox} component="article" sx={readingSx}>
      {data ? <ChapterText text={data.text} /> : <Waiting />}
    </Box>
  );
}

function Hits({ words }: { words: string }) {
  const { data, error, refetch } = useQuery(hitsQuery(words));
  if (error) return <FailedNotice title={texts.failed.title} error={error} onRetry={refetch} />;
  if (data?.length === 0) return <Notice icon={mdiMagnify} title={texts.none.title} text={texts.none.text} />;
  return (
    <Box component="section" aria-label={texts.search} sx={readingSx}>
      {data === undefined && <Waiting />}
      {data && (
        <>
          <Box component="h1" sx={{ fontSize: 22, fontWeight: 600, m: 0, mb: 4 }} role="status">
            {formatCount(data.length, texts.hits)}
          </Box>
          <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 4, maxWidth: '46rem' }}>
            {data.map(({ slug, anchor, page, title, text }) => (
              <li key={`${slug}#${anchor}`}>
                <MuiLink component={Link} to={`/help/${slug}#${anchor}`} sx={{ fontWeight: 600 }}>
                  {title === page ? page : fill(texts.hitOf, { page, title })}
                </MuiLink>
                <Box sx={{ color: 'text.secondary', fontSize: 13 }}>{text}</Box>
              </li>
            ))}
          </Box>
        </>
      )}
    </Box>
  );
}

const Waiting = () => (
  <Box role="status" aria-label={texts.loading} sx={{ maxWidth: '46rem' }}>
    <Skeleton width="40%" height={40} />
    {['95%', '90%', '92%', '60%'].map((width) => (
      <Skeleton key={width} width={width} height={24} />
    ))}
  </Box>
);
