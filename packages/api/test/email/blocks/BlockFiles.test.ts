import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { call, keys, LiveApi } from "../../LiveApi.js"

const blocks = "/v1/email/blocks"

const bring = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, key = keys.admin) =>
  call("POST", `${blocks}/import`, { body, key, headers: { "Content-Type": "text/csv", ...headers } })

const total = Effect.map(call("GET", blocks), ({ body }): number => body.pagination.total)

/** The block of an address, or the problem of a refused line. */
type Expected =
  | string
  | { readonly value: string; readonly block: Readonly<Record<string, string>>; readonly createdAt?: string }

const found = (value: string, reason: string, createdAt?: string, rest = {}): Expected => ({
  value,
  block: { value, reason, ...rest },
  ...(createdAt === undefined ? {} : { createdAt })
})

/** Files as other services export them, with the block of each line. */
const files: ReadonlyArray<readonly [name: string, lines: ReadonlyArray<string>, expected: ReadonlyArray<Expected>]> = [
  // https://postmarkapp.com/developer/api/suppressions-api#suppression-dump, as CSV.
  [
    "Postmark",
    [
      "EmailAddress,SuppressionReason,Origin,CreatedAt",
      "pm1@example.com,HardBounce,Recipient,2019-12-17T08:58:33-05:00",
      "pm2@example.com,SpamComplaint,Recipient,2019-12-17T08:58:33-05:00",
      "pm3@example.com,ManualSuppression,Recipient,2019-12-17T08:58:33-05:00",
      "PM4@example.com,ManualSuppression,Customer,2019-12-17T08:58:33-05:00",
      "pm5@example.com,NewReason,Admin,soon"
    ],
    [
      found("pm1@example.com", "hard_bounce", "2019-12-17T13:58:33.000Z"),
      found("pm2@example.com", "complaint", "2019-12-17T13:58:33.000Z"),
      found("pm3@example.com", "unsubscribe", "2019-12-17T13:58:33.000Z"),
      found("pm4@example.com", "manual", "2019-12-17T13:58:33.000Z"),
      found("pm5@example.com", "manual")
    ]
  ],
  // https://www.twilio.com/docs/sendgrid/api-reference/bounces-api/retrieve-all-bounces has the fields; blocks have the same.
  [
    "SendGrid with bounces or blocks",
    [
      "status,reason,email,created",
      '5.1.1,"550 5.1.1 The email account that you tried to reach does not exist, sorry",sg1@example.com,1443651125',
      '5.0.0,"550 refused (""no"")",sg2@example.com,1443651125',
      '4.0.0,"unable to get mx info",sg3@example.com,1443651125',
      "5.7.1,550 5.7.1 Blocked by our policy: listed at zen.spamhaus.org,sg4@example.com,1443651125",
      "5.2.2,552 5.2.2 Mailbox full,sg5@example.com,1443651125"
    ],
    [
      found("sg1@example.com", "hard_bounce", "2015-09-30T22:12:05.000Z"),
      found("sg2@example.com", "hard_bounce", "2015-09-30T22:12:05.000Z"),
      '"reason":["is a temporary failure',
      '"reason":["is a refusal of the mail, not of the address: sender_blocked',
      '"reason":["is a refusal of the mail, not of the address: mailbox_full'
    ]
  ],
  // https://www.twilio.com/docs/sendgrid/api-reference/invalid-e-mails-api/retrieve-all-invalid-emails
  [
    "SendGrid with invalid addresses",
    [
      "email,reason,created",
      "sg6@example.com,Mail domain mentioned in email address is unknown,1449953655",
      "sg7,Missing @,1449953655"
    ],
    [found("sg6@example.com", "hard_bounce", "2015-12-12T20:54:15.000Z"), '"email":["must be an email address']
  ],
  // https://www.twilio.com/docs/sendgrid/api-reference/spam-reports-api/retrieve-all-spam-reports
  [
    "SendGrid with spam reports",
    ["email,ip,created", "sg8@example.com,192.0.2.1,1443651141"],
    [found("sg8@example.com", "complaint", "2015-09-30T22:12:21.000Z")]
  ],
  // https://www.twilio.com/docs/sendgrid/api-reference/suppressions-global-suppressions/retrieve-all-global-suppressions
  [
    "SendGrid with unsubscribes",
    ["email,created", "sg9@example.com,1443651141"],
    [found("sg9@example.com", "unsubscribe", "2015-09-30T22:12:21.000Z")]
  ],
  // https://docs.aws.amazon.com/cli/latest/reference/sesv2/list-suppressed-destinations.html
  [
    "Amazon SES",
    [
      "emailAddress,reason,lastUpdateTime",
      "ses1@example.com,BOUNCE,2020-04-10T21:03:05+00:00",
      "ses2@example.com, COMPLAINT,1586552585.077"
    ],
    [
      found("ses1@example.com", "hard_bounce", "2020-04-10T21:03:05.000Z"),
      found("ses2@example.com", "complaint", "2020-04-10T21:03:05.077Z")
    ]
  ],
  // https://github.com/postalserver/postal/blob/main/lib/postal/message_db/migrations/14_create_suppressions.rb
  [
    "Postal",
    [
      "type\taddress\treason\ttimestamp\tkeep_until",
      "recipient\tpostal1@example.com\ttoo many hard fails\t1700000000.250000\t4070908800.000000",
      "recipient\tpostal2@example.com\ttoo many soft fails\t1700000000.250000\t1702592000.250000"
    ],
    [
      found("postal1@example.com", "hard_bounce", "2023-11-14T22:13:20.250Z", {
        expiresAt: "2099-01-01T00:00:00.000Z"
      }),
      '"expiresAt":["must be in the future"]'
    ]
  ],
  // https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/bounces, with the columns of an import.
  [
    "Mailgun with bounces",
    [
      "address,code,error,created_at",
      'mg1@example.com,550,"No such mailbox","Fri, 21 Oct 2011 11:02:55 UTC"',
      "mg2@example.com,550,Message contains spam,"
    ],
    [found("mg1@example.com", "hard_bounce", "2011-10-21T11:02:55.000Z"), '"error":["is a refusal of the mail']
  ],
  [
    "Mailgun with unsubscribes",
    ["address,tags,created_at", 'mg3@example.com,*,"Fri, 21 Oct 2011 11:02:55 GMT"', "mg4@example.com,news,"],
    [
      found("mg3@example.com", "unsubscribe", "2011-10-21T11:02:55.000Z"),
      found("mg4@example.com", "unsubscribe", undefined, { scope: "category", category: "news" })
    ]
  ],
  [
    "Mailgun with complaints",
    ["address,created_at", "mg5@example.com,2011-10-21 11:02:55"],
    [found("mg5@example.com", "complaint", "2011-10-21T11:02:55.000Z")]
  ],
  // https://resend.com/docs/api-reference/suppressions/list-suppressions
  [
    "Resend",
    [
      "id,email,origin,source_id,created_at",
      "e169aa45-1ecf-4183-9955-b1499d5701d3,rs1@example.com,manual,,2026-10-06T23:47:56.678Z",
      "520784e2-887d-4c25-b53c-4ad46ad38100,rs2@example.com,bounce,4ef9a417-02e9-4d39-ad75-9611e0fcc33c,2026-10-07T08:12:03.412Z"
    ],
    [
      found("rs1@example.com", "manual", "2026-10-06T23:47:56.678Z"),
      found("rs2@example.com", "hard_bounce", "2026-10-07T08:12:03.412Z")
    ]
  ]
]

layer(LiveApi.layer, { excludeTestServices: true })("An import of blocks", (it) => {
  it.effect("validates each line separately, and reports invalid lines", () =>
    Effect.gen(function* () {
      const { body, status } = yield* bring(
        [
          "\ufeffcategory,email,domain,reason,expiresAt",
          ",import1@example.com,,,",
          'offers,"import1@example.com",,unsubscribe,2099-01-01T00:00:00Z',
          "",
          ",IMPORT1@example.com,,complaint,",
          '"a ""b"", c",,import.example.net,,',
          ",ada,,spite,",
          ",import2@example.com,import.example.net,,",
          ",import2@example.com,,,1969-01-01T00:00:00Z",
          ',im"port@example.com,,,',
          ",import2@example.com,,,,x",
          ",'=import3@example.com"
        ].join("\r\n")
      )
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        added: 4,
        existing: 1,
        refused: 5,
        refusedLines: [
          {
            line: 7,
            fields: {
              email: ["must be an email address like ada@example.com"],
              reason: ["must be one of hard_bounce, complaint, unsubscribe, manual"]
            }
          },
          { line: 8, fields: { domain: ["must be left out where email is given"] } },
          { line: 9, fields: { expiresAt: ["must be in the future"] } },
          { line: 10, fields: { email: ["must be an email address like ada@example.com"] } },
          { line: 11, fields: { line: ["must have at most 5 cells"] } }
        ]
      })
      const check = (email: string, category: string) =>
        Effect.map(
          call("GET", `${blocks}/check?${new URLSearchParams({ email, category })}`),
          ({ body: found }): boolean => found.blocked
        )
      assert.isTrue(yield* check("any@import.example.net", 'a "b", c'))
      assert.isTrue(yield* check("=import3@example.com", "x"))
    })
  )

  it.effect("stores nothing of a rejected file", () =>
    Effect.gen(function* () {
      const before = yield* total
      const good = "email\nwhole1@example.com\n"
      for (const [body, status, problem] of [
        ["", 422, { header: ["must name email or domain"] }],
        ["reason\nmanual\n", 422, { header: ["must name email or domain"] }],
        ["email,Email\na@example.com,\n", 422, { header: ["must not name a column twice"] }],
        [
          `email\n${Array.makeBy(100_001, (index) => `many${index}@example.com`).join("\n")}`,
          422,
          { lines: ["must be at most 100000"] }
        ],
        [`${good}"open@example.com\nx@example.com\n`, 400, "line 4"],
        [`${good}${"x".repeat(5_000)}\n`, 400, "4096 bytes"]
      ] as const) {
        const refused = yield* bring(body)
        assert.strictEqual(refused.status, status, refused.text)
        if (typeof problem === "string") assert.include(refused.body.message, problem)
        else assert.deepStrictEqual(refused.body.fields, problem)
      }
      for (const columns of ["a@example.com", "email,address", "email,reason,note", "EmailAddress,CreatedAt"]) {
        const { body, status } = yield* bring(`${columns}\na@example.com\n`)
        assert.strictEqual(status, 422)
        const [problem] = body.fields.header
        assert.include(problem, `not ${columns.replaceAll(",", ", ")}. Known are email or domain, with any of reason,`)
        assert.include(problem, "Amazon SES: EmailAddress, Reason, LastUpdateTime")
      }
      assert.strictEqual((yield* bring(Buffer.from("email\n\xe4@example.com\n", "latin1"))).status, 400)
      assert.strictEqual((yield* bring(good, { "Content-Type": "application/json" })).status, 400)
      assert.strictEqual((yield* bring(good, { "Content-Type": "text/csv; charset=latin1" })).status, 400)
      const large = yield* bring(`email\n${"\n".repeat(16 * 1024 * 1024)}`)
      assert.deepInclude(large.body, { _tag: "PayloadTooLargeError", limitBytes: 16 * 1024 * 1024 })
      assert.strictEqual(yield* total, before)
    })
  )

  for (const [name, lines, expected] of files) {
    it.effect(`reads a file of ${name}`, () =>
      Effect.gen(function* () {
        const began = new Date().toISOString()
        const { body, text } = yield* bring(lines.join("\r\n"))
        const refused = expected.flatMap((one, index) => (typeof one === "string" ? [{ index, problem: one }] : []))
        assert.strictEqual(body.added, expected.length - refused.length, text)
        for (const { index, problem } of refused) {
          const found = body.refusedLines.find(({ line }: { readonly line: number }) => line === index + 2)
          assert.include(JSON.stringify(found), problem)
        }
        for (const one of expected) {
          if (typeof one === "string") continue
          const found = yield* call("GET", `${blocks}/check?${new URLSearchParams({ email: one.value })}`)
          const { createdAt, ...block } = found.body.block
          assert.deepInclude(block, { scope: "all", ...one.block })
          if (one.createdAt === undefined) assert.isTrue(createdAt >= began)
          else assert.strictEqual(createdAt, one.createdAt)
        }
      })
    )
  }

  it.effect("reads the separators and charsets of spreadsheets", () =>
    Effect.gen(function* () {
      const lines = (name: string, separator: string) =>
        `Email${separator}Reason\r\n${name}@example.com${separator}complaint\r\n"${name}2@example.com"${separator}"unsubscribe"\r\n`
      const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")
      for (const body of [
        lines("semicolon", ";"),
        lines("tab", "\t"),
        utf16(lines("wide", "\t")),
        utf16(lines("swapped", ",")).swap16()
      ]) {
        const { body: result, text } = yield* bring(body)
        assert.deepInclude(result, { added: 2, refused: 0 }, text)
      }
      const padded = " Email ;Reason;;\r\n padded@example.com ; complaint ;;\r\n\r\nfull@example.com;manual;x;\r\n"
      const { body: result } = yield* bring(padded)
      assert.deepInclude(result, {
        added: 1,
        refusedLines: [{ line: 4, fields: { line: ["must have at most 2 cells"] } }]
      })
      const { body } = yield* call("GET", `${blocks}/check?email=wide%40example.com`)
      assert.strictEqual(body.block.reason, "complaint")
      assert.strictEqual((yield* bring(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x0a, 0x00]))).status, 400)
    })
  )
})
