import { Box, ButtonBase } from '@mui/material';
import { platformInk } from '../base/colours.ts';
import { fill } from '../base/format.ts';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { LivePreview } from './LivePreview.tsx';
import { texts } from './texts.ts';
import type { Watched } from './watched.ts';

type Props = { watched: readonly Watched[]; onChoose: (sensorId: string) => void };

/** Strip with the other sensors, below the picture on a phone; a tap opens one. */
export function LiveThumbs({ watched, onChoose }: Props) {
  return (
    <Box
      component="ul"
      aria-label={texts.thumbs}
      sx={{ m: 0, p: 2, display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2, listStyle: 'none' }}
    >
      {watched.map(({ platform, sensor }) => (
        <Box component="li" key={sensor._id} sx={{ minWidth: 0 }}>
          <ButtonBase
            aria-label={fill(texts.showSensor, { sensor: sensor.name })}
            onClick={() => onChoose(sensor._id)}
            sx={{ width: '100%', aspectRatio: '16 / 9', borderRadius: 1, overflow: 'hidden', position: 'relative' }}
          >
            <LivePreview platform={platform} sensor={sensor} />
            <Box
              component="span"
              sx={{
                position: 'absolute',
                inset: '0 0 auto',
                display: 'flex',
                alignItems: 'center',
                gap: 1.5,
                px: 1.5,
                py: 1,
                fontSize: 12,
                color: '#F2F5F9',
                background: 'linear-gradient(rgb(0 0 0 / 0.78), transparent)',
              }}
            >
              <Box
                component="span"
                sx={{ width: 4, height: 14, bgcolor: platformInk(platform.presentation.color, 'dark') }}
              />
              <strong>{sensor.name}</strong>
              <Box
                component="span"
                sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', flex: 1 }}
              >
                {platform.name}
              </Box>
              <LabelMark label={platform.securityClassification} marked={platform.marked} look="solid" />
            </Box>
          </ButtonBase>
        </Box>
      ))}
    </Box>
  );
}
