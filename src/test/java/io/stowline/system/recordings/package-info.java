/**
 * Replay of exchanges that were recorded from the real table, queue and blob services. {@code RecordingsIT} gives each recorded
 * response to the verbs that can meet it, over a socket, and compares their results with those of independent parsers. The package
 * uses the library's public API only.
 */
package io.stowline.system.recordings;
