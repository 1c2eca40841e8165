// Numbers that are typed, checked while they are typed: what is right, or nothing where it is.
import type { CommandOption } from './api';

const isNumber = (text: string): boolean => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text);

const numbers = ['whole_number', 'number', 'share', 'seed'];

/** "a whole number, 1 or more" */
function range(option: CommandOption): string {
  const kind = option.type === 'whole_number' || option.type === 'seed' ? 'a whole number' : 'a number';
  const { low, high } = option;
  // An upper end that nobody comes near says nothing.
  const bounded = high !== undefined && high < 1e6;
  if (low === undefined) return kind;
  if (option.open) return `${kind} above ${low}${bounded ? ` and below ${high}` : ''}`;
  return bounded ? `${kind} from ${low} to ${high}` : `${kind}, ${low} or more`;
}

function fits(option: CommandOption, text: string): boolean {
  const [number = '', column] = option.per_column ? text.split('@') : [text];
  const value = Number(number);
  return (
    isNumber(number) &&
    column !== '' &&
    (Number.isInteger(value) || (option.type !== 'whole_number' && option.type !== 'seed')) &&
    value >= (option.low ?? -Infinity) &&
    value <= (option.high ?? Infinity) &&
    !(option.open && (value === option.low || value === option.high))
  );
}

/** The items of a list in one line: \, is a comma within an item. */
export const listItems = (text: string): string[] =>
  text
    .split(/(?<!\\),/)
    .map((item) => item.replaceAll('\\,', ',').trim())
    .filter(Boolean);

/** What to write instead, by what the command declares; nothing where the text is right. */
export function optionFault(option: CommandOption, text: string): string {
  const values = option.commas ? listItems(text) : text.split(option.repeat ? '\n' : /$^/).map((line) => line.trim()).filter(Boolean);
  if (!numbers.includes(option.type ?? '') || values.every((one) => fits(option, one))) return '';
  const low = option.low ?? 0;
  const such = option.default && isNumber(String(option.default)) ? String(option.default) : option.type === 'share' ? '0.2' : String(Math.max(low, 3));
  return `Write ${range(option)}, such as ${such}${option.per_column ? `; for a single column, ${such}@diagnosis` : ''}.`;
}

/** Widths of ranges nest: each is a larger multiple of the one before. */
export function widthsFault(text: string): string {
  const widths = text.split(',').map((one) => one.trim());
  const numbers = widths.map(Number);
  if (widths.some((one) => !isNumber(one)) || numbers.some((n) => n <= 0)) return 'Write widths above 0, separated by commas, such as 5,10,20.';
  const multiple = (n: number, of: number): boolean => n > of && Math.abs(n / of - Math.round(n / of)) < 1e-9;
  const bad = numbers.findIndex((n, i) => i > 0 && !multiple(n, numbers[i - 1]!));
  return bad < 0 ? '' : `${widths[bad]} is not a larger multiple of ${widths[bad - 1]}: each range must fit inside a wider one, such as 5,10,20.`;
}
