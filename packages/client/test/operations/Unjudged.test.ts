import { assert, describe, it } from "@effect/vitest"
import { Api } from "@switchboard/api"
import { examples } from "@switchboard/api/openapi/Examples"
import { Effect, Option, type Record, Schema } from "effect"
import { UnjudgedApi } from "../../src/operations/Unjudged.js"

interface WithPayload {
  readonly name: string
  readonly payloadSchema: Option.Option<Schema.Schema.All>
}

const payloadsOf = ({
  groups
}: {
  readonly groups: Record.ReadonlyRecord<
    string,
    { readonly endpoints: Record.ReadonlyRecord<string, WithPayload>; readonly identifier: string }
  >
}) =>
  Object.values(groups).flatMap(({ endpoints, identifier }) =>
    Object.values(endpoints).flatMap(({ name, payloadSchema }) =>
      Option.isNone(payloadSchema)
        ? []
        : [{ name: `${identifier}.${name}`, schema: Schema.make<unknown, unknown, never>(payloadSchema.value.ast) }]
    )
  )

describe("A request that only the service judges", () => {
  it.effect("is written as the declaration writes it", () =>
    Effect.sync(() => {
      const unjudged = new Map(payloadsOf(UnjudgedApi).map(({ name, schema }) => [name, schema]))
      const written = payloadsOf(Api).map(({ name, schema }) => {
        const example = examples[name]?.request
        const request = Schema.decodeUnknownSync(schema)(example)
        const ours = unjudged.get(name)
        assert(ours !== undefined)
        assert.deepStrictEqual(Schema.encodeSync(ours)(request), Schema.encodeSync(schema)(request), name)
        return name
      })
      assert.isAbove(written.length, 40)
    })
  )
})
