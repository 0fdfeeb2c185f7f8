package io.stowline.examples.shared;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressDisplayTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, UTF_8);

    @Test
    void showsALineEveryThreeSecondsAndTheEnd() {
        AtomicLong clock = new AtomicLong();
        try (ProgressDisplay display = new ProgressDisplay.Lines(out, "Loading", 200, clock::get)) {
            display.show(1, "first");
            clock.set(3_000_000_000L);
            display.show(50, "second");
            display.show(51, "third");
        }

        assertThat(bytes.toString(UTF_8).lines()).containsExactly("  Loading  25%  second", "  Loading  25%  third");
    }

    @Test
    void showsNothingOfAShortJob() {
        try (ProgressDisplay display = new ProgressDisplay.Lines(out, "Loading", 200, () -> 0)) {
            display.show(200, "all");
        }

        assertThat(bytes.toString(UTF_8)).isEmpty();
    }

    @Test
    void showsNoShareUntilTheSizeIsKnown() {
        AtomicLong clock = new AtomicLong();
        try (ProgressDisplay display = new ProgressDisplay.Lines(out, "Copying", ProgressDisplay.UNKNOWN, clock::get)) {
            clock.set(3_000_000_000L);
            display.show(50, "first");
            display.size(200);
            clock.set(6_000_000_000L);
            display.show(50, "second");
        }

        assertThat(bytes.toString(UTF_8).lines()).containsExactly("  Copying  ...  first", "  Copying  25%  second");
    }

    @Test
    void drawsABar() {
        try (ProgressDisplay display = new ProgressDisplay.Bar(out, "Loading", 200)) {
            display.show(100, "half");
        }

        assertThat(bytes.toString(UTF_8)).contains("Loading", "50%");
    }

    @Test
    void printsResultsOnLinesOfTheirOwn() {
        try (ProgressDisplay display = new ProgressDisplay.Lines(out, "Comparing", 200, () -> 0)) {
            display.print("one");
        }
        assertThat(bytes.toString(UTF_8).lines()).containsExactly("one");
        bytes.reset();
        try (ProgressDisplay display = new ProgressDisplay.Bar(out, "Comparing", 200)) {
            display.show(100, "half");
            display.print("two");
        }
        assertThat(bytes.toString(UTF_8)).contains("\r\u001B[Ktwo" + System.lineSeparator());
    }

    @Test
    void drawsOverNothingButATerminal() {
        assertThat(Terminals.canRedraw(null, Map.of())).isFalse();
    }
}
