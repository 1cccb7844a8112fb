import type { Brand, DateTime } from "effect"

/** What is taken as it is: a time is no record of its parts, nor are octets, nor what a service can't look into. */
type Whole = DateTime.DateTime | Uint8Array | FormData

/**
 * A value as a caller gives it. Answers say of which resource an id is, and which texts are addresses; a request may
 * name each as plain text, and the service judges it.
 */
export type Given<T> = unknown extends T
  ? T
  : T extends Whole
    ? T
    : T extends Brand.Brand<string | symbol>
      ? Brand.Brand.Unbranded<T>
      : { readonly [Key in keyof T]: Given<T[Key]> }
