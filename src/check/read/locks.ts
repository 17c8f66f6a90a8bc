// The words by which servers say that they refuse an account, or everybody, for a while. They are about attempts, requests or an
// account: too many parameters are none, nor is a locked record.

// A function: V8 reads the patterns where it runs, and most responses have none of the stems.
const patterns = (): readonly RegExp[] => [
  /(?<!\b(?:not|never|no longer|\w{2,6}n['’]t|database|table|row|record|file|resource|document|object|entity|field|feature|endpoint|referral|geo|region|ip)(?: is| was| are| has| been| currently){0,2} )(?<!(?<!\bof )\b(?:the|this|that|your) (?!(?:[\w-]{1,20} ){0,3}(?:account|user(?:name)?|log-?in|e-?mail|customer|client|tenant|merchant|partner|organi[sz]ation|company|member|profile|credentials?|key|token|password|access|api)\b)(?:[\w-]{1,20} ){1,3}(?:is|was|are|were|has been|have been) (?:now |already |currently )?)\b(?:locked(?! by another| for (?:editing|update)| down\b| to\b(?! (?:protect|prevent|secure|keep|ensure|stop)))|lock ?out)\b/i,
  // "too many failed login attempts"
  /(?<!\bused )\b(?:too ?many ?|excessive )(?:(?:failed|invalid|incorrect|wrong|bad|unsuccessful|consecutive|recent|repeated|log ?in|sign ?in|logon|auth|authentication|password|passcode|access|api|http|unauthori[sz]ed|incoming|concurrent|of|your) ){0,4}(?:attempt|request|log ?in|sign ?in|logon|failure|tries|retries|time|call|password|credential)s?\b/i,
  /\b(?:due to|because of|after) (?:many|multiple|repeated|several|\d+) (?:(?:failed|invalid|incorrect|wrong|bad|unsuccessful|consecutive|log ?in|sign ?in|auth|authentication|password) ){0,4}(?:attempt|log ?in|sign ?in|logon|failure|tries|retries)s?\b/i,
  // "Maximum number of login attempts exceeded", "Attempt limit exceeded", "Password attempts exceeded", "RequestLimitExceeded"
  /\b(?:attempts?|(?:request|retry|log ?in) limit) (?:limit )?(?:(?:has|have) been |was |were )?(?:exceeded|reached|exhausted)\b/i,
  /\bexceeded (?:(?:the|your|its|maximum|max|allowed|permitted|number|limit|of|failed|log ?in|password) ){1,7}attempts\b/i,
  // Cloudflare's 1015, GitHub, Google, Django REST framework, AWS
  /(?<!\bnot )\b(?:rate ?(?:limit(?:ed| (?:is |was |has been )?(?:exceeded|reached))|exceeded)\b|exceeded (?:a |the |your )?(?:\w+ )?rate limit\b|throttl(?:ed|ing)\b)/i,
  /\btemporar(?:il)?y (?:block|lock|bann?)(?:ed)?\b|\b(?:account|user|log ?in|sign ?in|access|credentials?)(?: \w+){0,6} (?:temporarily (?:disabled|suspended|deactivated|restricted|limited)|disabled temporarily)\b|\btemporarily (?:disabled|suspended) (?:the |this |your )?(?:account|user)\b/i,
  /\b(?:account|user|ip|log ?in|access)(?: address)? (?:is |was |has been )?(?:blocked|suspended|banned) (?:until (?!payment)|(?:for|after|due to|because of) (?:\d|an? |the next |some |several |many |multiple |repeated |failed |too |excessive ))/i,
  // German, Dutch; French, Spanish, Portuguese, Italian, Polish
  /\bzu viele (?:\S{1,30} )?\S{0,30}(?:versuche|anfragen|anmeldungen)|(?:konto|benutzer|account|zugang)\S{0,2} (?:(?!nicht |nie |kein)\S{1,20} ){0,3}gesperrt\b|\bte veel (?:\S{1,30} )?\S{0,30}(?:pogingen|verzoeken)|(?<!\b(?:niet|nooit) )\b(?:vergrendeld|geblokkeerd)\b/i,
  /\btrop de (?:\S{1,20} )?(?:tentatives|requêtes|connexions|demandes)|\btrop d['’]essais|\btentatives (?:\S{1,30} ){0,2}trop nombreuses|\bcompte (?:(?!n['’]|ne |pas |non )\S{1,20} ){0,3}(?:verrouillé|bloqué)|\b(?:demasiad[oa]s|muit[ao]s) (?:intentos|tentativas|solicitudes|peticiones|solicitações|requisições)|\b(?:cuenta|conta|usuario|usuário) (?:(?!no |não |nunca )\S{1,20} ){0,3}(?:bloquead[oa])|\btropp[ie] (?:tentativi|richieste)|\b(?:account|utente) (?:(?!non )\S{1,20} ){0,3}bloccato|\b(?:zbyt wiele|za dużo) (?:\S{1,20} )?(?:prób|żądań)|\bkonto (?:(?!nie )\S{1,20} ){0,3}zablokowane/i,
  // Swedish, Norwegian, Danish, Finnish, Czech, Hungarian, Romanian, Turkish; Russian; Japanese, Chinese, Korean
  /\b(?:för många|for mange) (?:\S{1,20} )?\S{0,20}(?:försök|forsøk|forsøg|förfrågningar|forespørsler|anmodninger)|\bkonto(?:t|en)? (?:(?!inte |ikke |ej )\S{1,20} ){0,3}(?:låst|spärrat|sperret|spærret)|liian monta \S{0,20}(?:yritystä|pyyntöä)|příliš mnoho (?:\S{1,20} )?(?:pokusů|požadavků)|túl sok próbálkozás|prea multe încercări|çok fazla (?:\S{1,20} ){0,2}(?:deneme|istek)/i,
  /слишком много (?:\S{1,20} ){0,3}(?:попыток|запросов)|забагато спроб|(?:аккаунт|запись|пользователь) (?:(?!не )\S{1,20} ){0,2}заблокирован/i,
  /(?:アカウント|ユーザー).{0,20}ロック(?!され(?:て(?:いません|いない)|ません))|(?:回数|試行|リクエスト).{0,4}多すぎ|(?:[账帐帳][户戶号號]|用[户戶]).{0,10}(?<![未没沒不]有?被?)[锁鎖]定|(?:次数|频率)(?:过多|超限)|过于频繁|계정.{0,10}잠[겼김]|너무 많은 (?:로그인 )?(?:요청|시도)/,
];

// Words can be long: look for these stems before a long text is taken apart. Letters that are not ASCII take V8 0.1 ms to compile.
const hasStem = (words: string): boolean =>
  /lock|many|attempt|multiple|repeated|several|rate|throttl|temporar|blocked|suspended|banned|limit|excessive|viele|gesperrt|te veel|vergrendeld|geblokkeerd|trop|verrouill|bloqu|demasiad|muit|bloccato|zbyt|zablok|mange|sperr|liian|multe|fazla/i.test(
    words,
  ) ||
  (/[^\0-\x7f]/.test(words) &&
    /mång|låst|sp[äæ]rr|příliš|túl|dużo|слишком|забагато|заблок|ロック|多すぎ|[锁鎖]定|次数|频率|频繁|잠|너무/i.test(
      words,
    ));

/** Whether words of a server, or a code such as account_locked or TooManyRequests, tell of a lock. */
export function tellsOfLock(words: string): boolean {
  if (!hasStem(words)) return false;
  const spaced = words.replace(/[-_]|(?<=[a-z])(?=[A-Z])/g, " ");
  return patterns().some((pattern) => pattern.test(spaced));
}
