import { mdiChevronLeft, mdiChevronRight, mdiClose } from '@mdi/js';
import { Box, Button, useMediaQuery } from '@mui/material';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import { fill, formatNumber } from '../../base/format.ts';
import { belongsToFocus } from '../../missionview/keys.ts';
import { Action } from '../../ui/Action.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { PlayList } from './play-list.ts';
import { texts } from './texts.ts';
import { useFoundPlaying } from './useFoundPlaying.ts';

/** Bar that shows which of the found spans is playing, with buttons for the others and for returning to the list. */
export function FoundBar({ list }: { list: PlayList }) {
  const { go, end } = useFoundPlaying(list);
  const isPhone = useMediaQuery('(max-width: 599.95px)');
  const isFirst = list.at === 0;
  const isLast = list.at === list.spans.length - 1;
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
    if (event.defaultPrevented || repeat || ctrlKey || metaKey || altKey || shiftKey) return;
    if (belongsToFocus(event.target, key)) return;
    if (key.toLowerCase() === 'n') void go(1);
    if (key.toLowerCase() === 'p') void go(-1);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);

  return (
    <Box
      component="section"
      aria-label={texts.title}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        flex: 'none',
        minHeight: 36,
        px: 2,
        bgcolor: 'surface.raised',
        borderBottom: 1,
        borderColor: 'surface.line',
      }}
    >
      <Box role="status" sx={{ fontSize: 13, fontWeight: 600, mr: 1 }}>
        {fill(texts.at, { at: formatNumber(list.at + 1), count: formatNumber(list.spans.length) })}
      </Box>
      {isPhone ? (
        <>
          <Action label={texts.previous} icon={mdiChevronLeft} disabled={isFirst} onClick={() => void go(-1)} />
          <Action label={texts.next} icon={mdiChevronRight} disabled={isLast} onClick={() => void go(1)} />
        </>
      ) : (
        <>
          <Button
            size="small"
            disabled={isFirst}
            startIcon={<Icon path={mdiChevronLeft} />}
            onClick={() => void go(-1)}
          >
            {texts.previousKey}
          </Button>
          <Button size="small" disabled={isLast} endIcon={<Icon path={mdiChevronRight} />} onClick={() => void go(1)}>
            {texts.nextKey}
          </Button>
        </>
      )}
      <Button size="small" component={Link} to={list.back} sx={{ ml: 'auto' }}>
        {texts.back}
      </Button>
      <Action label={texts.end} icon={mdiClose} onClick={end} />
    </Box>
  );
}
