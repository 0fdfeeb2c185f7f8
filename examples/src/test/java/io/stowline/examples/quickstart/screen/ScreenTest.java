package io.stowline.examples.quickstart.screen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScreenTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, UTF_8);

    @Test
    void isPlainWithoutATerminal() {
        assertThat(Screen.of(out, null, Map.of("TERM", "xterm"))).isInstanceOf(PlainLines.class);
    }

    @Test
    void printsPlainLinesSeldom() {
        Screen screen = new PlainLines(out);
        screen.progress(0.5, " 50%");
        screen.progress(1, "100%");
        screen.end();

        assertThat(printed().lines()).containsExactly("   50%", "  100%");
        assertThat(screen.interval()).isGreaterThan(Duration.ofSeconds(1));
    }

    @Test
    void drawsALineOverTheOneBefore() {
        Screen screen = new RedrawnLine(out);
        screen.progress(0, "  0%  nothing yet");
        screen.progress(0.55, " 55%");
        screen.progress(1, "100%");

        assertThat(printed())
                .isEqualTo("\r[..........]   0%  nothing yet" + "\r[#####.....]  55%" + " ".repeat(13)
                        + "\r[##########] 100%");
        assertThat(screen.interval()).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void endsTheLineOnce() {
        Screen screen = new RedrawnLine(out);
        screen.end();
        assertThat(printed()).isEmpty();

        screen.progress(1, "100%");
        screen.end();
        screen.end();
        assertThat(printed()).isEqualTo("\r[##########] 100%" + System.lineSeparator());
    }

    @Test
    void drawsNoLineThatWraps() {
        new RedrawnLine(out).progress(0.5, "x".repeat(200));

        assertThat(printed()).hasSize(1 + 79);
    }

    @Test
    void keepsTheBarWithinItsEnds() {
        Screen screen = new RedrawnLine(out);
        screen.progress(1.5, "");
        screen.progress(-1, "");

        assertThat(printed()).isEqualTo("\r[##########] \r[..........] ");
    }

    private String printed() {
        return bytes.toString(UTF_8);
    }
}
