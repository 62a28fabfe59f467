import '../cli/signalbox.ts';

/* The command line as a program. */
