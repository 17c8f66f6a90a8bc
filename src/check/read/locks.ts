// The words by which servers say that they refuse an account, or everybody, for a while. They are about attempts, requests or an
// account: too many parameters are none, nor is a locked record.

const patterns: readonly RegExp[] = [
  /(?<!\b(?:not|never|no longer|isn['’]t|database|table|row|record|file|resource|document|object|entity|field|geo|region|ip)(?: is| was| are| has| been| currently){0,2} )\b(?:locked(?! to\b| down\b| by another| for (?:editing|update))|lock ?out)\b/i,
  // "too many failed login attempts"
  /\b(?:too ?many ?|excessive |(?:due to|because of|after) (?:many|multiple|repeated|several|\d+) )(?:(?:failed|invalid|incorrect|wrong|bad|unsuccessful|consecutive|recent|repeated|log ?in|sign ?in|logon|auth|authentication|password|passcode|access|api|http|unauthori[sz]ed|incoming|concurrent|of|your) ){0,4}(?:attempt|request|log ?in|sign ?in|logon|failure|tries|retries|time|call|password)s?\b/i,
  // "Maximum number of login attempts exceeded", "Attempt limit exceeded", "Password attempts exceeded"
  /\battempts? (?:limit )?(?:(?:has|have) been |was |were )?(?:exceeded|reached|exhausted)\b/i,
  /\bexceeded (?:(?:the|your|its|maximum|max|allowed|permitted|number|limit|of|failed|log ?in|password) ){1,7}attempts\b/i,
  // Cloudflare's 1015, GitHub, Google, Django REST framework, AWS
  /\brate ?(?:limit(?:ed| (?:is |was |has been )?(?:exceeded|reached))|exceeded)\b|\bexceeded (?:a |the |your )?(?:\w+ )?rate limit\b|\bthrottl(?:ed|ing)\b/i,
  /\btemporar(?:il)?y (?:block|lock|ban)(?:ed)?\b|\b(?:account|user|log ?in|sign ?in|access|credentials?)(?: \w+){0,6} (?:temporarily (?:disabled|suspended|deactivated|restricted|limited)|disabled temporarily)\b|\btemporarily (?:disabled|suspended) (?:the |this |your )?(?:account|user)\b/i,
  /\b(?:account|user|ip)(?: address)? (?:is |was |has been )?(?:blocked|suspended|banned) (?:for|until|after|due to|because of)\b/i,
  // The same in other languages, as Laravel and others have it
  /\bzu viele (?:\S{1,30} )?\S{0,30}(?:versuche|anfragen|anmeldungen)|\b(?:konto|benutzer|account|zugang)\S{0,2} (?:\S{1,20} ){0,3}gesperrt\b|\bte veel (?:\S{1,30} )?\S{0,30}(?:pogingen|verzoeken)|\b(?:vergrendeld|geblokkeerd)\b/i,
  /\btrop de (?:\S{1,20} )?(?:tentatives|requêtes|connexions|demandes)|\bcompte (?:\S{1,20} ){0,3}(?:verrouillé|bloqué)|\btrop d['’]essais|\btentatives \S{1,30} \S{1,30} trop nombreuses|\bdemasiad[oa]s (?:intentos|tentativas|solicitudes|peticiones)|\b(?:cuenta|conta|usuario) (?:\S{1,20} ){0,3}(?:bloquead[oa])|\bmuitas tentativas|\btropp[ie] (?:tentativi|richieste)|\b(?:account|utente) (?:\S{1,20} ){0,3}bloccato|\bzbyt wiele (?:\S{1,20} )?(?:prób|żądań)|\bkonto (?:\S{1,20} ){0,3}zablokowane/i,
  /\b(?:for mange|för många) (?:\S{1,30} )?\S{0,30}f[oö]rs[øö][kg]|liian monta \S{0,30}yrity|túl sok próbálkozás|příliš mnoho \S{0,30}pokus|za dużo (?:\S{1,30} )?prób|prea multe încercări|çok fazla (?:\S{1,30} ){0,2}(?:deneme|girişim)|слишком много попыток|забагато спроб|заблокирован/i,
  /(?:アカウント|ユーザー).{0,20}ロック|(?:账户|账号|帳戶|帳號|用户).{0,10}锁定|(?:次数|频率)(?:过多|超限)|过于频繁|回数が多すぎ/,
];

// Words can be long: look for these stems before a long text is taken apart.
const stems =
  /lock|many|attempt|multiple|repeated|several|rate|throttl|temporar|blocked|suspended|banned|viele|gesperrt|te veel|vergrendeld|geblokkeerd|trop|verrouill|bloqu|demasiad|muitas|tropp|bloccato|zbyt|zablok|mange|många|liian|túl|příliš|dużo|multe|fazla|слишком|забагато|заблок|回数|ロック|锁定|次数|频率|频繁/i;

/** Whether words of a server, or a code such as account_locked or TooManyRequests, tell of a lock. */
export function tellsOfLock(words: string): boolean {
  if (!stems.test(words)) return false;
  const spaced = words.replace(/[-_]|(?<=[a-z])(?=[A-Z])/g, " ");
  return patterns.some((pattern) => pattern.test(spaced));
}
