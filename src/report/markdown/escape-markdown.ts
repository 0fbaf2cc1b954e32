import { toPlainText } from '../plain-text.js';

/**
 * Makes text safe inside Markdown and its tables: nothing in it is markup, a border, HTML or a mention; only what stands
 * between backticks is code, as our messages use them.
 *
 * @param text - Any text, such as the name of somebody's model.
 * @returns One line of Markdown that shows the text.
 */
export function escapeMarkdown(text: string): string {
  return toPlainText(text)
    .split(/(`[^`]+`)/)
    .map((part) => (part.length > 2 && part.startsWith('`') ? part.replace(/\|/g, '\\|') : escapeWords(part)))
    .join('');
}

function escapeWords(text: string): string {
  return (
    text
      .replace(/[\\`*_[\]#|~]/g, '\\$&')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      // A word joiner keeps "@name" from calling somebody into a pull request.
      .replace(/@/g, '@\u2060')
  );
}
