package io.stowline.benchmarks.side;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The words of a command line that are not understood yet: each option that is read takes its words away. Not thread-safe. */
public final class BenchmarkArguments {

    private final List<String> left;

    /** Takes the words. */
    public BenchmarkArguments(String... words) {
        left = new ArrayList<>(List.of(words));
    }

    /** Returns whether this word is among them. */
    public boolean flag(String name) {
        return left.remove(name);
    }

    /**
     * Returns the value behind a name, or another one where the name is absent.
     *
     * @throws IllegalArgumentException if the name is the last word, or the value is no number where one is expected
     */
    public <T> T value(String name, T otherwise, Function<String, T> reader) {
        String text = text(name);
        try {
            return text == null ? otherwise : reader.apply(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is a number, not '" + text + "'", e);
        }
    }

    /** Returns the path behind a name, or {@code null} where the name is absent. */
    @Nullable
    Path path(String name) {
        String text = text(name);
        return text == null ? null : Path.of(text);
    }

    /** Returns the pace of a measurement. */
    public Pace pace(int rounds, double seconds) {
        return new Pace(
                value("--rounds", rounds, Integer::parseInt),
                value("--warm-ups", 8, Integer::parseInt),
                value("--seconds", seconds, Double::parseDouble));
    }

    /**
     * Requires that nothing is left.
     *
     * @throws IllegalArgumentException naming the words that are
     */
    public void end() {
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("not understood: " + String.join(" ", left));
        }
    }

    private @Nullable String text(String name) {
        int at = left.indexOf(name);
        if (at < 0) {
            return null;
        }
        if (at + 1 == left.size()) {
            throw new IllegalArgumentException(name + " needs a value");
        }
        left.remove(at);
        return left.remove(at);
    }
}
