<?php // ClientTest.php
require_once __DIR__ . '/Client.php';

final class ClientTest extends PHPUnit\Framework\TestCase
{
    private function emulator(string $method, string $path, ?array $body = null): ?array
    {
        $curl = curl_init(getenv('REFERRAL_BASE_URL') . "/__emulator/$path");
        $data = $body === null ? [] : [CURLOPT_POSTFIELDS => json_encode($body)];
        curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_CUSTOMREQUEST => $method] + $data);
        $text = curl_exec($curl);
        $this->assertLessThan(300, curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $text);
        return json_decode($text, true);
    }

    private function run_client(): string
    {
        return hello(getenv('REFERRAL_BASE_URL'), getenv('REFERRAL_USERNAME'), getenv('REFERRAL_SECRET'));
    }

    protected function setUp(): void
    {
        $this->emulator('DELETE', 'answers');
        $this->emulator('DELETE', 'requests');
    }

    public function testRecoversAfterTwoFailures(): void
    {
        $this->emulator('PUT', 'answers', [['status' => 503, 'times' => 2]]);
        $this->assertStringContainsString('authenticated', $this->run_client());
        $this->assertSame([503, 503, 200], array_column($this->emulator('GET', 'requests'), 'status'));
    }

    public function testReportsALockedAccount(): void
    {
        $body = ['code' => 423, 'message' => 'Locked'];
        $this->emulator('PUT', 'answers', [['status' => 423, 'body' => $body, 'account' => 0]]);
        $this->expectExceptionMessage('423 Locked');
        $this->run_client();
    }

    public function testMakesAHeaderThatIsAccepted(): void
    {
        try {
            $this->run_client();
        } finally {
            [$request] = $this->emulator('GET', 'requests');
            $this->assertTrue($request['accepted'], json_encode($request['reasons']));
        }
    }
}
