import { Box } from '@mui/material';
import { useNavigate } from 'react-router';
import { CasesPanel } from '../cases/CasesPanel.tsx';
import { filterRules } from '../cases/filter.ts';
import { texts } from '../cases/texts.ts';
import { useQueryFilter } from '../ui/filter/useQueryFilter.ts';
import { usePageTitle } from './usePageTitle.ts';

/** Page with the cases that the user may read. */
export function CasesPage() {
  usePageTitle(texts.title);
  const navigate = useNavigate();
  const { filter, setFilter, sort, setSort } = useQueryFilter(filterRules, 'case');
  return (
    <Box sx={{ height: '100%', minHeight: 0, p: { xs: 0, sm: 2 }, display: 'flex' }}>
      <CasesPanel
        filter={filter}
        onFilter={setFilter}
        sort={sort}
        onSort={setSort}
        onOpen={(id) => void navigate(`/cases/${id}`)}
      />
    </Box>
  );
}
