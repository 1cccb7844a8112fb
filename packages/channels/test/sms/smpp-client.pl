#!/usr/bin/perl
# An SMPP 3.4 client with Net::SMPP. Usage: smpp-client.pl PORT DESTINATION. It submits one text from 4915100000000, and
# prints `submitted STATUS ID` and the fields of the first deliver_sm: `delivered ESM_CLASS TEXT`.
use strict;
use warnings;
use Net::SMPP;

$| = 1;
my ($port, $destination) = @ARGV;
my ($session, $bound) = Net::SMPP->new_transceiver('127.0.0.1', port => $port, system_id => 'perl', password => 'secret',
  smpp_version => 0x34) or die "connect: $!";
my $response = $session->submit_sm(source_addr_ton => 1, source_addr_npi => 1, source_addr => '4915100000000',
  dest_addr_ton => 1, dest_addr_npi => 1, destination_addr => $destination, registered_delivery => 1,
  short_message => 'Hello from Perl');
print "submitted $response->{status} ", $response->{message_id} // '', "\n";
exit if $response->{status} != 0;
my $pdu = $session->read_pdu or die 'no deliver_sm';
$session->deliver_sm_resp(seq => $pdu->{seq}, message_id => '');
print "delivered $pdu->{esm_class} $pdu->{short_message}\n";
$session->unbind;
