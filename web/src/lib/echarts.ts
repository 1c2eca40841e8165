// Only the parts of ECharts that the workbench draws with; loaded when the first chart is shown.
import { LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';

use([ScatterChart, LineChart, GridComponent, TooltipComponent, LabelLayout, SVGRenderer]);
export { init };
