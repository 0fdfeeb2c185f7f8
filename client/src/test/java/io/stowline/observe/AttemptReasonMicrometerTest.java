package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.AttemptEnd;
import io.stowline.retry.internal.engine.Verdict;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptReasonMicrometerTest {

    @ParameterizedTest
    @DisplayName("RETRY-7: what is not there is told apart from what is refused")
    @CsvSource({
        "500 InternalError, server-error",
        "502, server-error",
        "408 RequestTimeout, server-error",
        "404 ResourceNotFound, absent",
        "404 BlobNotFound, absent",
        "404, absent",
        "404 TableNotFound, refused",
        "404 QueueNotFound, refused",
        "404 ContainerNotFound, refused",
        "404 TableNotFound (secondary), refused",
        "409, refused",
        "412 ConditionNotMet, refused",
        "AttemptTimeoutException, timeout",
        "TimeoutException, timeout",
        "ReadTimeoutException, timeout",
        "ConnectTimeoutException, connection",
        "UnknownHostException, connection",
        "IOException (secondary), connection",
        "404 ResourceNotFound (secondary), absent",
        "NoClassDefFoundError, connection",
        "GateTimeoutException, held-back",
        "RateTimeoutException, held-back",
        "BreakerOpenException, held-back",
        "TokenRequestException, credential",
        "unreadable response, unreadable",
        "some other text, other"
    })
    void sortsReasons(String reason, String tag) {
        assertThat(AttemptReason.of(entry(Verdict.never(reason)), false).tag()).isEqualTo(tag);
        assertThat(AttemptReason.of(entry(Verdict.retry(reason).asAmbiguous()), false)
                        .tag())
                .isEqualTo(tag);
    }

    @ParameterizedTest
    @DisplayName(
            "RETRY-7: a request for the existence of a table, queue or container finds it absent, and is not refused")
    @CsvSource({
        "true, 404 TableNotFound, absent",
        "true, 404 ResourceNotFound, absent",
        "true, 404 QueueNotFound, absent",
        "true, 404 ContainerNotFound (secondary), absent",
        "true, 403 AuthenticationFailed, refused",
        "false, 404 TableNotFound, refused",
        "false, 404 QueueNotFound, refused"
    })
    void sortsExistenceChecks(boolean existenceCheck, String reason, String tag) {
        assertThat(AttemptReason.of(entry(Verdict.never(reason)), existenceCheck)
                        .tag())
                .isEqualTo(tag);
    }

    @Property
    @Label("whatever the text, there is a kind for it")
    void anyText(@ForAll String reason) {
        assertThat(AttemptReason.of(entry(Verdict.never(reason)), false)).isNotNull();
        assertThat(AttemptReason.of(entry(Verdict.remedied(reason)), true)).isEqualTo(AttemptReason.REMEDIED);
    }

    private static AttemptEnd entry(Verdict verdict) {
        return verdict.entry(1, Duration.ZERO, Duration.ZERO);
    }
}
