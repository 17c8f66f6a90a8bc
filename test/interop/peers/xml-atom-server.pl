# Verifies X-WSSE with XML::Atom::Server. Usage: xml-atom-server.pl PORT USERNAME SECRET
use strict;
use warnings;
use HTTP::Daemon;
use HTTP::Response;

package Verifier {
    use parent 'XML::Atom::Server';

    # XML::Atom::Server would read the request from the environment of a CGI script.
    sub init { my ($self, %fields) = @_; @$self{keys %fields} = values %fields; $self }
    sub request_header { my ($self, $name) = @_; $self->{request}->header($name) }
    sub password_for_user { my ($self, $name) = @_; $name eq $self->{username} ? $self->{secret} : undef }
}

my ($port, $username, $secret) = @ARGV;
my $daemon = HTTP::Daemon->new(LocalAddr => '127.0.0.1', LocalPort => $port, ReuseAddr => 1) or die $!;
while (my $connection = $daemon->accept) {
    while (my $request = $connection->get_request) {
        my $verifier = Verifier->new(request => $request, username => $username, secret => $secret);
        my @answer =
            $verifier->authenticate
            ? (200, ['Content-Type' => 'application/json'], '{"code":200,"message":"ok"}')
            : (
                $verifier->response_code,
                ['Content-Type' => 'text/xml', 'WWW-Authenticate' => $verifier->{cgi_headers}{-www_authenticate}],
                $verifier->show_error($verifier->errstr),
            );
        my ($status, $headers, $body) = @answer;
        $connection->send_response(HTTP::Response->new($status, undef, $headers, $body));
    }
    $connection->close;
}
