import { describe, expect, test } from "vitest";
import { tellsOfLock } from "../../../src/check/read/locks.ts";

// What frameworks, services and databases say of a lock, in their own words.
const locks = `
Account temporarily blocked, try again in 10 minutes
The account is now locked
The user account is locked out
User account is locked
Account locked: too many login attempts. Please try again later.
You have attempted to login 6 times, with no success. Your account is locked for 1 hour
You have one more attempt before your account is locked.
ORA-28000: The account is locked.
account_locked
ACCOUNT-LOCKED
too-many-failed-log-ins
UserLockedOut
LockedAccountException
lockout
Too Many Attempts.
Too many login attempts. Please try again in 60 seconds.
Too many failed login attempts, please try again in 1 minute.
Too many login failures, please wait a bit before trying again.
Too many failed logins
Too many sign-in attempts
Too many Requests
toomanyrequests: You have reached your pull rate limit
TooManyRequestsException
TOO_MANY_ATTEMPTS_TRY_LATER
too_many_attempts
Too many incorrect password attempts
you've tried to sign in too many times with an incorrect user ID or password
Access to this account has been temporarily disabled due to many failed login attempts
Your account has been blocked after multiple consecutive login attempts.
ExcessiveAttemptsException
Maximum number of login attempts exceeded. Please try again later.
Attempt limit exceeded, please try after some time.
Password attempts exceeded
You have exceeded the maximum number of failed login attempts
Account is temporarily disabled, contact admin or try again later.
user_temporarily_disabled
The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.
Access denied for user. Account is blocked for 1 day(s) due to 3 consecutive failed logins.
There have been more than 5 failed login attempts for this account. It is temporarily blocked.
You are being rate limited
API rate limit exceeded for user ID 1.
userRateLimitExceeded
API call exceeded rate limit due to too many requests.
Request was throttled. Expected available in 42 seconds.
ThrottlingException
Rate exceeded: ThrottledException
Zu viele Anmeldeversuche
Zu viele fehlgeschlagene Versuche
Ihr Konto wurde vorübergehend gesperrt.
Der Benutzer ist gesperrt
Te veel mislukte pogingen
Trop de tentatives de connexion
Votre compte est verrouillé
Demasiados intentos fallidos
Su cuenta ha sido bloqueada
Muitas tentativas de login
Troppi tentativi
Zbyt wiele nieudanych prób
Za dużo nieudanych prób logowania. Spróbuj ponownie za 60 sekund.
Tentatives de connexion trop nombreuses. Veuillez essayer de nouveau dans 60 secondes.
Demasiados intentos de acceso. Por favor intente nuevamente en 60 segundos.
Troppi tentativi di accesso. Riprova tra 60 secondi.
Te veel mislukte loginpogingen. Probeer het over 60 seconden nogmaals.
Zu viele Loginversuche. Versuchen Sie es bitte in 60 Sekunden nochmal.
För många inloggningsförsök. Försök igen om 60 sekunder.
For mange innloggingsforsøk. Prøv igjen om 60 sekunder.
Liian monta kirjautumisyritystä. Yritä uudelleen 60 sekunnin kuluttua.
Příliš mnoho pokusů o přihlášení. Zkuste to prosím znovu za 60 sekund.
Túl sok próbálkozás. Kérjük próbálja újra 60 másodperc múlva.
Prea multe încercări de autentificare. Vă rugăm să încercați din nou în 60 secunde.
Çok fazla giriş denemesi. Lütfen 60 saniye sonra tekrar deneyin.
Слишком много попыток входа. Попробуйте еще раз через 60 секунд.
ログインの試行回数が多すぎます。60 秒後にお試しください。
您尝试的登录次数过多，请 60 秒后再试。
アカウントがロックされました
账户已被锁定
尝试次数过多
For mange mislykkede forsøk
For mange loginforsøg
Учётная запись заблокирована
帐户已锁定
帳號已鎖定
계정이 잠겼습니다
너무 많은 로그인 시도
Das Benutzerkonto ist gesperrt
Kontot är låst
Compte temporairement bloqué
O usuário foi bloqueado
Muitas solicitações
Request limit exceeded
RequestLimitExceeded
Too many wrong passwords
Too many bad credentials
You have been temporarily banned
Login is blocked for 15 minutes
Your account is suspended until tomorrow
Your account has been locked due to repeated failures
Your account has been locked to protect you
This account was locked to prevent misuse
The billing account of your tenant is locked
Your tenant is locked
Your email has been locked
This organization was locked
This user has been locked
your API key is now locked`;

// The same words about other things.
const others = `
the request was blocked
The account is not locked, but the token expired
The account isn't locked
The account has never been locked
blocked, UNBLOCKED, deadlocked, unlocked
Too many parameters
Too many parameters in the request
too many fields in X-WSSE
Too many header fields
too many arguments
too many redirects
too_many_keys
Too many characters in Nonce
This token is locked to another address
geo-locked
Too many errors in the body
The account is no longer locked
many errors were found
database is locked
The contract is locked
This referral programme has been locked
your cart is currently locked
the import job was locked
The record is locked by another user
File locked
The row was locked
Service temporarily unavailable
This method is temporarily disabled
The token was issued after 3 requests of the admin
Invalid login attempt.
Login attempt failed
The rate of this referral exceeds its value
The access token has been revoked
Zu viele Parameter
Trop de paramètres
Demasiados parámetros
clock skew too large
The token is locked to your IP
This endpoint is locked down
This feature is locked for your plan
The user hasn't been locked
You are not rate limited
Requests of this key are not throttled
The token has been used too many times
Token refused after several calls to support
The request was refused because of multiple passwords in it
The account has been suspended for non-payment
This account is suspended until payment is received
The user is blocked because of missing permissions
Your IP address is blocked because it is on no list
Das Konto ist nicht gesperrt
Uw account is niet vergrendeld
Le compte n'est pas verrouillé
Le compte n’est pas bloqué
La cuenta no está bloqueada
A conta não está bloqueada
L'account non è bloccato
Konto nie jest zablokowane
Kontot är inte låst
Пользователь не заблокирован
アカウントはロックされていません
账号未锁定
账户没有被锁定`;

const lines = (text: string): readonly string[] => text.trim().split("\n");

describe("words of a server", () => {
  test.each(lines(locks))("%s: a lock", (words) => expect(tellsOfLock(words)).toBe(true));
  test.each(lines(others))("%s: no lock", (words) => expect(tellsOfLock(words)).toBe(false));
});
