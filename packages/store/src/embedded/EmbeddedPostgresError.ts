import { Data } from "effect"

/** The embedded database can't be used; the message has the remedy. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{ readonly message: string }> {}
