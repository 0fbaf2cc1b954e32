import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeFramer, type Piece } from '../../src/bench/link/http-framing.js';
import { lengthOfReply, lengthOfRequest } from '../../src/bench/link/http-heads.js';

type Sent = { readonly method: string; readonly text: string };

const bodyText = fc.string({
  unit: fc.constantFrom('a', '\r', '\n', '0', ' ', 'HTTP/1.1 200 OK\r\n\r\n'),
  maxLength: 40,
});
const chunked = fc
  .array(
    bodyText.filter((text) => text !== ''),
    { maxLength: 4 },
  )
  .chain((parts) =>
    fc.constantFrom('', 'x-sum: 1\r\n').map((trailer) => {
      const chunks = parts.map((part) => `${part.length.toString(16)};name=v\r\n${part}\r\n`);
      return `HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${chunks.join('')}0\r\n${trailer}\r\n`;
    }),
  );
const sized = bodyText.map(
  (text) => `HTTP/1.1 206 Partial Content\r\ncontent-length:${text.length}\r\n\r\n${text}`,
);
const reply: fc.Arbitrary<Sent> = fc.oneof(
  fc.record({ method: fc.constantFrom('GET', 'PUT'), text: fc.oneof(chunked, sized) }),
  fc.constant({ method: 'HEAD', text: 'HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n' }),
  fc.constant({ method: 'DELETE', text: 'HTTP/1.1 204 No Content\r\n\r\n' }),
  fc.constant({ method: 'GET', text: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n' }),
);

/** Feeds text in pieces of the given sizes, over and over. */
function feed(frame: (bytes: Buffer) => Piece[], text: string, sizes: readonly number[]): Piece[] {
  const pieces: Piece[] = [];
  let index = 0;
  for (let turn = 0; index < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(...frame(Buffer.from(text.slice(index, index + size), 'latin1')));
    index += size;
  }
  return pieces;
}

const textOf = (pieces: readonly Piece[]) => pieces.map(({ bytes }) => bytes.toString('latin1')).join('');
const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 });

describe('makeFramer', () => {
  it('finds every reply of a connection, wherever its bytes are cut, and loses none', () => {
    fc.assert(
      fc.property(fc.array(reply, { minLength: 1, maxLength: 6 }), sizes, (replies, cuts) => {
        const methods = replies.map(({ method }) => method);
        const frame = makeFramer((head) => lengthOfReply(head, methods.shift() ?? ''));
        const pieces = feed(frame, replies.map(({ text }) => text).join(''), cuts);
        const found: string[] = [];
        for (const { head, bytes } of pieces) {
          if (head !== null) found.push('');
          found[found.length - 1] += bytes.toString('latin1');
        }
        expect(found).toEqual(replies.map(({ text }) => text));
        expect(pieces.filter(({ isEnd }) => isEnd).length).toBe(replies.length);
        expect(pieces.at(-1)?.isEnd).toBe(true);
      }),
    );
  });

  it('finds requests with and without a body', () => {
    const text =
      'GET /a HTTP/1.1\r\nHost: x\r\n\r\nPUT /b HTTP/1.1\r\nContent-Length: 5\r\n\r\nhelloHEAD /c HTTP/1.1\r\n\r\n';
    const pieces = makeFramer(lengthOfRequest)(Buffer.from(text));
    expect(pieces.map(({ bytes, isEnd }) => [bytes.toString().split(' ', 1)[0], isEnd])).toEqual([
      ['GET', true],
      ['PUT', false],
      ['hello', true],
      ['HEAD', true],
    ]);
  });

  it('takes an interim reply for one without a body, and the final one after it', () => {
    const frame = makeFramer((head) => lengthOfReply(head, 'PUT'));
    const pieces = frame(
      Buffer.from('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx'),
    );
    expect(pieces.map(({ isEnd }) => isEnd)).toEqual([true, false, true]);
  });

  it('lets a reply without a length last to the end of the connection', () => {
    const frame = makeFramer((head) => lengthOfReply(head, 'GET'));
    const pieces = feed(frame, 'HTTP/1.0 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', [7]);
    expect(pieces.filter(({ head }) => head !== null).length).toBe(1);
    expect(pieces.some(({ isEnd }) => isEnd)).toBe(false);
  });

  it('passes on what is no HTTP at all', () => {
    const noise = 'x'.repeat(300 * 1024);
    const pieces = feed(makeFramer(lengthOfRequest), noise, [64 * 1024]);
    expect(textOf(pieces)).toBe(noise);
    expect(pieces.every(({ head, isEnd }) => head === null && !isEnd)).toBe(true);
  });
});
