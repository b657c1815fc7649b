import { Box, Typography } from '@mui/material';
import type { SecondFactorOffer } from '@osprey/contract';
import { texts } from './second-factor-texts.ts';

const words = texts.offer;

/** Shows the key of a new second factor, as a QR code to scan and in groups of four characters to type. */
export function AuthenticatorOffer({ offer }: { offer: SecondFactorOffer }) {
  const groups = offer.secret.match(/.{1,4}/g) ?? [];
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 3 }}>
      <Typography variant="body2" sx={{ color: 'text.secondary', justifySelf: 'start' }}>
        {words.scan}
      </Typography>
      <Box
        component="img"
        src={offer.picture}
        alt={words.picture}
        sx={{ width: 200, height: 200, borderRadius: 1, imageRendering: 'pixelated' }}
      />
      <Box sx={{ textAlign: 'center' }}>
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {words.key}
        </Typography>
        <Box component="code" sx={{ fontFamily: 'monospace', wordSpacing: 2, userSelect: 'all' }}>
          {groups.join(' ')}
        </Box>
      </Box>
    </Box>
  );
}
