import type { Permission as PermissionName } from "@switchboard/domain/apiKeys/Permission"
import { Context } from "effect"

/** What an operation asks of a key. Stands on every endpoint that needs one: a test finds those that forgot it. */
export class Permission extends Context.Tag("api/Permission")<Permission, PermissionName>() {}

/** What shows who a caller is: a key in its header, or the cookie of a session. */
export type Credential = "apiKey" | "session"

/** What an operation takes, one of them: a key alone where nothing is said, nothing where anyone may ask. */
export class Credentials extends Context.Tag("api/Credentials")<Credentials, ReadonlyArray<Credential>>() {}

/** The largest body of an operation, in bytes. */
export class BodyLimit extends Context.Tag("api/BodyLimit")<BodyLimit, number>() {}

/** Where nothing large is taken: 1 MiB. */
export const smallBody = 1024 * 1024

/** Where attachments are taken: 35 MiB. */
export const attachmentBody = 35 * 1024 * 1024
