import { SchemaTypes } from "@switchboard/api/typescript/SchemaTypes"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { narrowedTo } from "@switchboard/domain/Fields"
import { Schema } from "effect"
import { assert, describe, it } from "vitest"

const written = (schema: Schema.Schema.All) => {
  const types = new SchemaTypes()
  return { type: types.typeOf(schema.ast, "Owner"), declarations: Object.fromEntries(types.declarations) }
}

describe("The type of a schema", () => {
  it("is the type of its decoded values, without brands", () => {
    for (const [schema, type] of [
      [Schema.String.pipe(Schema.minLength(1), Schema.brand("Id")), "string"],
      [Schema.NumberFromString, "number"],
      [Schema.DateTimeUtc, "DateTime.Utc"],
      [Schema.Literal("a", 1, null), '"a" | 1 | null'],
      [Schema.Array(Schema.NullOr(Schema.Boolean)), "ReadonlyArray<boolean | null>"],
      [Schema.NonEmptyArray(Schema.String), "readonly [string, ...ReadonlyArray<string>]"],
      [Schema.Tuple(Schema.String, Schema.optionalElement(Schema.Number)), "readonly [string, number?]"],
      [Schema.Record({ key: Schema.String, value: Schema.Unknown }), "{\n  readonly [key: string]: unknown\n}"],
      [Schema.String.pipe(Schema.filter(() => true, narrowedTo(Schema.Literal("x", "y")))), '"x" | "y"']
    ] as const) {
      assert.deepStrictEqual(written(schema), { type, declarations: {} })
    }
  })

  it("is a declaration of its own if it has an identifier, with descriptions of it and of its fields", () => {
    interface Tree {
      readonly left?: Tree | undefined
    }
    const Tree: Schema.Schema<Tree> = Schema.Struct({
      left: Schema.optional(Schema.suspend(() => Tree).annotations({ identifier: "Tree" }))
    }).annotations({ identifier: "Tree", description: "a tree, */ escaped" })
    const Leaf = Schema.Struct({ "first-name": Schema.optional(Schema.String.annotations({ description: "a name" })) })
    assert.deepStrictEqual(written(Schema.Array(Tree)), {
      type: "ReadonlyArray<Tree>",
      declarations: {
        Tree: "/** a tree, *\\/ escaped */\nexport interface Tree {\n  /** a tree, *\\/ escaped */\n  readonly left?: Tree | undefined\n}"
      }
    })
    assert.deepStrictEqual(written(Leaf.pipe(Schema.filter(() => true)).annotations({ identifier: "Leaf" })), {
      type: "Leaf",
      declarations: {
        Leaf: 'export interface Leaf {\n  /** a name */\n  readonly "first-name"?: string | undefined\n}'
      }
    })
  })

  it("is the class of an error", () => {
    const types = new SchemaTypes()
    assert.strictEqual(types.typeOf(ResourceNotFoundError.ast, "Owner"), "ResourceNotFoundError")
    assert.deepStrictEqual([...types.errors], ["ResourceNotFoundError"])
  })

  it("is an error for a type of an unknown library, and for two schemas with one name", () => {
    assert.throws(() => written(Schema.DurationFromMillis), "A field of Owner has no TypeScript type")
    const named = (field: string) => Schema.Struct({ [field]: Schema.String }).annotations({ identifier: "Same" })
    assert.throws(() => written(Schema.Tuple(named("a"), named("b"))), "Two schemas are named Same")
  })
})
