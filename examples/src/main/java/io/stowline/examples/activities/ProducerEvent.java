package io.stowline.examples.activities;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line by which a producer reports its progress.
 *
 * @param accepted how many activities its writer has accepted
 * @param buffered how many are on the disk and in no blob, those of the process before included
 * @param blobs how many blobs were begun
 * @param requests how many requests were sent, retries included
 */
record ProducerEvent(long accepted, long buffered, long blobs, long requests) {

    /** The exit code of a producer that has killed itself. */
    static final int HALTED = 137;

    private static final Pattern LINE = Pattern.compile("progress (\\d+) (\\d+) (\\d+) (\\d+)");

    String line() {
        return "progress " + accepted + " " + buffered + " " + blobs + " " + requests;
    }

    /** Reads a line; other lines are no events. */
    static Optional<ProducerEvent> parse(String line) {
        Matcher words = LINE.matcher(line);
        return words.matches()
                ? Optional.of(new ProducerEvent(
                        Long.parseLong(words.group(1)),
                        Long.parseLong(words.group(2)),
                        Long.parseLong(words.group(3)),
                        Long.parseLong(words.group(4))))
                : Optional.empty();
    }
}
