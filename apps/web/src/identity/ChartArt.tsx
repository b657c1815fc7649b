import { Box } from '@mui/material';
import { chartColours } from '../base/colours.ts';
import { useScheme } from '../ui/StateDot.tsx';

const rings = [70, 140, 210, 280, 350, 420];
const lines = [0, 160, 320, 480, 640, 800, 960];

/**
 * Decorative chart of a fictitious place, with a graticule, range rings and a footprint. It is drawn without external
 * pictures.
 */
export function ChartArt() {
  const scheme = useScheme();
  const { sea, halo, land, coast, grid } = chartColours[scheme];
  return (
    <Box
      component="svg"
      aria-hidden="true"
      viewBox="0 0 960 800"
      preserveAspectRatio="xMidYMid slice"
      sx={{ display: { xs: 'none', md: 'block' }, flex: 1, minWidth: 0, height: '100%', bgcolor: sea }}
    >
      {lines.map((at) => (
        <path key={at} d={`M${at} 0V800M0 ${at}H960`} stroke={grid} strokeWidth="1" />
      ))}
      <g fill={land} stroke={coast} strokeWidth="1.500" style={{ filter: `drop-shadow(0 0 14px ${halo})` }}>
        <path d="M0 0h190l-22 48 40 36-14 70 34 52-30 66 22 44-44 26-36-18-30 40-44-22-30 22-36-30z" />
        <path d="M246 0h176l-18 44 22 62-36 34-44-10-30 28-34-52-28-22z" />
        <path d="m470 190 46-18 30 34-8 52 28 40-18 62-40 22-36-30-12-58-26-34z" />
        <path d="m300 372 40-8 18 40-10 62-34 34-30-20-6-56z" />
        <path d="m700 330 58-30 44 26 10 60-38 44 20 52-46 40-40-30-24-70z" />
        <path d="m330 560 34-22 26 18 8 66-22 60-36-8-20-52z" />
        <path d="m850 560 66-34 44 24v190l-56 20-44-44-30-76z" />
        <path d="m500 690 34 12 20 58-24 40h-40l-14-66z" />
      </g>
      {rings.map((radius) => (
        <circle key={radius} cx="470" cy="430" r={radius} fill="none" stroke={grid} strokeWidth="1.500" />
      ))}
      <path d="M470 430 610 78a380 380 0 0 1 152 108z" fill="var(--mui-palette-primary-main)" opacity="0.14" />
      <circle cx="470" cy="430" r="4" fill="var(--mui-palette-primary-main)" />
    </Box>
  );
}
