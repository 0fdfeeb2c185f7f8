package io.stowline.examples.workqueue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An event of a worker, which is a line of its standard output.
 *
 * @param kind what happened
 * @param figures the job and more, as the kind has it
 */
record WorkerEvent(Kind kind, List<Long> figures) {

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    /** The kind of an event in a worker. */
    enum Kind {
        /** The consumer polls. */
        READY(0),
        /** A handler has begun with a job: its number and its delivery, 1 for the first. */
        STARTED(2),
        /** The job is done, and its result stored. */
        DONE(1),
        /** The job was done, but another run of it had stored the result. */
        REPEATED(1),
        /** The handler throws. */
        FAILED(1),
        /** The handler had to give up, since its message is lost. */
        LOST(1),
        /** The consumer has stopped: what it completed, what failed, what it gave back and what it abandoned. */
        STOPPED(4);

        private final int size;

        Kind(int size) {
            this.size = size;
        }
    }

    static WorkerEvent of(Kind kind, long... figures) {
        return new WorkerEvent(kind, Arrays.stream(figures).boxed().toList());
    }

    /** Reads a line; empty if it is none of a worker. */
    static Optional<WorkerEvent> parse(String line) {
        List<String> words = List.of(line.split(" ", -1));
        List<String> figures = words.subList(1, words.size());
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.name().equals(words.get(0)) && kind.size == figures.size())
                .filter(kind -> figures.stream().allMatch(NUMBER.asMatchPredicate()))
                .findFirst()
                .map(kind -> new WorkerEvent(
                        kind, figures.stream().map(Long::valueOf).toList()));
    }

    int job() {
        return Math.toIntExact(figures.get(0));
    }

    long delivery() {
        return figures.get(1);
    }

    /** Returns the line for it. */
    String line() {
        return kind + figures.stream().map(figure -> " " + figure).collect(Collectors.joining());
    }
}
