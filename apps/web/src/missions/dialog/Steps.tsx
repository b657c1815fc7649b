import { mdiCheck } from '@mdi/js';
import { Box, ButtonBase } from '@mui/material';
import { Icon } from '../../ui/Icon.tsx';
import { texts } from './texts.ts';

export const steps = ['general', 'presentation', 'sensors'] as const;

type Props = { current: number; hints: readonly string[]; onStep: (step: number) => void };

/** List of the three steps, of which the second may be skipped. Earlier steps and the next one can be clicked. */
export function Steps({ current, hints, onStep }: Props) {
  return (
    <Box
      component="ol"
      sx={{ display: 'flex', m: 0, p: 0, mx: -5, mb: 4, listStyle: 'none', borderBottom: 1, borderColor: 'divider' }}
    >
      {steps.map((step, index) => (
        <Box component="li" key={step} sx={{ flex: { xs: '1 1 auto', sm: 1 }, minWidth: 0 }}>
          <ButtonBase
            onClick={() => onStep(index)}
            {...(index === current && { 'aria-current': 'step' as const })}
            sx={{
              width: '100%',
              justifyContent: 'flex-start',
              gap: { xs: 2, sm: 3 },
              px: { xs: 2, sm: 5 },
              py: 2,
              textAlign: 'left',
              borderBottom: 2,
              borderColor: index === current ? 'primary.main' : 'transparent',
            }}
          >
            <Box
              sx={{
                display: 'grid',
                placeItems: 'center',
                width: 24,
                height: 24,
                flex: 'none',
                borderRadius: '50%',
                border: 1,
                borderColor: index <= current ? 'primary.main' : 'surface.lineStrong',
                fontWeight: 600,
                ...(index === current && { bgcolor: 'primary.main', color: 'primary.contrastText' }),
              }}
            >
              {index < current ? <Icon path={mdiCheck} fontSize="small" sx={{ color: 'primary.main' }} /> : index + 1}
            </Box>
            <Box sx={{ minWidth: 0 }}>
              <Box sx={{ fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis' }}>{texts.steps[step]}</Box>
              <Box
                sx={{
                  fontSize: 12,
                  lineHeight: '16px',
                  color: 'text.secondary',
                  display: { xs: step === 'presentation' ? 'block' : 'none', sm: 'block' },
                }}
              >
                {hints[index]}
              </Box>
            </Box>
          </ButtonBase>
        </Box>
      ))}
    </Box>
  );
}
