package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.CapturedLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;

@Timeout(60)
class FluxStreamTest {

    private final AtomicInteger releases = new AtomicInteger();

    private FluxStream open(String name) {
        return new FluxStream(Flux.just(ByteBuffer.wrap(new byte[] {1, 2})), name, releases::incrementAndGet);
    }

    @Test
    @DisplayName("a stream that is closed is no leak, read or not, and frees its parts once")
    void closes() throws IOException {
        try (CapturedLog log = new CapturedLog("io.stowline.leaks")) {
            closeAndLose();
            assertThat(releases).hasValue(2);
            loseAnother(log);
            assertThat(log.text()).doesNotContain("unread").doesNotContain("begun");
            assertThat(releases).hasValue(3);
        }
    }

    @Test
    @DisplayName("a stream that was read to its end needs no close")
    void ends() throws IOException {
        try (CapturedLog log = new CapturedLog("io.stowline.leaks")) {
            readAndLose();
            assertThat(releases).hasValue(1);
            loseAnother(log);
            assertThat(log.text()).doesNotContain("whole");
            assertThat(releases).hasValue(2);
        }
    }

    private void closeAndLose() throws IOException {
        FluxStream unread = open("unread");
        unread.close();
        unread.close();
        assertThat(releases).hasValue(1);
        assertThatExceptionOfType(IOException.class).isThrownBy(unread::read);
        try (FluxStream begun = open("begun")) {
            assertThat(begun.read()).isEqualTo(1);
        }
    }

    /** Loses a stream until the log has it. What other tests of this process have lost may be in the log, too. */
    private void loseAnother(CapturedLog log) {
        lose();
        while (!log.text().contains("lost became unreachable without close()")) {
            System.gc();
            Thread.onSpinWait();
        }
    }

    private void readAndLose() throws IOException {
        FluxStream whole = open("whole");
        assertThat(whole.readAllBytes()).containsExactly(1, 2);
        assertThat(whole.read()).isEqualTo(-1);
    }

    @SuppressWarnings("MustBeClosedChecker")
    private void lose() {
        assertThat(open("lost")).isNotNull();
    }
}
