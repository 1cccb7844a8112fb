/** Whether a host name (`MAIL_HOSTNAME`) can resolve on other hosts, so that DNS records may point to it. */
export const isPublicHostname = (name: string): boolean => {
  const labels = name.toLowerCase().replace(/\.$/, "").split(".")
  return labels.length > 1 && labels.at(-1) !== "localhost"
}

/** The advice for a host name that is not public. */
export const hostnameAdvice = (name: string): string =>
  `DNS records would point to ${name}, which other hosts can't resolve: set MAIL_HOSTNAME to this host's public name before publishing the records`
