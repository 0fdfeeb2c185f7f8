package io.stowline.transport.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ConnectTimeoutException;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.engine.Verdict.VerdictKind;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.AttemptTimeout;
import io.stowline.retry.internal.timeout.AttemptTimeoutException;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.retry.internal.timeout.TimeoutQueue;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.BodySlices.UnreadableBodyException;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.test.scheduler.VirtualTimeScheduler;

class StorageClassifierTest {

    private static ServiceError error(int status, String code, Duration hint) {
        return new ServiceError(status, code, "text", -1, hint, null, null, null);
    }

    private static Verdict classify(int status, String code, OperationType effect) {
        return StorageClassifier.classify(error(status, code, null), effect);
    }

    @ParameterizedTest(name = "{0} {1} on {2}: {3}, ambiguous {4}")
    @DisplayName("RETRY-3: by status and code")
    @CsvSource({
        "500, InternalError,             READ,   RETRY, false",
        "500, InternalError,             WRITE,  RETRY, true",
        "500, InternalError,             CREATE, RETRY, true",
        "500, OperationTimedOut,         READ,   RETRY, false",
        "500, OperationTimedOut,         WRITE,  RETRY, true",
        "503, ServerBusy,                READ,   RETRY, false",
        "503, ServerBusy,                WRITE,  RETRY, false",
        "503, ,                          WRITE,  RETRY, true",
        "503, ,                          READ,   RETRY, false",
        "502, ,                          WRITE,  RETRY, true",
        "502, ,                          READ,   RETRY, false",
        "504, ,                          WRITE,  RETRY, true",
        "408, ,                          WRITE,  RETRY, true",
        "408, ,                          READ,   RETRY, false",
        "429, TooManyRequests,           WRITE,  RETRY, false",
        "429, ,                          WRITE,  RETRY, false",
        "501, NotImplemented,            WRITE,  NEVER, false",
        "505, ,                          WRITE,  NEVER, false",
        "409, AccountBeingCreated,       CREATE, RETRY, false",
        "409, AccountBeingCreated,       WRITE,  RETRY, false",
        "409, TableBeingDeleted,         CREATE, RETRY, false",
        "409, TableBeingDeleted,         WRITE,  NEVER, false",
        "409, QueueBeingDeleted,         CREATE, RETRY, false",
        "409, ContainerBeingDeleted,     CREATE, RETRY, false",
        "409, EntityAlreadyExists,       WRITE,  NEVER, false",
        "409, TableAlreadyExists,        CREATE, NEVER, false",
        "409, ,                          CREATE, NEVER, false",
        "412, UpdateConditionNotSatisfied, WRITE, NEVER, false",
        "412, ConditionNotMet,           WRITE,  NEVER, false",
        "304, ConditionNotMet,           READ,   NEVER, false",
        "404, ResourceNotFound,          WRITE,  NEVER, false",
        "404, EntityNotFound,            READ,   NEVER, false",
        "404, TableNotFound,             WRITE,  NEVER, false",
        "403, AuthenticationFailed,      WRITE,  NEVER, false",
        "403, AuthorizationFailure,      READ,   NEVER, false",
        "403, InsufficientAccountPermissions, READ, NEVER, false",
        "403, AccountIsDisabled,         WRITE,  NEVER, false",
        "401, NoAuthenticationInformation, READ, NEVER, false",
        "401, InvalidAuthenticationInfo, WRITE,  NEVER, false",
        "400, InvalidInput,              WRITE,  NEVER, false",
        "400, InvalidDuplicateRow,       WRITE,  NEVER, false",
        "400, CommandsInBatchActOnDifferentPartitions, WRITE, NEVER, false",
        "400, PropertiesNeedValue,       WRITE,  NEVER, false",
        "400, EntityTooLarge,            WRITE,  NEVER, false",
        "400, OutOfRangeInput,           WRITE,  NEVER, false",
        "400, InvalidHeaderValue,        WRITE,  NEVER, false",
        "400, Md5Mismatch,               WRITE,  RETRY, false",
        "400, Crc64Mismatch,             WRITE,  RETRY, false",
        "400, ,                          WRITE,  NEVER, false",
        "405, UnsupportedHttpVerb,       WRITE,  NEVER, false",
        "411, MissingContentLengthHeader, WRITE, NEVER, false",
        "413, RequestBodyTooLarge,       WRITE,  NEVER, false",
        "415, JsonFormatNotSupported,    READ,   NEVER, false",
        "416, InvalidRange,              READ,   NEVER, false",
        "499, ,                          WRITE,  NEVER, false"
    })
    void classifiesByStatusAndCode(int status, String code, OperationType effect, VerdictKind kind, boolean ambiguous) {
        Verdict verdict = classify(status, code, effect);

        assertThat(verdict.kind()).isEqualTo(kind);
        assertThat(verdict.ambiguous()).isEqualTo(ambiguous);
        assertThat(verdict.reason()).isEqualTo(code == null ? "" + status : status + " " + code);
    }

    @ParameterizedTest(name = "{0} on {1}: {2}, ambiguous {3}")
    @DisplayName("OUTCOME-0: a status that the service does not have leaves open whether a write was carried out")
    @CsvSource({
        "0,   WRITE,  RETRY, true",
        "101, WRITE,  RETRY, true",
        "103, CREATE, RETRY, true",
        "103, READ,   RETRY, false",
        "302, WRITE,  NEVER, true",
        "304, WRITE,  NEVER, true",
        "307, CREATE, NEVER, true",
        "307, READ,   NEVER, false",
        "507, WRITE,  RETRY, true",
        "520, WRITE,  RETRY, true",
        "520, READ,   RETRY, false",
        "600, WRITE,  RETRY, true",
        "999, CREATE, RETRY, true"
    })
    void foreignStatusIsNoRefusal(int status, OperationType effect, VerdictKind kind, boolean ambiguous) {
        Verdict verdict = classify(status, null, effect);

        assertThat(verdict.kind()).isEqualTo(kind);
        assertThat(verdict.ambiguous()).isEqualTo(ambiguous);
    }

    @Test
    @DisplayName("RETRY-4: the hint goes along with a retry, and with nothing else")
    void carriesTheHint() {
        Duration hint = Duration.ofSeconds(7);

        assertThat(StorageClassifier.classify(error(503, "ServerBusy", hint), OperationType.WRITE)
                        .hint())
                .isEqualTo(hint);
        assertThat(StorageClassifier.classify(error(409, "EntityAlreadyExists", hint), OperationType.WRITE)
                        .hint())
                .isNull();
        assertThat(StorageClassifier.classify(error(500, "InternalError", hint), OperationType.WRITE)
                        .ambiguous())
                .isTrue();
    }

    static Stream<Exception> connectionErrors() {
        return Stream.of(
                new ConnectException("refused"),
                new ConnectTimeoutException("10 s"),
                new SSLException("handshake"),
                new SSLHandshakeException("closed while it was in progress"),
                new IOException("reset"),
                AbortedException.beforeSend());
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: a connection that failed before the request was written is tried at once, unambiguously")
    @MethodSource("connectionErrors")
    void beforeWritingIsRetriedAtOnce(Exception error) {
        Verdict verdict = StorageClassifier.classify(error, OperationType.WRITE, false);

        assertThat(verdict.kind()).isEqualTo(VerdictKind.RETRY_NOW);
        assertThat(verdict.ambiguous()).isFalse();
        assertThat(verdict.reason()).isEqualTo(error.getClass().getSimpleName());
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: after writing it backs off, and a write may have been carried out")
    @MethodSource("connectionErrors")
    void afterWritingIsAmbiguous(Exception error) {
        assertThat(StorageClassifier.classify(error, OperationType.WRITE, true))
                .isEqualTo(Verdict.retry(error.getClass().getSimpleName()).asAmbiguous());
        assertThat(StorageClassifier.classify(error, OperationType.READ, true))
                .isEqualTo(Verdict.retry(error.getClass().getSimpleName()));
    }

    static Stream<Exception> hardlyPassing() {
        Exception certificate = new SSLHandshakeException("PKIX path building failed");
        certificate.initCause(new RuntimeException(new CertificateException("unknown issuer")));
        return Stream.of(
                new UnknownHostException("host"), certificate, new SSLPeerUnverifiedException("another host's name"));
    }

    @ParameterizedTest
    @DisplayName("RETRY-2: an unknown host and a wrong certificate are tried once more, not through the ladder")
    @MethodSource("hardlyPassing")
    void hardlyPassingIsTriedOnce(Exception error) {
        assertThat(StorageClassifier.classify(error, OperationType.WRITE, false))
                .isEqualTo(Verdict.retryOnce(error.getClass().getSimpleName()));
        assertThat(StorageClassifier.classify(error, OperationType.WRITE, true).ambiguous())
                .isTrue();
    }

    @Test
    @DisplayName("RETRY-2: waiting for a connection too long backs off; nothing was written")
    void poolTimeoutBacksOff() {
        Verdict verdict = StorageClassifier.classify(new TimeoutException("pool"), OperationType.WRITE, false);

        assertThat(verdict).isEqualTo(Verdict.retry("TimeoutException"));
    }

    @Test
    @DisplayName("RETRY-2: an attempt that took too long is ambiguous once it was written")
    void attemptTimeout() {
        Exception timeout = attemptTimeoutException();

        assertThat(StorageClassifier.classify(timeout, OperationType.WRITE, true)
                        .ambiguous())
                .isTrue();
        assertThat(StorageClassifier.classify(timeout, OperationType.WRITE, true)
                        .kind())
                .isEqualTo(VerdictKind.RETRY);
        assertThat(StorageClassifier.classify(timeout, OperationType.WRITE, false)
                        .ambiguous())
                .isFalse();
    }

    private static Exception attemptTimeoutException() {
        VirtualTimeScheduler timer = VirtualTimeScheduler.create();
        Attempt attempt = Attempt.first(RetrySettings.defaults(), Deadline.in(Duration.ofSeconds(5), timer));
        Throwable[] seen = new Throwable[1];
        AttemptTimeout.of(attempt, Mono.never(), new TimeoutQueue(timer))
                .subscribe(value -> {}, error -> seen[0] = error);
        timer.advanceTimeBy(Duration.ofSeconds(6));
        return (AttemptTimeoutException) seen[0];
    }

    @Test
    void ourOwnMistakesAreNotRetried() {
        assertThat(StorageClassifier.classify(new IllegalStateException("bug"), OperationType.WRITE, false))
                .isEqualTo(Verdict.never("IllegalStateException"));
    }

    @Test
    @DisplayName("a body that cannot be read is not tried again, and nothing was carried out, written or not")
    void unreadableBody() {
        UnreadableBodyException error = new UnreadableBodyException(new UncheckedIOException(new IOException("cut")));
        for (boolean written : new boolean[] {true, false}) {
            Verdict verdict = StorageClassifier.classify(error, OperationType.WRITE, written);
            assertThat(verdict.kind()).isEqualTo(VerdictKind.NEVER);
            assertThat(verdict.ambiguous()).isFalse();
        }
    }

    @Test
    @DisplayName("RETRY-2: a response that breaks the rules of HTTP leaves open whether the write was made")
    void undecodableResponseIsAmbiguous() {
        Exception error = new IllegalArgumentException("invalid version format");

        assertThat(StorageClassifier.classify(error, OperationType.WRITE, true).ambiguous())
                .isTrue();
        assertThat(StorageClassifier.classify(error, OperationType.READ, true).ambiguous())
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(OperationType.class)
    @DisplayName("RETRY-2: an unreadable response is tried again, ambiguous unless it was a read")
    void unreadableResponse(OperationType effect) {
        Verdict verdict = StorageClassifier.lost("cut", effect);

        assertThat(verdict.kind()).isEqualTo(VerdictKind.RETRY);
        assertThat(verdict.ambiguous()).isEqualTo(effect != OperationType.READ);
        assertThat(verdict.reason()).isEqualTo("cut");
    }
}
