import { Box } from '@mui/material';

/** Keys, drawn as the caps of a keyboard. */
export const KeyCaps = ({ keys }: { keys: readonly string[] }) =>
  keys.map((key) => (
    <Box
      key={key}
      component="kbd"
      sx={{
        px: 1.5,
        border: 1,
        borderColor: 'surface.lineStrong',
        borderRadius: 1,
        fontFamily: 'inherit',
        fontSize: 12,
        alignSelf: 'start',
      }}
    >
      {key}
    </Box>
  ));
