#!/usr/bin/perl
# The part of hook.sh that the system's perl runs: reads the hook's input, asks the door, and instructs hook.sh.
# The build puts this text behind hook.sh, which runs it by `perl -x` (decision 0040). It loads no module: to load Socket
# takes as long as to start curl.
#
# Arguments: PROFILE TIMEOUT PATIENCE AGENT HOME PID [proven]. Descriptor 3 holds the run's name.
# Output: a line "NAME WORD ..." and, after it, the door's text or the kept input. Without that line, or with another exit
# code than 0, this program broke down.
#   answer PROOF [TICKET]   print the text; TICKET: nobody answered it, so the first answer stands
#   refusal                 the text goes to stderr, exit code 2
#   kept SECONDS            no usable answer: node judges the text, which is the input, in what is left of the time
#   impostor | lost | large | unusable    the profile's static answer

my ($profile, $timeout, $patience, $agent, $home, $pid, $proven) = @ARGV;
my $shell = getppid;
my $longest_input = 32 * 1024 * 1024;
my $longest_reply = 4 * 1024 * 1024;

# The alarm bounds every wait: connect, select, read and write end when its handler dies. Outside of an eval nothing waits.
$SIG{ALRM} = sub { die "late\n" if $^S };
$SIG{PIPE} = 'IGNORE';

open NAME, '<&=3';
chomp(my $id = <NAME>);
close NAME;

# Waits until a handle can be read or written. In strides of a second: an alarm just before select is seen at its end.
# Where hook.sh was killed, nobody waits for this program any more.
sub wait_for {
	my ($handle, $is_writing) = @_;
	my $bits = '';
	vec($bits, fileno $handle, 1) = 1;
	while (1) {
		my ($read, $write) = $is_writing ? (undef, $bits) : ($bits, undef);
		my $ready = select $read, $write, undef, 1;
		return if $ready > 0;
		die "closed\n" if $ready < 0 && $! != 4; # 4: interrupted by a signal
		exit 1 if getppid != $shell;
	}
}

sub send_all {
	my ($handle, $text) = @_;
	for (my $sent = 0; $sent < length $$text;) {
		wait_for($handle, 1);
		my $count = syswrite $handle, $$text, 16384, $sent;
		return unless $count;
		$sent += $count;
	}
	return 1;
}

# Says what hook.sh is to do, and ends.
sub instruct_hook {
	my ($word, $text) = @_;
	my $instruction = "$id $word\n";
	send_all(*STDOUT, \$instruction) && send_all(*STDOUT, \$text) or exit 1;
	exit 0;
}

# The run, as the door receives it: of the environment what is named here, never the rest, which holds secrets.
my @run = ("X-Signalbox-Request: $id", "X-Signalbox-Profile: $profile", "X-Signalbox-Timeout: $timeout", "X-Signalbox-Pid: $pid");
my @dropped;
for my $name (qw(CLAUDE_PROJECT_DIR CLAUDE_CONFIG_DIR CCC_SUPERVISOR_ID CCC_SUPERVISOR_HOOK CCC_CONFIG_DIR)) {
	my $value = $ENV{$name};
	next unless defined $value && length $value;
	if ($value =~ /[\x00-\x1f\x7f]/ || length $value > 4096) { push @dropped, $name }
	else { push @run, "X-Signalbox-Env-$name: $value" }
}
push @run, 'X-Signalbox-Dropped: ' . join ',', @dropped if @dropped;

# The next bytes of a reply; false at its end.
sub read_more {
	my ($door, $reply) = @_;
	wait_for($door);
	my $count = sysread $door, $$reply, 65536, length $$reply;
	die "broken\n" unless defined $count;
	die "too long\n" if length $$reply > $longest_reply;
	return $count;
}

# Takes the head of a reply: its status and its headers, names in lower case.
sub take_head {
	my ($door, $reply) = @_;
	my ($head, $status, %headers) = ('', 0);
	# 100 and the like only announce what comes.
	while ($status < 200) {
		my $end;
		while (($end = index $$reply, "\r\n\r\n") < 0) { read_more($door, $reply) or die "cut off\n" }
		$head = substr $$reply, 0, $end + 4, '';
		($status) = $head =~ m{\AHTTP/1\.[01] (\d{3})[ \r]} or die "no HTTP\n";
	}
	while ($head =~ /^([^:\s]+):[ \t]*([^\r\n]*?)[ \t]*\r$/mg) { $headers{lc $1} = $2 }
	return ($status, \%headers);
}

sub take_body {
	my ($door, $reply, $headers) = @_;
	my $length = $headers->{'content-length'};
	if (defined $length) {
		die "no length\n" if $length !~ /\A\d{1,9}\z/;
		while (length $$reply < $length) { read_more($door, $reply) or die "cut off\n" }
		return substr $$reply, 0, $length;
	}
	1 while read_more($door, $reply);
	return $$reply unless exists $headers->{'transfer-encoding'};
	my $body = '';
	while ($$reply =~ s/\A([0-9a-fA-F]{1,7})[^\r\n]*\r\n//) {
		my $size = hex $1;
		return $body unless $size;
		$body .= substr $$reply, 0, $size, '';
		$$reply =~ s/\A\r\n// or die "cut off\n";
	}
	die "cut off\n";
}

# The digest of a text in hexadecimal, by another program: perl's own module is not everywhere, and slow to load.
sub digest {
	my ($text) = @_;
	pipe my $in, my $to or die "no pipe\n";
	pipe my $from, my $out or die "no pipe\n";
	my $child = fork;
	die "no process\n" unless defined $child;
	if (!$child) {
		close $_ for $to, $from;
		open STDIN, '<&', $in;
		open STDOUT, '>&', $out;
		for (['sha256sum'], ['shasum', '-a', '256'], ['openssl', 'dgst', '-sha256', '-r']) { exec { $_->[0] } @$_ }
		exit 127;
	}
	close $_ for $in, $out;
	send_all($to, \$text) or die "no digest\n";
	close $to;
	my $output = '';
	1 while read_more($from, \$output);
	return $output =~ /\A([0-9a-f]{64})\b/ ? $1 : die "no digest\n";
}

# Whether an answer is by who knows the home's key. Silence needs a proof only where it must not let a call run. The entry
# that asks for proofs looks at them itself.
sub is_proven {
	my ($body, $proof) = @_;
	return 1 if $proven || ($profile ne 'closed' && $body eq '');
	open my $file, '<', "$home/door.key" or return;
	chomp(my $key = <$file>);
	return length $key == 64 && $proof eq digest("$key\n$id\n$body\n$key");
}

# Asks the door within these seconds: (status, location, proof, body), of 200 and 303 only where they are proven, else the
# status 0. Nothing where no usable answer came.
sub ask {
	my ($seconds, $request, $text) = @_;
	my @answer;
	eval {
		alarm $seconds;
		my $path = "$home/bridge.sock";
		# On BSD and macOS the address begins with its length.
		my $address = $^O eq 'linux' ? pack 'S a108', 1, $path : pack 'C C a104', 106, 1, $path;
		socket my $door, 1, 1, 0 or die "no socket\n";
		connect $door, $address or die "no door\n";
		my @length = defined $text ? ('Content-Type: application/json', 'Content-Length: ' . length $$text) : ();
		my $head = join "\r\n", "$request HTTP/1.1", 'Host: localhost', 'Connection: close', @length, @run, '', '';
		# A door may refuse an input before it has read all of it.
		send_all($door, \$head) && $text && send_all($door, $text);
		my $reply = '';
		my ($status, $headers) = take_head($door, \$reply);
		my $body = take_body($door, \$reply, $headers);
		# No shell can hand it on as it is.
		die "no text\n" if $body =~ /\0/;
		my ($proof) = ($headers->{'content-type'} || '') =~ /; proof=([0-9a-f]{64})\z/;
		$proof = '' unless defined $proof;
		$status = 0 if ($status == 200 || $status == 303) && !is_proven($body, $proof);
		@answer = ($status, $headers->{location} || '', $proof, $body);
	};
	return (alarm 0, @answer);
}

# The input is what comes within this program's patience, and one byte more than a door takes at most.
my $input = '';
eval {
	alarm $patience;
	while (length $input <= $longest_input) {
		wait_for(*STDIN);
		sysread STDIN, $input, 65536, length $input or last;
	}
};
my $left = alarm 0;
substr($input, $longest_input + 1) = '' if length $input > $longest_input;

# Of what is left, the first answer comes at once, or node gives its own; a ticket is polled for the rest, so that the hook
# ends before its client stops waiting.
my ($first, $rest) = (4, 1);
if ($timeout) {
	$timeout -= $patience - $left;
	$timeout = 1 if $timeout < 1;
	$first = int(($timeout + 1) / 2) if $timeout < 8;
	$rest = $timeout - 5 if $timeout > 6;
}

my ($spare, $status, $location, $proof, $body) = ask($first, "POST /hooks/$agent", \$input);
if (!$status) {
	# An impostor may say nothing at all: neither allow nor tell the agent anything.
	instruct_hook('impostor', '') if defined $status && $profile eq 'closed';
	my $seconds = $timeout - ($first - $spare);
	instruct_hook('kept ' . ($timeout ? $seconds < 1 ? 1 : $seconds : 0), $input);
}
instruct_hook("answer $proof", $body) if $status == 200;
instruct_hook('refusal', $body) if $status == 422;
instruct_hook('large', '') if $status == 413;
instruct_hook('unusable', '') if $status != 303;
# What this profile guards waits only with a denial that was kept.
instruct_hook('lost', '') if $body eq '' && $profile eq 'closed';
my ($ticket) = $location =~ m{\A(?:http://localhost)?/tickets/([A-Za-z0-9_-]+)\z} or instruct_hook("answer $proof", $body);
my (undef, $polled, undef, $late_proof, $decided) = ask($rest, "GET /tickets/$ticket");
instruct_hook("answer $late_proof", $decided) if $polled && $polled == 200;
# With 410 the server says itself that nobody decided in time.
instruct_hook("answer $proof" . ($body eq '' || $polled && $polled == 410 ? '' : " $ticket"), $body);
