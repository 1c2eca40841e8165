// Numbers that are typed, checked while they are typed: what is right, or nothing where it is.
import type { CommandOption } from './api';

const isNumber = (text: string): boolean => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text);

/** What the letter of a model stands for: "L[@COLUMN]: l-diversity of ..." */
const models: Record<string, { fits: (n: number) => boolean; right: string; such: string }> = {
  K: { fits: (n) => Number.isInteger(n) && n >= 1, right: 'a whole number of 1 or more', such: '5' },
  L: { fits: (n) => n >= 1, right: 'a number of 1 or more', such: '3' },
  T: { fits: (n) => n >= 0 && n <= 1, right: 'a number of 0 to 1', such: '0.2' },
  A: { fits: (n) => n > 0 && n <= 1, right: 'a number above 0 and up to 1', such: '0.5' },
};

export function optionFault(option: CommandOption, text: string): string {
  const values = text.split(option.commas ? ',' : option.repeat ? '\n' : /$^/).map((one) => one.trim()).filter(Boolean);
  const [, letter, ofColumn] = /^([A-Z])(\[@COLUMN\])?: /.exec(option.description) ?? [];
  const model = letter === undefined ? undefined : models[letter];
  if (model) {
    const wrong = values.find((one) => {
      const [number = '', column] = one.split('@');
      return !isNumber(number) || !model.fits(Number(number)) || (column !== undefined && !ofColumn);
    });
    return wrong === undefined ? '' : `Write ${model.right}, such as ${model.such}${ofColumn ? `; for one column alone ${model.such}@diagnosis` : ''}.`;
  }
  if (option.kind !== 'number' || values.every(isNumber)) return '';
  return `Write a number${option.default && isNumber(String(option.default)) ? `, such as ${option.default}` : ' in digits, with a point before decimals'}.`;
}

/** Widths of ranges nest: each is a larger multiple of the one before. */
export function widthsFault(text: string): string {
  const widths = text.split(',').map((one) => one.trim());
  const numbers = widths.map(Number);
  if (widths.some((one) => !isNumber(one)) || numbers.some((n) => n <= 0)) return 'Write widths above 0 with commas between them, such as 5,10,20.';
  const multiple = (n: number, of: number): boolean => n > of && Math.abs(n / of - Math.round(n / of)) < 1e-9;
  const bad = numbers.findIndex((n, i) => i > 0 && !multiple(n, numbers[i - 1]!));
  return bad < 0 ? '' : `${widths[bad]} is no larger multiple of ${widths[bad - 1]}: ranges must lie whole in wider ones, such as 5,10,20.`;
}
