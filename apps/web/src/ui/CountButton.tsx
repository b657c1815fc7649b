import { Badge, Box, Button, type ButtonProps } from '@mui/material';
import { Icon } from './Icon.tsx';

type Props = Omit<ButtonProps, 'children' | 'startIcon' | 'title'> & {
  /** Accessible name, including the count. */
  label: string;
  title: string;
  icon: string;
  count: number;
};

/** Button of the top bar with a count. On a phone only its icon is shown, with a dot if the count is not 0. */
export const CountButton = ({ label, title, icon, count, ...rest }: Props) => (
  <Button
    variant="text"
    aria-label={label}
    startIcon={
      <Badge color="primary" variant="dot" invisible={count === 0}>
        <Icon path={icon} />
      </Badge>
    }
    sx={{ '& .MuiButton-startIcon': { mx: { xs: 0, md: 1 }, mr: { md: 2 } } }}
    {...rest}
  >
    <Box component="span" sx={{ display: { xs: 'none', md: 'inline' } }}>
      {title}{' '}
      {count > 0 && (
        <Box component="span" sx={{ ml: 2, fontWeight: 600, color: 'text.primary' }}>
          {count}
        </Box>
      )}
    </Box>
  </Button>
);
