import { mdiAccountVoice } from '@mdi/js';
import { Badge, Box, Button } from '@mui/material';
import { classificationRank } from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { fill } from '../base/format.ts';
import { useHighestLabel } from '../base/shown-labels.ts';
import { Icon } from '../ui/Icon.tsx';
import { later } from '../ui/later.tsx';
import { texts } from './button-texts.ts';
import { labelTeller } from './label-channel.ts';
import { useConferencesCount, useOffersConference } from './useConference.ts';

const RoomsDialog = later(async () => (await import('./RoomsDialog.tsx')).RoomsDialog);

/** Leads to the rooms, and counts those with somebody in them. Absent where conferences are not offered. */
export function ConferenceButton() {
  const [open, setOpen] = useState(false);
  const offered = useOffersConference();
  const count = useConferencesCount();
  useTellLabel(offered);
  if (!offered) return null;
  return (
    <>
      <Button
        variant="text"
        aria-label={fill(texts.open, { count })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        startIcon={
          <Badge color="primary" variant="dot" invisible={count === 0}>
            <Icon path={mdiAccountVoice} />
          </Badge>
        }
        sx={{ '& .MuiButton-startIcon': { mx: { xs: 0, md: 1 }, mr: { md: 2 } } }}
      >
        <Box component="span" sx={{ display: { xs: 'none', md: 'inline' } }}>
          {texts.title}{' '}
          {count > 0 && (
            <Box component="span" sx={{ ml: 2, fontWeight: 600, color: 'text.primary' }}>
              {count}
            </Box>
          )}
        </Box>
      </Button>
      {open && <RoomsDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** A call of this browser that shares the screen ends that where this page shows too much. */
function useTellLabel(offered: boolean): void {
  const rank = classificationRank(useHighestLabel());
  const teller = useRef<ReturnType<typeof labelTeller> | null>(null);
  useEffect(() => {
    if (!offered) return;
    const opened = labelTeller();
    teller.current = opened;
    return () => {
      teller.current = null;
      opened.close();
    };
  }, [offered]);
  useEffect(() => {
    if (offered) teller.current?.shows(rank);
  }, [offered, rank]);
}
