import { CreateApiKey, RotateApiKey, UpdateApiKey } from "@switchboard/domain/apiKeys/ApiKeyRequests"
import { Either, ParseResult, Schema } from "effect"
import { assert, describe, it } from "vitest"

/** Where a request is wrong: the platform also says of a field that may be left out that it could have been. */
const problem = <A, I>(schema: Schema.Schema<A, I>, given: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema, { errors: "all" })(given), {
    onLeft: (error) => ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.join("."),
    onRight: () => null
  })

describe("A request for a key", () => {
  it.each([
    [{ name: "n", roleName: "sender" }, null],
    [{ name: "n", permissions: { messages: ["read"] }, description: "d", expiresAt: "2030-01-01T00:00:00Z" }, null],
    [{ name: "n" }, "permissions"],
    [{ name: "n", roleName: "sender", permissions: {} }, "roleName"],
    [{ name: "", roleName: "sender" }, "name"],
    [{ name: "n".repeat(201), roleName: "sender" }, "name"],
    [{ name: "n", roleName: "sender", expiresAt: null }, "expiresAt"],
    [{ name: "n", permissions: { mail: ["read"] } }, "permissions.mail"]
  ])("that makes one: %j", (given, wanted) => {
    assert.strictEqual(problem(CreateApiKey, given), wanted)
  })

  it.each([
    [{}, null],
    [{ description: null, expiresAt: null, isActive: false }, null],
    [{ roleName: "sender", permissions: {} }, "roleName"],
    [{ name: null }, "name"]
  ])("that changes one: %j", (given, wanted) => {
    assert.strictEqual(problem(UpdateApiKey, given), wanted)
  })

  it.each([
    [0, null],
    [86_400, null],
    [86_401, "gracePeriodSeconds"],
    [-1, "gracePeriodSeconds"],
    [1.5, "gracePeriodSeconds"]
  ])("that rotates one, with %d seconds of grace", (gracePeriodSeconds, wanted) => {
    assert.strictEqual(problem(RotateApiKey, { gracePeriodSeconds }), wanted)
  })
})
