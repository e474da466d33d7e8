/** Steps of chart scales. The numbers are only for drawing, never for amounts. */

/** 1, 2, 2.5 or 5 times a power of ten, not below `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)))
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= least) ?? 10) * power
}
