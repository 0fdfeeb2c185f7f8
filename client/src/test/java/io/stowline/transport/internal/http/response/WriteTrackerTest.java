package io.stowline.transport.internal.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WriteTrackerTest {

    /** Named as Reactor Netty names its own. */
    private static final class PoolAcquireTimeoutException extends TimeoutException {

        private static final long serialVersionUID = 1L;
    }

    static Stream<Throwable> noConnection() {
        return Stream.of(
                new ConnectException("refused"),
                new UnknownHostException("host"),
                new NoRouteToHostException("route"),
                new SSLHandshakeException("trust"),
                new PoolAcquireTimeoutException(),
                new UncheckedIOException(new ConnectException("refused")),
                new RuntimeException(new RuntimeException(new UnknownHostException("host"))));
    }

    static Stream<Throwable> anythingElse() {
        return Stream.of(
                new IOException("reset"),
                new TimeoutException(),
                new UncheckedIOException(new IOException("reset")),
                new IllegalStateException("a policy below"));
    }

    @Test
    @DisplayName("RETRY-2: our own HTTP client tells when it writes")
    void reported() {
        WriteTracker never = WriteTracker.reporting();
        never.begin();
        assertThat(never.endedBy(new IOException("reset"))).isFalse();

        WriteTracker tracker = WriteTracker.reporting();
        assertThat(tracker.markWritten()).isTrue();
        assertThat(tracker.written()).isTrue();
        assertThat(tracker.endedBy(new ConnectException("told is told"))).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-0: whether a request is written or given up is decided once: what ended unwritten is never"
            + " written")
    void decidedOnce() {
        WriteTracker late = WriteTracker.reporting();
        assertThat(late.endedBy(new TimeoutException())).isFalse();
        assertThat(late.markWritten()).isFalse();
        assertThat(late.written()).isFalse();

        WriteTracker written = WriteTracker.reporting();
        written.markWritten();
        written.abandon();
        assertThat(written.endedBy(new TimeoutException())).isTrue();
    }

    @Test
    @DisplayName("RETRY-2: an attempt that still waits for its turn has written nothing, whatever the HTTP client")
    void nothingIsWrittenBeforeItBegins() {
        assertThat(WriteTracker.silent().written()).isFalse();
        assertThat(WriteTracker.silent().endedBy(new IOException("waiting"))).isFalse();
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: with another HTTP client only the error can show that there was no connection")
    @MethodSource("noConnection")
    void noConnectionNothingWritten(Throwable error) {
        WriteTracker tracker = WriteTracker.silent();

        tracker.begin();
        assertThat(tracker.written()).isTrue();
        assertThat(tracker.endedBy(error)).isFalse();
        assertThat(tracker.written()).isFalse();
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: with another HTTP client every other error leaves it open")
    @MethodSource("anythingElse")
    void openOtherwise(Throwable error) {
        WriteTracker tracker = WriteTracker.silent();

        tracker.begin();
        assertThat(tracker.endedBy(error)).isTrue();
    }

    @Test
    void errorThatIsItsOwnCauseEndsTheSearch() {
        Exception one = new Exception("one");
        Exception other = new Exception("other", one);
        one.initCause(other);
        WriteTracker tracker = WriteTracker.silent();

        tracker.begin();
        assertThat(tracker.endedBy(one)).isTrue();
    }
}
