import { Data, Either, Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"

class Refused extends Data.TaggedError("Refused")<{ readonly id: number; readonly of: Option.Option<number> }> {}

const unlike: ReadonlyArray<readonly [string, unknown, unknown]> = [
  ["a value and none", Option.some(1), Option.none()],
  ["none and a value", Option.none(), Option.some(1)],
  ["two values", Option.some({ a: 1 }), Option.some({ a: 2 })],
  ["a value and what it holds", Option.some(1), 1],
  ["none and nothing", Option.none(), undefined],
  ["options inside of options", Option.some(Option.some(1)), Option.some(Option.none())],
  ["two secrets", Redacted.make("one"), Redacted.make("other")],
  ["a secret and its text", Redacted.make("one"), "one"],
  ["errors with other fields", new Refused({ id: 1, of: Option.none() }), new Refused({ id: 2, of: Option.none() })],
  ["errors of other options", new Refused({ id: 1, of: Option.none() }), new Refused({ id: 1, of: Option.some(1) })],
  ["errors with other words", new Error("one"), new Error("other")],
  ["what failed and what went well", Either.left(1), Either.right(1)]
]

const alike: ReadonlyArray<readonly [string, unknown, unknown]> = [
  ["none", Option.none(), Option.none()],
  ["values", Option.some({ a: [1] }), Option.some({ a: [1] })],
  ["secrets", Redacted.make("one"), Redacted.make("one")],
  ["errors", new Refused({ id: 1, of: Option.some(1) }), new Refused({ id: 1, of: Option.some(1) })]
]

describe("assertions", () => {
  it.each(unlike)("tell %s apart, however deep they are", (_, one, other) => {
    assert.notDeepEqual(one, other)
    for (const within of [
      (value: unknown) => value,
      (value: unknown) => [{ value }],
      (value: unknown) => new Map([[1, value]])
    ])
      assert.throws(() => assert.deepStrictEqual(within(one), within(other)))
    assert.throws(() => assert.deepInclude({ value: one, rest: 1 }, { value: other }))
    assert.throws(() => assert.sameDeepMembers([one], [other]))
  })

  it.each(alike)("take %s for the same that are, however deep", (_, one, other) => {
    assert.deepStrictEqual([{ value: one }], [{ value: other }])
    assert.deepInclude({ value: one, rest: 1 }, { value: other })
  })
})
