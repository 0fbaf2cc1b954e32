import { toPlainText } from '../plain-text.js';

/**
 * Makes text safe inside Markdown: nothing in it is markup, a table border, HTML or a mention.
 *
 * @param text - Any text, such as the name of somebody's model.
 * @returns One line of Markdown that shows the text.
 */
export function escapeMarkdown(text: string): string {
  return (
    toPlainText(text)
      .replace(/[\\`*_[\]#|~]/g, '\\$&')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      // A word joiner keeps "@name" from calling somebody into a pull request.
      .replace(/@/g, '@\u2060')
  );
}
