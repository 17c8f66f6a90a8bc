# Sends one request by XML::Atom::Client. Exits 0 if it is accepted.
use strict;
use warnings;
use HTTP::Request;
use XML::Atom::Client;

my $client = XML::Atom::Client->new;
$client->username($ENV{REFERRAL_USERNAME});
$client->password($ENV{REFERRAL_SECRET});
my $request = HTTP::Request->new(GET => "$ENV{REFERRAL_BASE_URL}/test-authentication");
exit($client->make_request($request)->code == 200 ? 0 : 1);
