/** Where reading goes on in a file, and how to recognise the file. */
export interface FilePlace {
  readonly inode: number
  readonly offset: number
  /** Hash of the first bytes, and their number. */
  readonly head: string
  readonly headBytes: number
}

/** Where reading goes on at a URL, and what is before it (base64), to recognise the file. */
export interface UrlPlace {
  readonly offset: number
  readonly before: string
}

/** Consumer group whose committed offsets tell where reading goes on in a topic. */
export interface TopicPlace {
  readonly group: string
}

export type InputPlace = FilePlace | UrlPlace | TopicPlace
