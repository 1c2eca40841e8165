// Models and settings of the search of tables that have no control of their own on the page.
import type { CommandOption } from './api';
import { catalogue } from './catalogue.svelte';
import { optionFault } from './checks';
import type { Settings } from './study.svelte';

const own = ['l', 't', 'suppression', 'k', 'ks', 'methods', 'weight', 'max-level'];
export const otherOptions = (): CommandOption[] =>
  (catalogue.entry('tables', 'explore')?.options ?? []).filter((option) => (option.group === 'Models' || option.group === 'Method') && !own.includes(option.name));
/** Those that were typed in a way that nothing reads. */
export const faultyOptions = (settings: Settings): CommandOption[] => otherOptions().filter((option) => optionFault(option, settings.more[option.name] ?? '') !== '');
