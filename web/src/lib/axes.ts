// What all charts share.
import { percent } from './format';
import type { Colours } from './theme.svelte';

/** Marks of series, told apart without colours, too. */
export const shapes = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'arrow', 'pin'] as const;
export const dashes = ['solid', [6, 3], [2, 3], [10, 3, 2, 3], [12, 5]] as const;

export function axis(colours: Colours, name: string, nameGap: number, shares = false) {
  return {
    type: 'value' as const,
    name,
    nameGap,
    nameLocation: 'middle' as const,
    nameTextStyle: { color: colours.soft, fontSize: 13 },
    axisLabel: { color: colours.soft, hideOverlap: true, ...(shares && { formatter: (value: number) => `${Number((value * 100).toPrecision(3))} %` }) },
    axisLine: { lineStyle: { color: colours.line } },
    splitLine: { lineStyle: { color: colours.line, opacity: 0.6 } },
  };
}

export const tooltip = (colours: Colours) => ({
  renderMode: 'richText' as const,
  backgroundColor: colours.card,
  borderColor: colours.line,
  textStyle: { color: colours.ink },
});
export const shareTooltip = (colours: Colours) => ({ ...tooltip(colours), trigger: 'axis' as const, valueFormatter: (value: number) => percent(value) });
