import { Filters } from "@switchboard/api/JsonParameter"
import { Either, ParseResult, Schema } from "effect"
import { assert, describe, it } from "vitest"

const filters = Filters(
  Schema.Struct({ isActive: Schema.optional(Schema.Boolean), search: Schema.optional(Schema.String) }),
  { isActive: true }
)
const decode = Schema.decodeUnknownEither(Schema.Struct({ filters }))

describe("The filters of a list", () => {
  it.each([
    ["{}", {}],
    ['{"isActive":true}', { isActive: true }],
    ['{"isActive":false,"search":"a%"}', { isActive: false, search: "a%" }]
  ])("accept %s", (text, wanted) => {
    assert.deepStrictEqual(decode({ filters: text }), Either.right({ filters: wanted }))
    assert.strictEqual(Schema.encodeSync(filters)(wanted), text)
  })

  it.each([
    ["", ["filters must be a JSON object"]],
    ["{", ["filters must be a JSON object"]],
    ["null", ["filters must be a JSON object"]],
    ["[]", ["filters must be a JSON object"]],
    ["true", ["filters must be a JSON object"]],
    ['{"isActive":"true"}', ["filters.isActive must be true or false"]],
    ['{"search":5}', ["filters.search must be text"]],
    ['{"colour":"red"}', ["filters.colour is not a known field"]],
    ['{"__proto__":"red"}', ["filters.__proto__ is not a known field"]],
    ['{"constructor":"red"}', ["filters.constructor is not a known field"]],
    ['{"search":"a\\u0000"}', ["filters.search must not contain NUL or lone surrogates"]],
    ['{"search":5,"colour":"red"}', ["filters.colour is not a known field", "filters.search must be text"]]
  ])("reject %j", (text, problems) => {
    const issues = Either.match(decode({ filters: text }), {
      onLeft: ParseResult.ArrayFormatter.formatErrorSync,
      onRight: () => []
    })
    assert.deepStrictEqual(
      issues.map(({ message, path }) => `${path.join(".")} ${message}`),
      problems
    )
  })
})
