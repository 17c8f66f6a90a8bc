/** What an outcome means, in one sentence without a full stop, and what to do if no finding gives better advice. */
export interface Explanation {
  readonly headline: string;
  readonly next: string;
}
