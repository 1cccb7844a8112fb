import { Data, Either, Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"

class TestError extends Data.TaggedError("TestError")<{ readonly id: number; readonly of: Option.Option<number> }> {}

const unequal: ReadonlyArray<readonly [string, unknown, unknown]> = [
  ["a value and none", Option.some(1), Option.none()],
  ["none and a value", Option.none(), Option.some(1)],
  ["two values", Option.some({ a: 1 }), Option.some({ a: 2 })],
  ["a value and its content", Option.some(1), 1],
  ["none and undefined", Option.none(), undefined],
  ["nested options", Option.some(Option.some(1)), Option.some(Option.none())],
  ["two secrets", Redacted.make("one"), Redacted.make("other")],
  ["a secret and its text", Redacted.make("one"), "one"],
  [
    "errors with different fields",
    new TestError({ id: 1, of: Option.none() }),
    new TestError({ id: 2, of: Option.none() })
  ],
  [
    "errors with different options",
    new TestError({ id: 1, of: Option.none() }),
    new TestError({ id: 1, of: Option.some(1) })
  ],
  ["errors with different messages", new Error("one"), new Error("other")],
  ["a failure and a success", Either.left(1), Either.right(1)]
]

const equal: ReadonlyArray<readonly [string, unknown, unknown]> = [
  ["none", Option.none(), Option.none()],
  ["values", Option.some({ a: [1] }), Option.some({ a: [1] })],
  ["secrets", Redacted.make("one"), Redacted.make("one")],
  ["errors", new TestError({ id: 1, of: Option.some(1) }), new TestError({ id: 1, of: Option.some(1) })]
]

describe("assertions on Effect's data types", () => {
  it.each(unequal)("distinguish %s, at any depth", (_, one, other) => {
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

  it.each(equal)("treat %s with the same content as equal, at any depth", (_, one, other) => {
    assert.deepStrictEqual([{ value: one }], [{ value: other }])
    assert.deepInclude({ value: one, rest: 1 }, { value: other })
  })
})
