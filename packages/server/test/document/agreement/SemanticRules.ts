/**
 * The rules of the service that JSON Schema cannot express, by the reason of the refusal: the tag of the error, and its
 * message or the name and sentence of a field. A request that matches the document and is refused breaks one of them.
 */
const rules: Readonly<Record<string, RegExp>> = {
  "an existing resource": /^ResourceNotFoundError: /,
  "a state that permits the operation": /^ConflictError: /,
  "a known API key": /^UnauthorizedError: /,
  "a session of a user": /^ForbiddenError: The session is that of an API key/,
  "the size of the request": /^PayloadTooLargeError: /,
  "the size of a template": /html must be at most 256 KiB together with subject, text and fallbacks$/,
  "text that the database stores": /must not (?:contain|have) NUL or lone surrogates|__proto__ is not a known field$/,
  "a number that JSON keeps": /must be a number that JSON does not change/,
  "a text of at most ten segments": /sms\.text must (?:be at most 10 segments|not be empty)/,
  "at most 50 different recipients": /to must be at most 50 recipients over to, cc and bcc$/,
  "marketing or transactional": /must not have both marketing and transactional$/,
  "base64 in groups of four": /content must be base64$/,
  "a header of the service": /headers\..* is set by the service(?: itself| for the category marketing)?$/,
  "a media type with different parameters": /contentType must not have a parameter twice$/,
  "the grammar of a header":
    /headers\..* must be (?:a keyword like auto-generated|the id of a list like .*|Message-IDs like .*|URLs like .*|List-Unsubscribe=One-Click|given once)$/,
  "a header that can be folded": /must not have more than 900 characters without a space$/,
  "a verified sender": /from must be a verified sender of the organization, or at one of its verified domains$/,
  "the direction of text":
    /must be a name without a path or control characters$|characters that turn the direction of text$/,
  "a domain of the organization": /must be at a domain of the organization: add \S+ first$/,
  "a host for links": /trackingDomain must not (?:have other records|be set|be the host of PUBLIC_URL)/,
  "a contact with an address of the channel": /contactId is a contact without /,
  "an internationalized domain": /must be (?:an email address like|a domain like|an email address, or \*@)/,
  "an address of the domain": /must be an address at .*, or the part before its @$/s,
  "a recipient of the mail": /must be a recipient of the mail: /,
  "a schedule": /scheduledAt must be (?:in the future|at most 90d ahead)$/,
  "an expiry in the future": /expiresAt must be in the future$/,
  "the id of the path": /: (?:id|webhookId) must be the same as in the path$/,
  "JSON in a text": /(?:metadata|context) must (?:be JSON|have at most \d+ bytes)/,
  "a resolved conversation": /resolution\w+ must be left out unless the conversation is resolved$/,
  "a primary channel among the channels": /primaryChannel must be one of the channels$/,
  "distinct names and ids": /must not be named twice$/,
  "a syntax of templates":
    /(?:subject|html|text) (?:has a (?:tag|section|partial)|closes |changes the delimiters|has ".*", which Mustache takes)|data renders an empty subject/,
  "a variable of the template": /is not used by the template$|templateData\S* is required/,
  "a known currency": /defaultCurrency must be an ISO 4217 currency code like EUR$/,
  "a known time zone": /timezone must be an IANA time zone like Europe\/Berlin$/,
  "a valid phone number":
    /must be a phone number with its country code|is not a number that can be called$|that a country can have$/,
  "a number of the organization":
    /(?:to must be a number of the organization with the channel voice|: number must be a number of the organization for sms|sms\.from must be a number of the organization: add it with .*)$/,
  "a permitted destination":
    /only public addresses and those of NETWORK_ALLOW may be called$|must be (?:called over )?https/,
  "a time with stored deliveries": /since must be in the last 30 days$/,
  "a page that is read in time": /The page is too far from the start of the list/,
  "the cursor of a list": /The parameter after must be the `after` of a Link header of the same list$/,
  "a range of dates":
    /endDate must not be before startDate|startDate must not be in the future|must be at most 366 days apart/,
  "known event types": /The parameter types must be event types/,
  "a valid graph":
    /: nodes (?:must have a trigger|must be at most \d+ KiB)|: (?:nodes|edges)\S* (?:is (?:not )?the id of|is left by|is a second)|items\.\d+\.id must be another|sourceHandle must be one of/
}

/** The name of the rule that a refusal's reason names. */
export const namedRule = (reason: string): string | undefined =>
  Object.keys(rules).find((name) => rules[name]?.test(reason))
