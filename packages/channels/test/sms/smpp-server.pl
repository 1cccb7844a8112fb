#!/usr/bin/perl
# An SMPP 3.4 server with Net::SMPP, independent of the code under test. It accepts one session. It prints its port, then
# one line for each PDU: `submit SOURCE DESTINATION ESM_CLASS DATA_CODING REGISTERED HEX` or `receipt STATUS`. Responses
# to submit_sm have the id in hexadecimal, receipts have it in decimal. A text to a number that ends in 9 gets an answer.
use strict;
use warnings;
use Net::SMPP;

$| = 1;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, smpp_version => 0x34) or die "listen: $!";
print 'port ', $listener->sockport, "\n";
# accept ends without a session after the library's time limit.
my $session;
$session = $listener->accept until $session;
my $id = 0x1a0;
while (my $pdu = $session->read_pdu) {
  my $command = $pdu->{cmd};
  if ($command == Net::SMPP::CMD_bind_transceiver) {
    print "bind $pdu->{system_id} $pdu->{password}\n";
    $session->bind_transceiver_resp(seq => $pdu->{seq}, system_id => 'perl');
  } elsif ($command == Net::SMPP::CMD_enquire_link) {
    $session->enquire_link_resp(seq => $pdu->{seq});
  } elsif ($command == Net::SMPP::CMD_unbind) {
    print "unbind\n";
    $session->unbind_resp(seq => $pdu->{seq});
    last;
  } elsif ($command == Net::SMPP::CMD_submit_sm) {
    $id += 1;
    $session->submit_sm_resp(seq => $pdu->{seq}, message_id => sprintf('%x', $id));
    print join(' ', 'submit',
      "$pdu->{source_addr_ton}/$pdu->{source_addr_npi}/$pdu->{source_addr}",
      "$pdu->{dest_addr_ton}/$pdu->{dest_addr_npi}/$pdu->{destination_addr}",
      $pdu->{esm_class}, $pdu->{data_coding}, $pdu->{registered_delivery},
      unpack('H*', $pdu->{short_message})), "\n";
    $session->deliver_sm(
      async => 1, source_addr => $pdu->{destination_addr}, destination_addr => $pdu->{source_addr}, esm_class => 4,
      short_message => sprintf('id:%010d sub:001 dlvrd:001 submit date:2603011234 done date:2603011235 '
        . 'stat:DELIVRD err:000 text:', $id));
    if ($pdu->{destination_addr} =~ /9$/) {
      $session->deliver_sm(
        async => 1, source_addr_ton => 1, source_addr_npi => 1, source_addr => $pdu->{destination_addr},
        dest_addr_ton => 1, dest_addr_npi => 1, destination_addr => $pdu->{source_addr},
        short_message => "\x00 caf\x05", data_coding => 0);
    }
  } elsif ($command == (Net::SMPP::CMD_deliver_sm | 0x80000000)) {
    print "receipt $pdu->{status}\n";
  }
}
