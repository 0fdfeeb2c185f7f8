package io.stowline.testkit.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A log that keeps the latest lines of a program's output, up to a number of characters. Safe for use by several threads. */
public final class OutputLog {

    private static final int TAIL_LINES = 40;

    private final int capacity;
    private final Deque<String> lines = new ArrayDeque<>();
    private int size;

    /**
     * Makes an empty log.
     *
     * @param capacity how many characters to keep; the newest line is kept whatever its length
     */
    public OutputLog(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Adds a line and lets go of the oldest ones that no longer fit.
     *
     * @param line the line without its end
     */
    public synchronized void add(String line) {
        lines.addLast(line);
        size += line.length() + 1;
        while (size > capacity && lines.size() > 1) {
            size -= lines.removeFirst().length() + 1;
        }
    }

    /**
     * Returns all kept lines.
     *
     * @return the lines, each with its end
     */
    public synchronized String text() {
        StringBuilder text = new StringBuilder(size);
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    /**
     * Returns the last lines, for an error message.
     *
     * @return at most 40 lines
     */
    public String tail() {
        return tail(text());
    }

    static String tail(String text) {
        List<String> all = text.lines().toList();
        return String.join("\n", all.subList(Math.max(0, all.size() - TAIL_LINES), all.size()));
    }
}
