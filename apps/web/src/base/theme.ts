import { createTheme } from '@mui/material/styles';
import { darkPalette, lightPalette } from './colours.ts';
import { componentStyles } from './component-styles.ts';
import { motion, size, text } from './sizes.ts';

declare module '@mui/material/styles' {
  interface Palette {
    surface: {
      base: string;
      panel: string;
      raised: string;
      hover: string;
      selected: string;
      line: string;
      lineStrong: string;
      field: string;
    };
  }
  interface PaletteOptions {
    surface?: Palette['surface'];
  }
}

const font = '"Inter Variable", system-ui, sans-serif';

export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'data-scheme' },
  defaultColorScheme: 'dark',
  colorSchemes: { dark: { palette: darkPalette }, light: { palette: lightPalette } },
  spacing: 4,
  shape: { borderRadius: size.radius },
  breakpoints: { values: { xs: 0, sm: 600, md: 960, lg: 1280, xl: 1680 } },
  typography: {
    fontFamily: font,
    h1: text(20, 28, 600),
    h2: text(16, 24, 600),
    h3: text(14, 20, 600),
    h4: text(14, 20, 600),
    h5: text(13, 20, 600),
    h6: text(13, 20, 600),
    subtitle1: text(14, 20, 500),
    subtitle2: text(13, 20, 500),
    body1: text(14, 20),
    body2: text(13, 20),
    caption: text(12, 16),
    overline: { ...text(12, 16, 500), textTransform: 'none' },
    button: { ...text(13, 20, 500), textTransform: 'none' },
  },
  transitions: {
    duration: {
      shortest: 90,
      shorter: 90,
      short: 90,
      standard: 150,
      complex: 150,
      enteringScreen: 150,
      leavingScreen: 90,
    },
    easing: { easeInOut: motion.curve, easeOut: motion.curve, easeIn: motion.curve, sharp: motion.curve },
  },
  components: componentStyles,
});
