import { displayWidth } from '../../lib/wrap-text.js';
import { toPlainText } from '../plain-text.js';
import type { ReportTable } from '../tables/report-table.js';

/** Spaces between two columns. */
export const columnGap = 2;

/** A word in the first column, which names the row, is never broken up to this length; elsewhere up to the other. */
const longestName = 60;
const longestWord = 40;
const shortestWrap = 12;

/** A table, or some columns of one, with the width of each. */
type FittedTable = { readonly table: ReportTable; readonly widths: readonly number[] };

/** How far a column can give way. */
type Room = { readonly natural: number; readonly least: number; readonly wraps: boolean };

/**
 * Finds widths within which a table can be drawn: as wide as its content; else columns that wrap share what the others
 * leave; else titles wrap too; else the columns are drawn in several blocks that each begin with those that name the row.
 *
 * @param table - The table.
 * @param width - Columns of the terminal.
 * @param keepsWords - Whether no word may be broken, however long; the table then stays one, wider than the width.
 * @returns One table, or several to be drawn below each other.
 */
export function fitTable(table: ReportTable, width: number, keepsWords: boolean): readonly FittedTable[] {
  const rooms = measureColumns(table, keepsWords);
  const isFitting = (some: readonly Room[]) => sumLeast(some) <= width;
  // Whoever reads words whole reads lines whole, too.
  if (isFitting(rooms) || keepsWords) return [{ table, widths: shareRoom(rooms, width) }];
  const narrow = rooms.map((room, index) => ({ ...room, ...measureWithoutTitle(table, index, room) }));
  if (isFitting(narrow)) return [{ table, widths: shareRoom(narrow, width) }];
  const names = countNames(table);
  const blocks = splitColumns(narrow, names, width);
  return blocks.map((indexes) => ({
    table: takeColumns(table, indexes),
    widths: shareRoom(
      squeezeLast(
        indexes.flatMap((index) => narrow[index] ?? []),
        width,
      ),
      width,
    ),
  }));
}

/** A column that does not fit beside the names even alone is wrapped, whatever it holds. */
function squeezeLast(rooms: readonly Room[], width: number): readonly Room[] {
  const last = rooms.at(-1);
  const excess = sumLeast(rooms) - width;
  if (last === undefined || excess <= 0) return rooms;
  return [...rooms.slice(0, -1), { ...last, least: Math.max(shortestWrap, last.least - excess) }];
}

function measureColumns(table: ReportTable, keepsWords: boolean): readonly Room[] {
  return table.columns.map(({ title, wraps }, index) => {
    const texts = [title, ...textsOf(table, index)];
    const natural = Math.max(1, ...texts.map(displayWidth));
    if (!wraps) return { natural, least: natural, wraps };
    const limit = keepsWords ? Number.POSITIVE_INFINITY : index === 0 ? longestName : longestWord;
    const words = texts.flatMap((text) => text.split(' ')).map(displayWidth);
    const kept = words.filter((length) => length <= limit);
    return { natural, least: Math.min(natural, Math.max(shortestWrap, ...kept)), wraps };
  });
}

/** A title may wrap between its words; a column is then as wide as its cells. */
function measureWithoutTitle(table: ReportTable, index: number, room: Room): Pick<Room, 'natural' | 'least'> {
  if (room.wraps) return room;
  const words = (table.columns[index]?.title ?? '').split(' ').map(displayWidth);
  const natural = Math.max(1, ...words, ...textsOf(table, index).map(displayWidth));
  return { natural, least: natural };
}

function textsOf({ rows }: ReportTable, index: number): readonly string[] {
  return rows.flatMap((row) => [row[index]?.text ?? '', ...(row[index]?.more ?? [])]).map(toPlainText);
}

/** The columns that name rows; unless they are marked, the first, and the delivery beside a variant. */
function countNames({ columns }: ReportTable): number {
  const marked = columns.findIndex((column) => !column.names);
  if (marked > 0) return marked;
  return columns[1]?.align === 'left' && !columns[1].wraps && columns.length > 3 ? 2 : 1;
}

function splitColumns(rooms: readonly Room[], names: number, width: number): readonly (readonly number[])[] {
  const heads = rooms.map((_room, index) => index).slice(0, names);
  const blocks: (readonly number[])[] = [];
  let block: readonly number[] = heads;
  for (let index = names; index < rooms.length; index += 1) {
    const longer = [...block, index];
    const isTooWide = sumLeast(longer.flatMap((column) => rooms[column] ?? [])) > width;
    if (isTooWide && block.length > names) {
      blocks.push(block);
      block = [...heads, index];
    } else {
      block = longer;
    }
  }
  return [...blocks, block];
}

function takeColumns(table: ReportTable, indexes: readonly number[]): ReportTable {
  return {
    ...table,
    columns: indexes.flatMap((index) => table.columns[index] ?? []),
    rows: table.rows.map((row) => indexes.flatMap((index) => row[index] ?? [])),
  };
}

function sumLeast(rooms: readonly Room[]): number {
  return rooms.reduce((sum, room) => sum + room.least, 0) + columnGap * (rooms.length - 1);
}

/** Each column gets its least; those that wrap share the rest, none more than it can use. */
function shareRoom(rooms: readonly Room[], width: number): readonly number[] {
  let rest = Math.max(0, width - sumLeast(rooms));
  let sharers = rooms.filter((room) => room.wraps).length;
  return rooms.map(({ natural, least, wraps }) => {
    if (!wraps) return least;
    const given = Math.min(natural - least, Math.floor(rest / sharers));
    rest -= given;
    sharers -= 1;
    return least + given;
  });
}
