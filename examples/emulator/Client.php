<?php // Client.php: the client under test
function hello(string $url, string $username, string $secret, int $tries = 3): string
{
    $nonce = bin2hex(random_bytes(20));
    $created = gmdate('Y-m-d\TH:i:sP');
    $digest = base64_encode(sha1($nonce . $created . $secret, true));
    $curl = curl_init("$url/test-authentication");
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 10, CURLOPT_HTTPHEADER => [
        "X-WSSE: UsernameToken Username=\"$username\", PasswordDigest=\"$digest\", Nonce=\"$nonce\", Created=\"$created\"",
    ]]);
    $message = json_decode(curl_exec($curl))->message;
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status >= 500 && $tries > 1) {
        return hello($url, $username, $secret, $tries - 1);
    }
    return $status === 200 ? $message : throw new RuntimeException("$status $message");
}
