import {
  covers,
  GrantablePermissions,
  type Permission,
  type Permissions,
  permits,
  RoleName,
  resourceActions,
  rolePermissions,
  uncovered
} from "@switchboard/domain/apiKeys/Permission"
import { Either, FastCheck, ParseResult, Schema } from "effect"
import { assert, describe, it } from "vitest"

const resources = Object.keys(resourceActions)
const every = Object.entries(resourceActions).flatMap(([resource, actions]) =>
  actions.map((action) => `${resource}.${action}` as Permission)
)

/** Any map that a key can have, stars and all. */
const granted: FastCheck.Arbitrary<Permissions> = FastCheck.dictionary(
  FastCheck.constantFrom("*", ...resources),
  FastCheck.subarray(["*", "read", "write", "send", "delete"])
)

const cases = { numRuns: 1_000 }

describe("What a key may grant", () => {
  it("is never more than what it may do itself, and all of that", () => {
    FastCheck.assert(
      FastCheck.property(granted, granted, (granter, wanted) => {
        if (covers(granter, wanted)) {
          for (const permission of every) {
            if (permits(wanted, permission)) assert.isTrue(permits(granter, permission), permission)
          }
        }
      }),
      cases
    )
    FastCheck.assert(FastCheck.property(granted, (own) => covers(own, own)))
    FastCheck.assert(FastCheck.property(granted, (own) => covers(rolePermissions.admin, own)))
  })

  it("is all that it was granted, by part and over several hands", () => {
    FastCheck.assert(
      FastCheck.property(granted, granted, granted, (first, second, third) =>
        covers(first, second) && covers(second, third) ? covers(first, third) : true
      ),
      cases
    )
    FastCheck.assert(
      FastCheck.property(granted, FastCheck.constantFrom(...every), (own, permission) => {
        const [resource = "", action = ""] = permission.split(".")
        assert.strictEqual(covers(own, { [resource]: [action] }), permits(own, permission))
      }),
      cases
    )
  })

  it("names everything that goes beyond it, and nothing else", () => {
    FastCheck.assert(
      FastCheck.property(granted, granted, (granter, wanted) => {
        assert.strictEqual(uncovered(granter, wanted).length === 0, covers(granter, wanted))
      })
    )
    assert.deepStrictEqual(uncovered({ messages: ["read"] }, { messages: ["read", "send"], "*": ["read"] }), [
      "messages.send",
      "*.read"
    ])
  })

  it.each<[string, Permissions, Permissions, boolean]>([
    ["a star of one resource covers its actions", { messages: ["*"] }, { messages: ["send", "delete"] }, true],
    ["and its own star", { messages: ["*"] }, { messages: ["*"] }, true],
    ["all of today's actions are no star", { messages: ["read", "send", "delete"] }, { messages: ["*"] }, false],
    ["an action on every resource covers it on one", { "*": ["read"] }, rolePermissions.viewer, true],
    ["reading every resource of today is not reading all", rolePermissions.viewer, { "*": ["read"] }, false],
    ["a star of one resource is not one of another", { messages: ["*"] }, { email: ["read"] }, false],
    [
      "actions of the star and of the resource add up",
      { "*": ["read"], email: ["write"] },
      { email: ["read", "write"] },
      true
    ],
    ["what is inherited is not granted", {}, { constructor: ["read"] }, false],
    ["nothing needs nothing", {}, {}, true]
  ])("%s", (_, granter, wanted, expected) => {
    assert.strictEqual(covers(granter, wanted), expected)
  })

  it("lets a viewer make viewers, and no sender or admin", () => {
    assert.deepStrictEqual(
      RoleName.literals.filter((role) => covers(rolePermissions.viewer, rolePermissions[role])),
      ["viewer"]
    )
    assert.deepStrictEqual(
      RoleName.literals.filter((role) => covers(rolePermissions.sender, rolePermissions[role])),
      ["sender"]
    )
  })
})

const problems = (permissions: unknown) =>
  Either.match(ParseResult.decodeUnknownEither(GrantablePermissions, { errors: "all" })(permissions), {
    onLeft: (issue) =>
      ParseResult.ArrayFormatter.formatIssueSync(issue).map(({ message, path }) => `${path.join(".")} ${message}`),
    onRight: () => []
  })

describe("The permissions of a request", () => {
  it("are any that there are", () => {
    for (const permissions of [...Object.values(rolePermissions), { messages: ["*"] }, { "*": ["read"] }, {}]) {
      assert.isEmpty(problems(permissions))
    }
    for (const permission of every) {
      const [resource = "", action = ""] = permission.split(".")
      assert.isEmpty(problems({ [resource]: [action] }))
    }
    assert.isTrue(Schema.is(GrantablePermissions)({ "*": ["*"] }))
  })

  it("name resources and actions that exist, each once", () => {
    assert.deepStrictEqual(
      problems({ messages: ["read", "write"], mesages: ["read"], analytics: ["read", "read"], "*": ["fly"] }),
      [
        "messages has no action write: only read, send, delete or *",
        `mesages is not a resource: only ${resources.join(", ")} or *`,
        "analytics must name each action once",
        "* has no action fly: only read, send, delete, write or *"
      ]
    )
    assert.deepStrictEqual(problems({ constructor: ["read"] }), [
      `constructor is not a resource: only ${resources.join(", ")} or *`
    ])
  })
})
