// The language's declaration, as the file that it is and as what it says.
import source from '../../../emulator-bridge/engine/own/language.d.ts?raw';
import { languageOf } from './language';

export const DECLARATION = source;
export const LANGUAGE = languageOf(source);
