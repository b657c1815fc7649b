import { mdiAlertCircleOutline } from '@mdi/js';
import { Button } from '@mui/material';
import { Component, type ReactNode } from 'react';
import { texts } from '../base/texts.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { NotLoaded } from './NotLoaded.tsx';

type Props = {
  children: ReactNode;
  /** Wraps the error notice. */
  frame?: (notice: ReactNode) => ReactNode;
};
type State = { error: unknown };

/** Error messages of Chromium, Firefox and Safari for code that could not be loaded. */
const NOT_FETCHED = /dynamically imported module|Importing a module script failed/i;

const isNotFetched = (error: unknown) => error instanceof TypeError && NOT_FETCHED.test(error.message);

/** Catches errors of one page, so that the shell remains. React supports this only in a class. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('thrown without a reason') };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const { frame = (notice) => notice } = this.props;
    return frame(this.notice(error));
  }

  private notice(error: unknown) {
    if (isNotFetched(error)) return <NotLoaded onAgain={() => this.setState({ error: null })} />;
    return (
      <Notice failed icon={mdiAlertCircleOutline} title={texts.crash.title} text={texts.crash.text}>
        <Button onClick={() => location.reload()}>{texts.crash.reload}</Button>
      </Notice>
    );
  }
}
