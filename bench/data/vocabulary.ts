import type { Random } from './random.ts'

const CONSONANTS = 'bdfghjklmnprstvz'
const VOWELS = 'aeiou'
const SYLLABLES = [...CONSONANTS].flatMap((consonant) => [...VOWELS].map((vowel) => consonant + vowel))

const WORDS = 20_000
/** Frequent words are short, as in natural languages. */
const SHORT_WORDS = 2_000

/** Returns the word of a rank; 0 is the most frequent one. Words that follow each other begin differently. */
function wordOf(rank: number): string {
  const isShort = rank < SHORT_WORDS
  const syllables = isShort ? 2 : 3
  // The factors are coprime to 80, so that no word occurs twice.
  let rest = (rank * (isShort ? 2_663 : 271_829)) % SYLLABLES.length ** syllables
  let word = ''
  for (let n = 0; n < syllables; n++) {
    word = (SYLLABLES[rest % SYLLABLES.length] ?? '') + word
    rest = Math.floor(rest / SYLLABLES.length)
  }
  return word
}

/** All words, the most frequent first. */
export const vocabulary: readonly string[] = Array.from({ length: WORDS }, (_, rank) => wordOf(rank))

const LOG_WORDS = Math.log(WORDS + 1)

/** Draws a word by Zipf's law: the frequency of a rank is proportional to its inverse. */
export const drawWord = (random: Random): string =>
  vocabulary[Math.floor(Math.exp(random.next() * LOG_WORDS)) - 1] ?? ''

const between = (random: Random, first: number, last: number): string =>
  vocabulary[first + random.below(last - first + 1)] ?? ''

/** Draws a word that 4 to 17 percent of the documents with eight words contain. */
export const frequentWord = (random: Random): string => between(random, 3, 19)

/** Draws a word that 0.3 to 3 percent of the documents contain. */
export const ordinaryWord = (random: Random): string => between(random, 30, 300)

/** Draws a word that 40 to 80 of a million documents contain. */
export const rareWord = (random: Random): string => between(random, 10_000, WORDS - 1)
