import type { Permission as PermissionName } from "@switchboard/domain/apiKeys/Permission"
import { Context } from "effect"

/** The permission that an operation requires. A test finds endpoints that take a key and lack it. */
export class Permission extends Context.Tag("api/Permission")<Permission, PermissionName>() {}

/** Credentials of a caller: an API key in a header, or a session cookie. */
export type Credential = "apiKey" | "session"

/** The credentials that an operation accepts. Default: both, as `Authorization` does. An empty list: the operation is public. */
export class Credentials extends Context.Tag("api/Credentials")<Credentials, ReadonlyArray<Credential>>() {}

/** Marks an operation as an extension of the specification. */
export class Extension extends Context.Tag("api/Extension")<Extension, true>() {}

/** The number of requests that an operation counts as in the rate limit. Default: 1. */
export class RequestCost extends Context.Tag("api/RequestCost")<RequestCost, number>() {}

/** The limit of the body of an operation, in bytes. Default: `smallBody`. */
export class BodyLimit extends Context.Tag("api/BodyLimit")<BodyLimit, number>() {}

/**
 * Marks an operation with a success value that equals its encoded form: the value is written without its schema. Tests
 * verify it.
 */
export class EncodedAsIs extends Context.Tag("api/EncodedAsIs")<EncodedAsIs, true>() {}

/**
 * The path of the resource that an operation creates: `/v1/messages/:id`. A parameter is a field of the response.
 * Default: the resource has no path.
 */
export class Location extends Context.Tag("api/Location")<Location, `/v1/${string}`>() {}

/** Limit of a body with an API key, before authentication: 4 KiB. */
export const keyBody = 4 * 1024

/** Limit of a callback of a provider: 64 KiB. */
export const callbackBody = 64 * 1024

/** The default limit of a body: 1 MiB. */
export const smallBody = 1024 * 1024

/** Limit of a body with attachments: 35 MiB. */
export const attachmentBody = 35 * 1024 * 1024

/** Limit of a CSV file: 16 MiB. */
export const csvBody = 16 * 1024 * 1024

/** How the audit log records an operation that can change something. */
export type AuditRule =
  /** It has no entry, for this reason. */
  | { readonly unaudited: string }
  /** Its entry has no values, for this reason. */
  | { readonly withoutValues: string; readonly resourceId?: string }
  | {
      /**
       * `resource`: what a GET of the resource responds with, before and after; `response`: the response, which must not
       * have secrets.
       */
      readonly values: "resource" | "response"
      /**
       * The path of the resource. Its parameters are those of the operation's path, or fields of its body or of its
       * response. Default: `Location`, or else the nearest path before that of the operation.
       */
      readonly path?: `/v1/${string}`
      /**
       * The field of the body with the id of the resource. Default: the first parameter of the path. The resource or the
       * response has precedence, if it has this field (`id` for `response`).
       */
      readonly resourceId?: string
    }

/**
 * The entry of an operation in the audit log. Default: `values: "resource"`. Read-only and public operations have none. A
 * test lists the rules of all operations.
 */
export class Audit extends Context.Tag("api/Audit")<Audit, AuditRule>() {}

/** Reasons of rules for the audit log. */
export const auditReasons = {
  send: "The message has a record of its own, with its key.",
  sandbox: "It simulates a recipient.",
  check: "It changes nothing.",
  unconfirmed: "It has no effect before its confirmation.",
  content: "Deleted or erased content must not stay in the log.",
  session: "Its handler records it: the request has no key.",
  history: "The message has a history of its own."
}
