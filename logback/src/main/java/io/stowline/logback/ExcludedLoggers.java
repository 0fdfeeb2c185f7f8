package io.stowline.logback;

import java.util.Arrays;

/** The loggers whose events an appender leaves out, each with all loggers below it. Immutable and thread-safe. */
final class ExcludedLoggers {

    /** The loggers of what delivers events: the library, the Azure SDK, and the HTTP client below it. */
    static final String DELIVERY = "io.stowline,com.azure,io.netty,reactor";

    private final String[] roots;

    private ExcludedLoggers(String[] roots) {
        this.roots = roots;
    }

    /** Returns the loggers of a list of names with commas between them, which may be empty. */
    static ExcludedLoggers of(String names) {
        return new ExcludedLoggers(Arrays.stream(names.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toArray(String[]::new));
    }

    boolean contains(String logger) {
        for (String root : roots) {
            if (logger.startsWith(root) && (logger.length() == root.length() || logger.charAt(root.length()) == '.')) {
                return true;
            }
        }
        return false;
    }
}
