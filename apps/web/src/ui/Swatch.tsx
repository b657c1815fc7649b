import { Box } from '@mui/material';

/** Colour of a platform, shown with its name. An outline keeps it visible on any surface. */
export function Swatch({ color }: { color: string }) {
  return (
    <Box
      aria-hidden="true"
      sx={{
        width: 10,
        height: 10,
        borderRadius: '2px',
        flex: 'none',
        outline: '1px solid',
        outlineColor: 'surface.lineStrong',
      }}
      style={{ backgroundColor: color }}
    />
  );
}
