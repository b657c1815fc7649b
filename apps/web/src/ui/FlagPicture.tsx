import { Box } from '@mui/material';

// Imports only the addresses; inlined, the 260 flags would be part of the JavaScript.
const urls = import.meta.glob<string>('../../../../node_modules/country-flag-icons/3x2/*.svg', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
});

const urlOf = new Map(Object.entries(urls).map(([path, url]) => [path.slice(-6, -4), url]));

/** Picture of a `Flag`; renders nothing for a code without a flag. */
export function FlagPicture({ code }: { code: string }) {
  const url = urlOf.get(code);
  if (url === undefined) return null;
  return (
    <Box
      component="img"
      src={url}
      alt=""
      loading="lazy"
      sx={{ width: '100%', height: '100%', objectFit: 'cover', outline: '1px solid', outlineColor: 'divider' }}
    />
  );
}
