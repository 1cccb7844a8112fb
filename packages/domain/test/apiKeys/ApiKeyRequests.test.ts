import { CreateApiKey, RotateApiKey, UpdateApiKey } from "@switchboard/domain/apiKeys/ApiKey"
import { Either, ParseResult, Schema } from "effect"
import { assert, describe, it } from "vitest"

/** The path of the first invalid field, or null. */
const invalidField = <A, I>(schema: Schema.Schema<A, I>, given: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema, { errors: "all" })(given), {
    onLeft: (error) => ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.join("."),
    onRight: () => null
  })

describe("An API key request", () => {
  it.each([
    [{ name: "n", roleName: "sender" }, null],
    [{ name: "n", permissions: { messages: ["read"] }, description: "d", expiresAt: "2030-01-01T00:00:00Z" }, null],
    [{ name: "n" }, "permissions"],
    [{ name: "n", roleName: "sender", permissions: {} }, "roleName"],
    [{ name: "", roleName: "sender" }, "name"],
    [{ name: "n".repeat(201), roleName: "sender" }, "name"],
    [{ name: "n", roleName: "sender", expiresAt: null }, "expiresAt"],
    [{ name: "n", permissions: { mail: ["read"] } }, "permissions.mail"]
  ])("is validated when a key is created: %j", (given, expected) => {
    assert.strictEqual(invalidField(CreateApiKey, given), expected)
  })

  it.each([
    [{}, null],
    [{ description: null, expiresAt: null, isActive: false }, null],
    [{ roleName: "sender", permissions: {} }, "roleName"],
    [{ name: null }, "name"]
  ])("is validated when a key is updated: %j", (given, expected) => {
    assert.strictEqual(invalidField(UpdateApiKey, given), expected)
  })

  it.each([
    [0, null],
    [86_400, null],
    [86_401, "gracePeriodSeconds"],
    [-1, "gracePeriodSeconds"],
    [1.5, "gracePeriodSeconds"]
  ])("is validated when a key is rotated with a grace period of %d seconds", (gracePeriodSeconds, expected) => {
    assert.strictEqual(invalidField(RotateApiKey, { gracePeriodSeconds }), expected)
  })
})
