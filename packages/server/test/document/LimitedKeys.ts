import { resourceActions } from "@switchboard/domain/apiKeys/Permission"
import { Effect, Schema } from "effect"
import { MissingFixture } from "./Fixtures.js"
import type { Installation } from "./Installation.js"

type Permissions = Readonly<Record<string, ReadonlyArray<string>>>

/** Creates API keys of the owner with few permissions. */
export const makeLimitedKeys = Effect.fnUntraced(function* ({
  operations,
  owner,
  send,
  systemKey
}: Installation["Type"]) {
  const keyWith = (grants: { readonly permissions: Permissions } | { readonly roleName: string }) =>
    Effect.flatMap(
      send("POST", "/v1/api-keys", { headers: { "X-API-Key": owner.key }, body: { name: "Limited", ...grants } }),
      ({ body, text }) =>
        Effect.mapBoth(Schema.decodeUnknown(Schema.Struct({ key: Schema.String }))(body), {
          onFailure: () => new MissingFixture({ message: `No key was created: ${text}` }),
          onSuccess: ({ key }) => key
        })
    )
  const all = Object.entries<ReadonlyArray<string>>(resourceActions)
  const split = (permission: string) => permission.split(".")
  const allBut = ([resource, action]: ReadonlyArray<string>): Permissions =>
    Object.fromEntries(
      all.map(([name, actions]) => [name, actions.filter((one) => name !== resource || one !== action)])
    )
  const named = new Set(operations.flatMap(({ permission }) => permission ?? []))
  const pairs = yield* Effect.forEach(
    named,
    (permission) =>
      Effect.map(
        Effect.all([
          permission === "system.read"
            ? Effect.succeed(systemKey)
            : keyWith({ permissions: { [split(permission)[0] ?? ""]: [split(permission)[1] ?? ""] } }),
          keyWith({ permissions: allBut(split(permission)) })
        ]),
        ([only, allButIt]) => [permission, { only, allBut: allButIt }] as const
      ),
    { concurrency: 4 }
  )
  return {
    none: yield* keyWith({ permissions: {} }),
    viewer: yield* keyWith({ roleName: "viewer" }),
    by: new Map(pairs)
  }
})

/** The keys with few permissions; `by` has two for each permission. */
export type LimitedKeys = Effect.Effect.Success<ReturnType<typeof makeLimitedKeys>>
