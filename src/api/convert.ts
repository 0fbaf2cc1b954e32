/** Models in another precision and layout. */
export { convertModel } from '../convert/convert-model.js';
export type { ConvertOptions, ConvertResult } from '../convert/convert-options.js';
export { renderConvertReport, renderConvertText } from '../report/text/convert-text.js';
