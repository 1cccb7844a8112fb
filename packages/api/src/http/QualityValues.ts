const weight = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/**
 * The weights of a header with a list of values, such as `Accept` or `Accept-Encoding`, by value in lower case
 * (RFC 9110 section 12.4.2). Values with an invalid weight are ignored.
 */
export const qualityValues = (header: string): ReadonlyMap<string, number> => {
  const values = new Map<string, number>()
  for (const element of header.split(",")) {
    const [name = "", ...parameters] = element.split(";").map((part) => part.trim())
    const given = parameters.find((parameter) => /^q\s*=/i.test(parameter))
    const value = given === undefined ? 1 : Number(weight.exec(given)?.[1])
    if (name !== "" && !Number.isNaN(value)) values.set(name.toLowerCase(), value)
  }
  return values
}
