import type { Permission as PermissionName } from "@switchboard/domain/apiKeys/Permission"
import { Context } from "effect"

/** What an operation asks of a key. Stands on every endpoint that needs one: a test finds those that forgot it. */
export class Permission extends Context.Tag("api/Permission")<Permission, PermissionName>() {}

/** What shows who a caller is: a key in its header, or the cookie of a session. */
export type Credential = "apiKey" | "session"

/** What an operation takes, one of them: a key alone where nothing is said, nothing where anyone may ask. */
export class Credentials extends Context.Tag("api/Credentials")<Credentials, ReadonlyArray<Credential>>() {}

/** Marks an operation that the specification does not show. */
export class Extension extends Context.Tag("api/Extension")<Extension, true>() {}

/** Examples of an operation: of its request, its response, its errors by their tags, and other forms of the response. */
export interface Example {
  readonly request?: unknown
  readonly response?: unknown
  readonly errors?: Readonly<Record<string, unknown>>
  readonly otherContents?: object
}

/** The examples of a group's operations, by operation id. */
export class Examples extends Context.Tag("api/Examples")<Examples, Readonly<Record<string, Example>>>() {}

/** What an operation costs of the request rate, in requests. */
export class RequestCost extends Context.Tag("api/RequestCost")<RequestCost, number>() {}

/** The largest body of an operation, in bytes. */
export class BodyLimit extends Context.Tag("api/BodyLimit")<BodyLimit, number>() {}

/** Whether the JSON of an operation's success value is its encoded form, as tests prove: it is written without its schema. */
export class EncodedAsIs extends Context.Tag("api/EncodedAsIs")<EncodedAsIs, true>() {}

/** Where nothing but an API key is taken, without authentication: 4 KiB. */
export const keyBody = 4 * 1024

/** Where nothing large is taken: 1 MiB. */
export const smallBody = 1024 * 1024

/** Where attachments are taken: 35 MiB. */
export const attachmentBody = 35 * 1024 * 1024

/** Where a CSV file is taken: 16 MiB. */
export const csvBody = 16 * 1024 * 1024
