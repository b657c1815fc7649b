import type { ThemeOptions } from '@mui/material/styles';
import { size, TOUCH_SCREEN, text } from './sizes.ts';

/** Shadow of floating elements (menus, dialogs, panels over video); no other element has a shadow. */
const floatShadow = '0 1px 2px rgb(0 0 0 / 0.28), 0 12px 32px rgb(0 0 0 / 0.36)';

/** Minimum size of buttons on touch screens, whatever height a button sets. */
const touchTarget = { [TOUCH_SCREEN]: { minWidth: size.touch, minHeight: size.touch } };

/** Style of inputs on touch screens: phone browsers zoom into a field whose font is smaller than 16 px. */
const touchInput = { [TOUCH_SCREEN]: { height: size.touch - 2, fontSize: 16 } };

/** Density and shape of the MUI components, defined once for all of them. */
export const componentStyles: NonNullable<ThemeOptions['components']> = {
  MuiCssBaseline: {
    styleOverrides: {
      body: {
        fontSize: 13,
        lineHeight: '20px',
        fontFeatureSettings: '"cv11", "calt"',
        WebkitFontSmoothing: 'antialiased',
      },
      '*': { scrollbarWidth: 'thin', scrollbarColor: 'var(--mui-palette-text-disabled) transparent' },
      // Controls do not inherit these properties by default.
      'button, input, select, textarea': { fontFeatureSettings: 'inherit', fontVariantNumeric: 'inherit' },
      // Without fixed-width figures, changing numbers would move the elements next to them. Words do without: their
      // hyphens would be as wide as a figure.
      '[role="timer"], [data-figures], [data-part="mission-clock"], [data-part="value"], input[type="number"]': {
        fontVariantNumeric: 'tabular-nums',
      },
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': { animation: 'none !important', transition: 'none !important' },
      },
      // In forced-colours mode the browser removes background colours, and with them the mark of the selected element,
      // so it gets an outline.
      '@media (forced-colors: active)': {
        ':is([aria-selected="true"], [aria-current="page"], [aria-pressed="true"])': {
          outline: '1px solid Highlight',
          outlineOffset: -1,
        },
      },
      ':focus-visible': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 2 },
    },
  },
  MuiButtonBase: { defaultProps: { disableRipple: true }, styleOverrides: { root: { fontFamily: 'inherit' } } },
  MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiButton: {
    defaultProps: { disableElevation: true, size: 'small', color: 'inherit', variant: 'outlined' },
    styleOverrides: {
      root: {
        height: size.control,
        minWidth: 0,
        padding: '0 12px',
        borderRadius: size.radius,
        whiteSpace: 'nowrap',
        ...touchTarget,
      },
      outlined: {
        borderColor: 'var(--mui-palette-surface-lineStrong)',
        backgroundColor: 'var(--mui-palette-surface-raised)',
      },
      // In a phone's toolbar, the button that adds a row is on the second line, next to the search.
      contained: { '@media (max-width: 599.95px)': { '[role="toolbar"] > &': { order: 1 } } },
      text: { padding: '0 8px' },
      startIcon: { marginLeft: -4, marginRight: 6 },
      endIcon: { marginLeft: 4, marginRight: -4 },
    },
  },
  MuiIconButton: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      root: {
        width: size.control,
        height: size.control,
        borderRadius: size.radius,
        color: 'var(--mui-palette-text-secondary)',
        ...touchTarget,
      },
    },
  },
  MuiSvgIcon: { styleOverrides: { root: { fontSize: 18 }, fontSizeSmall: { fontSize: 16 } } },
  MuiChip: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      root: {
        height: 24,
        borderRadius: size.radius,
        fontSize: 12,
        backgroundColor: 'var(--mui-palette-surface-raised)',
        border: '1px solid var(--mui-palette-surface-line)',
        '&.MuiChip-clickable, &.MuiChip-deletable': { [TOUCH_SCREEN]: { height: size.touch } },
      },
      label: { padding: '0 8px' },
      deleteIcon: { fontSize: 14, margin: '0 4px 0 -4px', [TOUCH_SCREEN]: { fontSize: 20, padding: 4, margin: 0 } },
    },
  },
  // Labels are always above their field, so that they never cover the input and never move.
  MuiInputLabel: {
    defaultProps: { shrink: true },
    styleOverrides: {
      root: {
        position: 'static',
        transform: 'none',
        marginBottom: 4,
        ...text(12, 16, 500),
        color: 'var(--mui-palette-text-secondary)',
      },
    },
  },
  MuiOutlinedInput: {
    defaultProps: { notched: false, size: 'small' },
    styleOverrides: {
      root: {
        minHeight: size.control,
        backgroundColor: 'var(--mui-palette-surface-field)',
        fontSize: 13,
        borderRadius: size.radius,
        [TOUCH_SCREEN]: { minHeight: size.touch },
        '&.MuiInputBase-multiline .MuiInputBase-input': { padding: 0 },
        '&.MuiInputBase-adornedStart .MuiInputBase-input': { paddingLeft: 0 },
        '&.Mui-disabled': {
          backgroundColor: 'transparent',
          '& .MuiOutlinedInput-notchedOutline': { borderColor: 'var(--mui-palette-surface-line)' },
        },
      },
      input: { padding: '0 10px', height: size.control - 2, ...touchInput },
      multiline: { padding: '6px 10px' },
      notchedOutline: {
        top: 0,
        borderColor: 'var(--mui-palette-surface-lineStrong)',
        '& legend': { display: 'none' },
      },
    },
  },
  MuiAutocomplete: {
    styleOverrides: {
      // The class is doubled to override the library's padding, which has a higher specificity than a plain slot style.
      root: {
        '& .MuiAutocomplete-inputRoot.MuiAutocomplete-inputRoot': {
          padding: '0 36px 0 0',
          '& .MuiAutocomplete-input': { padding: '0 10px', height: size.control - 2, ...touchInput },
        },
      },
      tag: { margin: 3 },
      listbox: { fontSize: 13 },
    },
  },
  MuiFormHelperText: { styleOverrides: { root: { margin: '4px 0 0', ...text(12, 16) } } },
  MuiSelect: {
    styleOverrides: {
      select: {
        minHeight: '0 !important',
        height: `${size.control - 2}px !important`,
        lineHeight: `${size.control - 2}px`,
        [TOUCH_SCREEN]: { height: `${size.touch - 2}px !important`, lineHeight: `${size.touch - 2}px` },
      },
    },
  },
  MuiMenuItem: {
    styleOverrides: {
      root: {
        padding: '0 12px',
        fontSize: 13,
        // The class is doubled to override the library, which from 600 px on removes the minimum height of menu items.
        '&.MuiMenuItem-root': { minHeight: size.control, [TOUCH_SCREEN]: { minHeight: size.touch } },
      },
    },
  },
  MuiMenu: {
    styleOverrides: {
      paper: {
        borderRadius: size.radiusFloat,
        border: '1px solid var(--mui-palette-surface-line)',
        boxShadow: floatShadow,
        backgroundColor: 'var(--mui-palette-surface-raised)',
      },
    },
  },
  MuiCheckbox: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      // Enlarges the touch area beyond the icon, without moving its neighbours.
      root: { padding: 4, color: 'var(--mui-palette-text-disabled)', [TOUCH_SCREEN]: { padding: 14, margin: -10 } },
    },
  },
  MuiFormControlLabel: {
    styleOverrides: {
      root: {
        [TOUCH_SCREEN]: { minHeight: size.touch },
        // Moves the checkbox left, so that its box aligns with the edges of the fields above.
        '&:has(> .MuiCheckbox-root)': { marginLeft: -6 },
        '&:has(> .MuiSwitch-root)': { marginLeft: 0, gap: 8 },
      },
    },
  },
  MuiToggleButton: { styleOverrides: { root: { ...touchTarget } } },
  MuiSwitch: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      // The class is doubled to override the library's size variant, which has a higher specificity than a plain slot
      // style.
      root: {
        width: 34,
        height: 20,
        padding: 0,
        '& .MuiSwitch-switchBase.MuiSwitch-switchBase': {
          padding: 3,
          '&.Mui-checked': { transform: 'translateX(14px)', color: '#fff' },
        },
        '& .MuiSwitch-thumb.MuiSwitch-thumb': { width: 14, height: 14, boxShadow: 'none' },
        '& .Mui-checked + .MuiSwitch-track.MuiSwitch-track': { opacity: 1 },
      },
      track: { borderRadius: 10, opacity: 1, backgroundColor: 'var(--mui-palette-surface-lineStrong)' },
    },
  },
  MuiTabs: {
    styleOverrides: {
      root: { minHeight: size.toolbar, [TOUCH_SCREEN]: { minHeight: size.touch } },
      indicator: { height: 2, borderRadius: 1 },
    },
  },
  MuiTab: {
    styleOverrides: {
      root: {
        minHeight: size.toolbar,
        minWidth: 0,
        padding: '0 12px',
        ...text(13, 20, 500),
        textTransform: 'none',
        ...touchTarget,
      },
    },
  },
  MuiTableCell: {
    styleOverrides: {
      root: {
        height: size.row,
        padding: '0 12px',
        fontSize: 13,
        lineHeight: '20px',
        borderColor: 'var(--mui-palette-surface-line)',
        whiteSpace: 'nowrap',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
      },
      head: {
        height: size.tableHead,
        ...text(12, 16, 500),
        color: 'var(--mui-palette-text-secondary)',
        backgroundColor: 'var(--mui-palette-surface-panel)',
      },
    },
  },
  MuiTableRow: {
    styleOverrides: { root: { '&.Mui-selected': { backgroundColor: 'var(--mui-palette-surface-selected)' } } },
  },
  MuiDialog: {
    styleOverrides: {
      // Leaves the label bars at the top and at the bottom of the page visible. The focus is shown in the dialog, not
      // around it.
      container: {
        height: `calc(100% - ${size.labelBar + size.footer}px)`,
        marginTop: size.labelBar,
        '&:focus-visible': { outline: 'none' },
      },
      paper: {
        borderRadius: size.radiusFloat,
        border: '1px solid var(--mui-palette-surface-line)',
        boxShadow: floatShadow,
        backgroundColor: 'var(--mui-palette-surface-panel)',
        '&.MuiDialog-paperFullScreen': { borderRadius: 0, border: 0 },
      },
    },
  },
  MuiDialogTitle: { styleOverrides: { root: { ...text(16, 24, 600), padding: '16px 20px' } } },
  MuiDialogContent: { styleOverrides: { root: { padding: '0 20px 20px' } } },
  MuiDialogActions: {
    defaultProps: { disableSpacing: true },
    styleOverrides: {
      root: { padding: '12px 20px', borderTop: '1px solid var(--mui-palette-surface-line)', gap: 8 },
    },
  },
  MuiTooltip: {
    defaultProps: { enterDelay: 400, arrow: false },
    styleOverrides: {
      tooltip: {
        ...text(12, 16),
        padding: '4px 8px',
        borderRadius: size.radiusSmall,
        border: '1px solid var(--mui-palette-surface-line)',
        backgroundColor: 'var(--mui-palette-surface-raised)',
        color: 'var(--mui-palette-text-primary)',
      },
    },
  },
  MuiLinearProgress: {
    styleOverrides: {
      root: { height: 4, borderRadius: 2, backgroundColor: 'var(--mui-palette-surface-lineStrong)' },
      bar: { borderRadius: 2 },
    },
  },
  MuiAlert: { styleOverrides: { root: { ...text(13, 20), padding: '8px 12px', borderRadius: size.radius } } },
  MuiSkeleton: {
    defaultProps: { animation: false },
    styleOverrides: { root: { borderRadius: size.radiusSmall, transform: 'none' } },
  },
};
