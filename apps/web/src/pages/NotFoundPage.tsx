import { mdiMapMarkerQuestionOutline } from '@mdi/js';
import { Button } from '@mui/material';
import { Link, useLocation } from 'react-router';
import { fill } from '../base/format.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { texts } from './texts.ts';
import { usePageTitle } from './usePageTitle.ts';

export function NotFoundPage() {
  usePageTitle(texts.titles.notFound);
  const { pathname } = useLocation();
  const { title, text, back } = texts.notFound;
  return (
    <Notice icon={mdiMapMarkerQuestionOutline} title={title} text={fill(text, { path: pathname })}>
      <Button component={Link} to="/missions">
        {back}
      </Button>
    </Notice>
  );
}
