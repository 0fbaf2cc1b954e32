import { toPlainText } from '../plain-text.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Makes text safe inside HTML, in content and in quoted attributes.
 *
 * @param text - Any text, such as the name of somebody's model.
 * @returns HTML that shows the text.
 */
export function escapeHtml(text: string): string {
  return toPlainText(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Puts a text into HTML, with what stands between backticks as code, as our messages use them.
 *
 * @param text - Any text.
 * @returns HTML that shows the text.
 */
export function drawWords(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
