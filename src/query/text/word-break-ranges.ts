/**
 * Word_Break classes of Unicode 12.1 (UAX #29), as required by spec 2.2; the Unicode data of the runtime are newer.
 * Extend, Format and ZWJ are one class here, since they behave alike. In addition to Word_Break: `southEastAsian` is
 * Line_Break SA (Thai, Lao, Khmer, Myanmar, ...), `single` is Script Han or Hiragana and the other ideographs.
 *
 * A class is a list of ranges, each the gap since the previous range and, after a dash, the number of further code
 * points; all in base 36.
 *
 * Derived from the Unicode 14 database (Word_Break, Line_Break, Script), restricted to code points whose Age is at most
 * 12.1, without the letters Word_Break gained since: U+02E5-02EB, U+055A, U+058A, U+A708-A716. Han iteration marks
 * (U+3005, U+303B, U+16FE3) count as Han though Word_Break classifies them as letters.
 */
export const wordBreakRanges = {
  letter:
    '1t-p 6-p 1b a 4 5-m 1-u 1-db 6-6 7-j 34-4 1-1 2-3 1 6 1-2 1 1-j 1-2a 1-3u 8-4l 1-11 2 1-1 1 1-14 2y 18-16 ' +
    'z-1 1-2q 1 f-1 7-1 a-2 2 g 1-t t-2g b o-w 9-1 4 5-l 4 9 3 n-o 7-a 1h-k 1-7 1y-1h 3 i 7-9 f-f 4-7 2-1 2-l 1-6 ' +
    '1 3-3 3 g d-1 1-2 e-1 a 8-5 4-1 2-l 1-6 1-1 1-1 1-1 v-3 1 j-2 g-8 1-2 1-l 1-6 1-1 1-4 3 i f-1 n b-7 2-1 2-l ' +
    '1-6 1-1 1-4 3 u-1 1-2 f h 1-5 3-2 1-3 3-1 1 1-1 3-1 3-2 3-b m 1g-7 1-2 1-m 1-f 3 q-2 5-1 u 4-7 1-2 1-m 1-9 ' +
    '1-4 3 w 1-1 f-1 i-7 1-2 1-14 2 g 5-2 8-2 o-5 5-h 3-n 1-8 1 2-6 8p 1r-7 1-z r-4 7n-11 1 5 2-16 1-98 1-3 2-6 1 ' +
    '1-3 2-14 1-3 2-w 1-3 2-6 1 1-3 2-e 1-1k 1-3 2-1u 11-f g-2d 2-5 3-h7 2-g 1-p 5-22 3-a 7-c 1-3 e-h e-h e-c 1-2 ' +
    '4v-2g 7-4 2-x 1 5-1x a-u 69-m 6m-1a h-6 1j-t d-1 a-17 q-z 15-2 a-z 2-8 7-16 2-2 15-3 1-5 1-1 3 5-5b 1s-7p ' +
    '2-5 2-11 2-5 2-7 1 1 1 1-u 2-1g 1-6 1 3-2 1-6 3-3 2-5 4-c 5-2 1-6 38 d g-c 2t 4 2-9 1 3-4 6 1 1 1-3 1-a 2-3 ' +
    '5-4 4 h-14 ml-1f 1ee-1a 1-1a 1-3o 6-3 3-1 c-11 1 5 2-1j 7 g-m 9-6 1-6 1-6 1-6 1-6 1-6 1-6 1-6 28 ek 5k-16 ' +
    '1-2l h-q ls5-wc 1v-19 2-7g 3-f a-1 k-1a g-u 2-27 13-4o 2-4 1c-a 1-2 1-3 1-m t-1f e-1d 1q-5 3 1-1 b-r a-m p-s ' +
    '7-1a s 1c-14 n-2 1-7 44-a 7-2 c-5 2-5 2-5 9-6 1-6 1-1j 8-36 t-8mb c-m 4-1c 6x0-6 c-4 1k-2p x-a2 i-1r 2-1h ' +
    '14-b 38-4 1-3q 10-p 6-p 1x-u 3-5 2-5 2-5 2-2 z-b 1-p 1-i 1-1 1-e 2-d y-3e 1x-1g 7f-s 3-1c 1b-v d-t 5-11 a-t ' +
    '2-z 4-7 1-4 16-4d i-z 4-z 4-13 8-1f 4c-8m 9-l a-7 48-5 2 1-17 1-1 3 2-m a-m 9-u 1t-i 1-1 a-l a-p 1y-1j 6-1 ' +
    '1s f-3 1-2 1-s 16-s 3-s z-7 1-r r-1h a-l a-i d-h 32-20 1j-1e d-1e d-z d8-s a 8-l 4a-m c-1g 23-18 w-o q-z t ' +
    'b-y 3 c-1b e-3 l 1 z-h 1-o 2c-6 1 1-3 1-e 1-9 7-1a 12-7 2-1 2-l 1-6 1-1 1-4 3 i c-4 4e-1g i-3 k w-1b k-1 1 ' +
    '54-1a 15-3 10-1b k 1n-16 d 93-17 38-1r v 4g-7 2-12 g 1 s a-13 7 l b-19 j y-1k 7b-8 1-10 h 1d-t 34-6 1-1 1-11 ' +
    'l p-5 1-1 1-v e 93-i 7h-pl 2u-32 h-5f 24c-tq 34h-g6 6nt-fs 7-u 35-t i-1b g-3 v-k 5-i j4-1r 3k-22 5 1u-c 1s-1 ' +
    'f1a-2y 5-c 3-8 7-9 4me-2c 1-1y 1-1 2 2-1 2-3 1-b 1 1-6 1-1s 1-3 2-7 1-6 1-r 1-3 1-4 1 3-6 1-9f 2-o 1-o 1-u ' +
    '1-o 1-u 1-o 1-u 1-o 1-u 1-o 1-7 1tg-18 a-6 g a9-17 104-5g 1n-1v 7 xg-3 1-q 1-1 1 2 1-9 1-3 1 1 6 4 1 1 1-2 ' +
    '1-1 1 2 1 1 1 1 1-1 1 2-3 1-6 1-3 1-3 1 1-9 1-g 5-2 1-4 1-g hg-p 6-p 6-p',
  hebrewLetter: '15c-q 4-3 1cfe 1-9 1-c 1-4 1 1-1 1-1 1-9',
  digit:
    '1c-9 17q-9 1 3o-9 5i-9 bg-9 3a-9 3a-9 3a-9 3a-9 3a-9 3a-9 3a-9 3a-9 3a-9 2o-9 3a-9 1y-9 7q-9 1y-9 1fq-9 12-9 ' +
    '8c-9 3k-9 4m-9 6-9 52-9 2e-9 3q-9 6-9 r7q-9 iu-9 12-9 5i-9 m-9 2e-9 ba-9 geu-9 13a-9 1om-9 mk-9 3k-9 1o-9 ' +
    '40-9 7q-9 9i-9 3a-9 ae-9 2u-9 2u-9 bq-9 o6-9 6u-9 1y-9 f5i-9 6e-9 lf8-1d 1ts-9 bq-9 192-9',
  katakana: '9ip-4 2t-1 3-2i 1-3 6o-f 5s-1a 1-2f 14b2-1j yua 9v-3',
  connector: '2n 6a7 f-1 j 17tq-1 o-2 6n',
  extend:
    '4t gi-33 7n-6 7b-18 1 1-1 1-1 1 1k-5 a-a 1 1a-k g 2t-7 1-5 2-1 1-3 x 1 u-q 2j-a 1m-8 9 o-3 1-8 1-2 1-4 17-2 ' +
    '3b-1c 1i-2 1-h 1-6 a-1 t-2 1k 1-6 2-1 2-2 9 a-1 q 2-2 1k 1-4 4-1 2-2 3 u-1 3 b-2 1k 1-7 1-2 1-2 k-1 m-5 1-2 ' +
    '1k 1-6 2-1 2-2 8-1 a-1 u 1n-4 3-2 1-3 9 14-4 1l-6 1-2 1-3 7-1 b-1 t-2 1k 1-6 1-2 1-3 7-1 b-1 s-3 1j-1 1-6 ' +
    '1-2 1-3 9 a-1 u-1 1y 4-5 1 1-7 i-1 1p 2-6 c-7 2q 2-8 b-5 22-1 r 1 1 4-1 1d-j 1-1 5-a 1-z 9 2s-j n-3 4-2 1-2 ' +
    '2-6 3-3 d-b 1 a-3 jj-2 qa-2 t-2 t-1 u-1 1s-v 9 19-3 3a-1 y 3a-b 4-b 63-4 1l-9 1-s 2 1c-e 1t-4 1b-g 12-8 c-2 ' +
    'u-c 1k-d 1c-j 48-2 1-k 4 6 2-2 5i-1l 1-4 ek-3 q-4 1d-4 1-9 2o-w 2da-2 3x 2o-v fe-5 2x-1 n9w-3 1-9 w-1 28-1 ' +
    '7k 3 4 n-4 2g-1 1e-h q-h d 12-7 p-c 18-3 1b-d 10 1v-d c 8-1 19-2 1e 1-2 2-1 5-1 1 15-4 5-1 6k-7 1-1 fn4 kh-f ' +
    'g-f 5r 4e-1 2h-2 e9 6a 45-4 1ae-2 1-1 5-3 14-2 4 4l-1 fx-3 f2-a 4v-2 1h-e 1k-3 19-a 2 f 1e-2 10-d g-1 18 c-2 ' +
    '1c-d 8-3 2n-b 6 4g-b l-3 1j-1 1-6 2-1 2-2 9 a-1 2-6 3-4 5c-h n 29-j 6j-6 2-8 r-1 2a-g 2y-c 2t-e 74-e ba-6 ' +
    '2-6 3 s-9 14-6 1-3 8 9-a 1a-f b9-7 1-7 2a-l 1-d 3e-5 3 1-1 1-6 1 1u-4 1-1 1-4 9n-3 46x-8 at3-4 1n-6 t4 1-1i ' +
    '7-3 f7u-1 1-3 43l-4 3-l 2-6 u-3 44-2 1iz-1i 4-1d 8 e m-4 1-e 11s-6 1-g 2-6 1-1 1-4 79-6 c5-3 15s-6 31-6 ' +
    '240-4 gx6p u-2n 3k-6n',
  midLetter: '1m 3g jz d3 44 56a 17u3 1t 5g',
  midNumber: '18 e n6 ei 3m-1 2m az 4sr 17t7 3 1n 3 53 e',
  midBoth: '1a 6ax-1 a 17vx 50 6',
  singleQuote: '13',
  doubleQuote: 'y',
  southEastAsian:
    '2rl-1b 1-1 c-6 1m-1 1 1-4 1-n 1 1-9 1-1 9 2-4 1 l-3 80-16 k g-5 4-3 3 3-1 7-2 4-c c f-1 1cw-1f z 4 ab-t 2-4 ' +
    'b-17 4-p g 3-1 1s-1g 23-d saa-4 1-9 a-4 2p-q 3-1d 1 3-1 2-4 2 1 o-4 lcw-q v-1 3',
  single:
    '96o-p 1-2g c-5x 1b-2 p-8 e-3 5-2d 6-2 o0-52t 22-g6n hlc-a5 2-2x n48-1 s-4qf 8-ky 7bi-7x 1d-2 t-az cg4 ' +
    '2rj-wye 15-378 b-65 2-4g1 e-5rk 2e7-f1',
} as const
