/** Member of a heap. It stores its index, so that it is found without a search. */
interface Placed {
  /** Index in the heap, -1 if it is in none. */
  place: number
}

/** Binary heap whose members can be moved and removed in logarithmic time. */
export class PlaceHeap<T extends Placed> {
  readonly #members: T[] = []
  readonly #isBefore: (a: T, b: T) => boolean

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#members.length
  }

  get first(): T | undefined {
    return this.#members[0]
  }

  /** Adds a member, or moves it after its order has changed. */
  put(member: T): void {
    if (member.place < 0) {
      member.place = this.#members.length
      this.#members.push(member)
    }
    this.#rise(member)
    this.#sink(member)
  }

  remove(member: T): void {
    const { place } = member
    const last = this.#members.pop()
    member.place = -1
    if (last === undefined || last === member) return
    this.#set(last, place)
    this.#rise(last)
    this.#sink(last)
  }

  #rise(member: T): void {
    for (;;) {
      const { place } = member
      const parent = place === 0 ? undefined : this.#members[(place - 1) >> 1]
      if (parent === undefined || !this.#isBefore(member, parent)) return
      this.#swap(member, parent)
    }
  }

  #sink(member: T): void {
    for (;;) {
      const left = this.#members[2 * member.place + 1]
      const right = this.#members[2 * member.place + 2]
      const child = left !== undefined && right !== undefined && this.#isBefore(right, left) ? right : left
      if (child === undefined || !this.#isBefore(child, member)) return
      this.#swap(member, child)
    }
  }

  #swap(a: T, b: T): void {
    const { place } = a
    this.#set(a, b.place)
    this.#set(b, place)
  }

  #set(member: T, place: number): void {
    member.place = place
    this.#members[place] = member
  }
}
