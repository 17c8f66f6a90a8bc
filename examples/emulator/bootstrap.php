<?php // bootstrap.php starts one as a child: phpunit --bootstrap bootstrap.php ClientTest.php
if (getenv('REFERRAL_BASE_URL') === false) { // else they run as the command of an emulator
    $command = ['node_modules/.bin/referral-auth', 'emulator', '--control', '--json', '--end-with-stdin'];
    $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $pipes);
    register_shutdown_function(fn () => fclose($pipes[0]) && proc_close($process)); // a killed run closes it too
    $emulator = json_decode(fgets($pipes[1]));
    isset($emulator->error) && throw new RuntimeException($emulator->error->message);
    putenv("REFERRAL_BASE_URL=$emulator->url");
    foreach (['token', 'username', 'secret'] as $name) {
        putenv('REFERRAL_' . strtoupper($name) . '=' . $emulator->accounts[0]->$name);
    }
}
