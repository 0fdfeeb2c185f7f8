package io.stowline.examples.shared;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DotsTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, false, UTF_8);

    @Test
    void showsTheNameBeforeTheStepBegins() throws InterruptedException {
        String shown = Dots.during(out, "Installing", Duration.ofHours(1), this::printed);

        assertThat(shown).isEqualTo("Installing");
        out.flush();
        assertThat(printed()).isEqualTo("Installing" + System.lineSeparator());
    }

    @Test
    void showsDotsUntilTheStepEnds() throws InterruptedException {
        Dots.during(out, "Installing", Duration.ofMillis(1), () -> {
            while (!printed().endsWith("...")) {
                LockSupport.parkNanos(100_000);
            }
            return true;
        });

        out.flush();
        assertThat(printed()).startsWith("Installing...").endsWith("." + System.lineSeparator());
    }

    @Test
    void endsTheLineOfAStepThatFails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Dots.during(out, "Installing", Duration.ofHours(1), () -> {
                    throw new IllegalStateException("no network");
                }));

        out.flush();
        assertThat(printed()).isEqualTo("Installing" + System.lineSeparator());
    }

    private String printed() {
        return bytes.toString(UTF_8);
    }
}
