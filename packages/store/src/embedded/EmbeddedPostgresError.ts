import { Data } from "effect"

/** The embedded database can't be used; the message says what to do. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{ readonly message: string }> {}
