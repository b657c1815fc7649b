import '../../base/zod-jitless.ts';
import '@fontsource-variable/inter/index.css';
import { CssBaseline } from '@mui/material';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { storedCredentials } from '../../api/credentials.ts';
import { httpApi } from '../../api/http-api.ts';
import { Queries } from '../../api/queries.ts';
import { createStyles } from '../../base/styles.ts';
import { Surroundings } from '../../shell/Surroundings.tsx';
import { CallPage } from './CallPage.tsx';

const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
const api = httpApi({ credentials: storedCredentials });

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Surroundings styles={createStyles(nonce)} api={api} queries={new Queries()}>
      <CssBaseline />
      <CallPage api={api} />
    </Surroundings>
  </StrictMode>,
);
