/** Whether a name of this host (`MAIL_HOSTNAME`) can be one that others find it by: records that lead to it are of use. */
export const isPublicHostname = (name: string): boolean => {
  const labels = name.toLowerCase().replace(/\.$/, "").split(".")
  return labels.length > 1 && labels.at(-1) !== "localhost"
}

/** What to do where it can't. */
export const hostnameAdvice = (name: string): string =>
  `records of domains would lead to ${name}, which is nobody to others: set MAIL_HOSTNAME to this host's public name before they are published`
