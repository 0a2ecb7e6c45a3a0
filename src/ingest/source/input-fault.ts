/** The input cannot be read; the message is a sentence for the user. */
export class InputFault extends Error {}
