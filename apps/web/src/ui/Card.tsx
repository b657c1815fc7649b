import { Box, Button, Typography } from '@mui/material';
import { type ReactNode, useContext, useId } from 'react';
import { matchRoutes, Link as RouterLink, UNSAFE_DataRouterContext } from 'react-router';
import { Icon } from './Icon.tsx';

type Props = {
  title: string;
  icon: string;
  /** Content right of the title: a state with its name. */
  badge?: ReactNode;
  /** Large figure, with a text for what it counts. */
  figure?: { value: string; text: string } | undefined;
  /** Lines of name and value. */
  facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Links and buttons at the foot. */
  children?: ReactNode;
};

/** One card of the admin page. */
export function Card({ title, icon, badge, figure, facts, children }: Props) {
  const titleId = useId();
  return (
    <Box
      component="section"
      aria-labelledby={titleId}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        border: 1,
        borderColor: 'divider',
        borderRadius: 2,
        bgcolor: 'surface.panel',
        minWidth: 0,
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 4, pt: 3, pb: 2 }}>
        <Icon path={icon} sx={{ fontSize: 18, color: 'text.secondary' }} />
        <Typography variant="h3" component="h2" id={titleId}>
          {title}
        </Typography>
        <Box sx={{ ml: 'auto', display: 'flex', alignItems: 'center', gap: 1.5, fontSize: 13 }}>{badge}</Box>
      </Box>
      <Box sx={{ px: 4, pb: 3, flex: 1 }}>
        {figure && (
          <Box sx={{ mb: 2 }}>
            <Typography variant="h1" component="p">
              {figure.value}
            </Typography>
            {/* Keeps its line before its text comes. */}
            <Typography variant="caption" sx={{ display: 'block', minHeight: '1lh', color: 'text.secondary' }}>
              {figure.text}
            </Typography>
          </Box>
        )}
        <Box component="dl" sx={{ m: 0, display: 'grid', rowGap: 1.5 }}>
          {facts.map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </Box>
      </Box>
      {children && (
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: 1,
            px: 2,
            py: 1.5,
            borderTop: 1,
            borderColor: 'divider',
            // Links to pages that do not exist render nothing.
            '&:empty': { display: 'none' },
          }}
        >
          {children}
        </Box>
      )}
    </Box>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box sx={{ display: 'flex', justifyContent: 'space-between', columnGap: 4 }}>
      <Typography component="dt" variant="body2" sx={{ color: 'text.secondary', flex: 'none' }}>
        {name}
      </Typography>
      <Typography component="dd" variant="body2" sx={{ m: 0, textAlign: 'right', overflowWrap: 'anywhere' }}>
        {children}
      </Typography>
    </Box>
  );
}

/** Link to a page of this client; renders nothing if the client has no such page. */
export function PageLink({ to, icon, children }: { to: string; icon?: string; children: string }) {
  const routes = useContext(UNSAFE_DataRouterContext)?.router.routes;
  const isThere = routes === undefined || matchRoutes([...routes], to)?.at(-1)?.route.path !== '*';
  if (!isThere) return null;
  return (
    <Button variant="text" component={RouterLink} to={to} startIcon={icon && <Icon path={icon} />}>
      {children}
    </Button>
  );
}
