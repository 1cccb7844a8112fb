import { HttpServerResponse } from "@effect/platform"
import { rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { type AuditedFields, changedFields } from "@switchboard/domain/audit/ChangedFields"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { AuditLog } from "@switchboard/services/audit/AuditLog"
import type { MadeChange } from "@switchboard/services/audit/AuditRepo"
import { Context, Effect, Option, Predicate } from "effect"
import type { AuditRule } from "../Annotations.js"
import { CurrentCaller } from "../Authorization.js"
import { CurrentRequest, RequestInProgress } from "../http/HttpContext.js"
import { isReplay } from "../idempotency/HandleOnce.js"
import { ruleOf } from "../OperationRules.js"

/** The decoded input of an operation. */
interface Input {
  readonly path?: unknown
  readonly payload?: unknown
}

/** Reads a resource, with the values of the parameters in its path, and with the body of the operation that changes it. */
export type ReadResource = (
  ids: ReadonlyArray<string>,
  payload: unknown,
  services: Context.Context<never>
) => Effect.Effect<unknown, unknown>

/** An operation that is declared. */
interface Operation {
  readonly group: string
  readonly name: string
  readonly method: string
  readonly path: string
}

const parameter = /:(\w+)/g

/** A path without the names of its parameters. */
const shapeOf = (path: string) => path.replace(parameter, ":")

/** The names of the parameters of a path, in order. */
export const parametersOf = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(parameter)].map(([, name = ""]) => name)

const fieldsOf = (value: unknown): AuditedFields => (Predicate.isRecord(value) ? value : {})

/** The texts of these fields. None if one is absent. */
const textsOf = (fields: AuditedFields, names: ReadonlyArray<string>): Option.Option<ReadonlyArray<string>> => {
  const texts = names.map((name) => fields[name]).filter(Predicate.isString)
  return texts.length === names.length ? Option.some(texts) : Option.none()
}

const textOf = (fields: AuditedFields, name: string | undefined): string | null => {
  const value = name === undefined ? undefined : fields[name]
  return Predicate.isString(value) ? value : null
}

/** The path and the paths before it that end with a parameter, longest first. The path itself is not a list: it is no POST. */
const pathsBefore = ({ method, path }: Operation): ReadonlyArray<string> => {
  const segments = path.split("/")
  return segments
    .map((_, at) => segments.slice(0, segments.length - at).join("/"))
    .filter((prefix) => (prefix === path && method !== "POST") || /:\w+$/.test(prefix))
}

/** The prefix of the operation ids of the Resend API, which has ids of its own document. */
const prefixOf = (path: string) => (path.startsWith("/resend/") ? "resend." : "")

type Caller = typeof CurrentCaller.Service

/** The caller with the permissions of a viewer: values that only some keys can read are masked. */
const asViewer = (caller: Caller): Caller => ({ ...caller, permissions: rolePermissions.viewer })

/** Records the operations that change something in the audit log. */
export class AuditedOperations extends Effect.Service<AuditedOperations>()("api/AuditedOperations", {
  effect: Effect.gen(function* () {
    const log = yield* AuditLog
    const readers = new Map<string, ReadResource>()

    /** Registers how the resource of a path is read. A GET has precedence over the function of a creation. */
    const addReader = (path: string, read: ReadResource, isGet: boolean): void => {
      if (isGet || !readers.has(shapeOf(path))) readers.set(shapeOf(path), read)
    }

    /** The path of the resource that an operation changes; undefined if there is none that can be read. */
    const resourcePath = (operation: Operation, given: string | undefined): string | undefined =>
      [...(given === undefined ? pathsBefore(operation) : [given])].find((path) => readers.has(shapeOf(path)))

    /**
     * Makes a function that runs the handler of an operation with an entry in the audit log. Null: the operation has no
     * entry. `encode` encodes the result of the handler.
     */
    const audit = (operation: Operation, encode: (result: unknown) => unknown) => {
      const rule = ruleOf(operation)
      if (rule === undefined || rule.audit === null || "unaudited" in rule.audit) return null
      return runAudited(operation, rule.audit, rule.location, encode)
    }

    const runAudited = (
      operation: Operation,
      rule: Exclude<AuditRule, { readonly unaudited: string }>,
      location: string | null,
      encode: (result: unknown) => unknown
    ) => {
      const values = "values" in rule ? rule.values : null
      const resource = ("path" in rule ? rule.path : undefined) ?? location ?? undefined
      const idField = rule.resourceId ?? parametersOf(operation.path)[0]

      /** Reads the resource with these parameters. Fails if the database cannot be reached. */
      const read = (path: string, ids: ReadonlyArray<string>, payload: unknown, services: Context.Context<never>) =>
        (readers.get(shapeOf(path)) ?? (() => Effect.succeed(null)))(ids, payload, services).pipe(
          Effect.map((value) =>
            Predicate.isRecord(value) && !HttpServerResponse.isServerResponse(value) ? value : null
          ),
          Effect.catchAll((error) =>
            error instanceof ServiceUnavailableError ? Effect.fail(error) : Effect.succeed<AuditedFields | null>(null)
          )
        )

      return <E, R>(handled: Effect.Effect<unknown, E, R>, input: Input, services: Context.Context<never>) =>
        Effect.gen(function* () {
          const caller = yield* Option.getOrElse(
            Option.map(Context.getOption(services, CurrentCaller), Effect.succeed),
            () => Effect.dieMessage(`${operation.group}.${operation.name} has no caller`)
          )
          const { payload } = input
          const request = Option.getOrNull(Context.getOption(services, CurrentRequest))
          const known = { ...fieldsOf(payload), ...fieldsOf(input.path) }
          const target = values === "resource" ? resourcePath(operation, resource) : undefined
          const names = parametersOf(target ?? location ?? "")
          const given = location === null ? textsOf(known, names) : Option.none()
          const isCreation = Option.isNone(given)
          // The reading neither changes the response nor has the permissions of the caller.
          const reading = services.pipe(
            Context.add(CurrentCaller, asViewer(caller)),
            Context.add(CurrentRequest, new RequestInProgress())
          )
          const readAt = (at: Option.Option<ReadonlyArray<string>>) =>
            target === undefined || Option.isNone(at) ? Effect.succeed(null) : read(target, at.value, payload, reading)
          const before = yield* readAt(given)
          // A path can have the name of a resource in place of its id.
          const found = textsOf(fieldsOf(before), names)
          const ids = Option.orElse(found, () => given)
          const isFound = idField !== undefined && names.includes(idField) && Option.isSome(found)
          const resourceId = textOf(isFound ? fieldsOf(before) : known, idField)

          const describe = (result: unknown): Effect.Effect<MadeChange | null> => {
            if (request !== null && isReplay(request)) return Effect.succeed(null)
            const response = HttpServerResponse.isServerResponse(result) ? {} : fieldsOf(encode(result))
            const made = isCreation ? textsOf(response, names) : ids
            const id = isCreation ? textOf(response, names[0] ?? "id") : resourceId
            if (values === null) return Effect.succeed({ resourceId: id, changes: null })
            if (values === "response") {
              const responded = textOf(response, rule.resourceId ?? "id")
              return Effect.succeed({ resourceId: responded ?? id, changes: changedFields(null, response) })
            }
            return readAt(made).pipe(
              Effect.map((after) => ({
                resourceId: id,
                changes: before === null && after === null ? null : changedFields(before, after)
              })),
              Effect.catchAllCause((cause) =>
                Effect.as(Effect.logWarning("The values of a change cannot be read", cause), {
                  resourceId: id,
                  changes: null
                })
              )
            )
          }

          const intended = {
            organizationId: caller.organizationId,
            apiKeyId: caller.apiKeyId,
            operation: `${prefixOf(operation.path)}${operation.group}.${operation.name}`,
            resource: operation.group,
            resourceId,
            ipAddress: caller.request.ipAddress,
            userAgent: caller.request.userAgent,
            requestId: request?.requestId ?? null
          }
          return yield* log.audited(intended, handled, describe)
        })
    }

    return { addReader, audit } as const
  })
}) {}
