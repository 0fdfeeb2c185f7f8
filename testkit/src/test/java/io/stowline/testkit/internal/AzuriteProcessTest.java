package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.TestkitException;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class AzuriteProcessTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(1);

    final OutputLog log = new OutputLog(10_000);

    @Test
    void isReadyWhenAllThreeServicesListen() {
        AzuriteProcess started = start(FakeProcess.running(FakeProcess.listening(1, 2, 3)), LONG);

        assertThat(started.ports()).isEqualTo(new ServicePorts(1, 2, 3));
        assertThat(started.isAlive()).isTrue();
    }

    @Test
    void keepsTheOutput() {
        AzuriteProcess started = start(FakeProcess.running("hello\n" + FakeProcess.listening(1, 2, 3)), LONG);
        started.stop();

        assertThat(log.text().lines()).hasSize(4).startsWith("hello");
    }

    @Test
    void killsWhatIsNotReadyInTime() {
        FakeProcess slow = FakeProcess.running("Azurite Blob service is starting\n");

        assertThatThrownBy(() -> start(slow, SHORT))
                .isInstanceOf(TestkitException.class)
                .hasMessageStartingWith("Azurite was not ready within 1 ms");
        assertThat(slow.signals()).contains("kill");
        assertThat(slow.isAlive()).isFalse();
    }

    @Test
    void reportsAnEarlyEndWithItsCodeAndItsOutput() {
        FakeProcess busy = FakeProcess.ended(1, "Exit due to unhandled error: listen EADDRINUSE\n");

        assertThatThrownBy(() -> start(busy, LONG))
                .isInstanceOf(TestkitException.class)
                .hasMessageContaining("before it was ready; its output ends with:\nExit due to unhandled error")
                .hasMessageContaining("EADDRINUSE");
    }

    @Test
    void reportsASilentEnd() {
        assertThatThrownBy(() -> start(FakeProcess.ended(3, ""), LONG))
                .isInstanceOf(TestkitException.class)
                .hasMessageContaining("it printed nothing");
    }

    @Test
    void reportsAProgramThatCannotBeStarted() {
        Launcher refusing = command -> {
            throw new IOException("no such file");
        };

        assertThatThrownBy(() -> AzuriteProcess.start(new ProcessBuilder("node"), refusing, LONG, log))
                .isInstanceOf(TestkitException.class)
                .hasMessage("cannot start node: no such file");
    }

    @Test
    void checksBeforeItKills() {
        FakeProcess obedient = FakeProcess.running(FakeProcess.listening(1, 2, 3));
        start(obedient, LONG).stop();
        assertThat(obedient.signals()).containsExactly("end");

        FakeProcess stubborn = FakeProcess.stubborn(FakeProcess.listening(1, 2, 3));
        start(stubborn, LONG).stop();
        assertThat(stubborn.signals()).containsExactly("end", "kill");
    }

    @Test
    void killsWithoutRequestingWhenReportedTo() {
        FakeProcess process = FakeProcess.running(FakeProcess.listening(1, 2, 3));

        start(process, LONG).kill();

        assertThat(process.signals()).containsExactly("kill");
    }

    @Test
    void leavesAnInterruptForTheCaller() {
        FakeProcess slow = FakeProcess.running("");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> start(slow, LONG)).hasMessage("interrupted while Azurite started");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(slow.isAlive()).isFalse();
    }

    private AzuriteProcess start(FakeProcess process, Duration timeout) {
        return AzuriteProcess.start(new ProcessBuilder("node"), command -> process, timeout, log);
    }
}
