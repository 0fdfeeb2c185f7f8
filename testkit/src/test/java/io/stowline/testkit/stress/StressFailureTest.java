package io.stowline.testkit.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StressFailureTest {

    /** An exception that is known by its name. */
    private static final class ThrottledException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Status code 503, {\"odata.error\":{\"code\":\"ServerBusy\"}} | THROTTLED",
                "insert people(p, r): 503 ServerBusy The server is busy. | THROTTLED",
                "HTTP 429 | THROTTLED",
                "Too many requests | THROTTLED",
                "500 OperationTimedOut | TIMED_OUT",
                "Status code 408 | TIMED_OUT",
                "Status code 504, gateway | TIMED_OUT",
                "The operation timed out | TIMED_OUT",
                "404 TableNotFound, row 503 | OTHER",
                "row 000429 is refused | OTHER",
            })
    void readsTheMeaningOfMessages(String message, StressFailure meaning) {
        assertThat(StressFailure.of(new IllegalStateException(message))).isEqualTo(meaning);
    }

    @Test
    void readsNamesAndCauses() {
        assertThat(StressFailure.of(new ThrottledException())).isEqualTo(StressFailure.THROTTLED);
        assertThat(StressFailure.of(new CompletionException(new ThrottledException())))
                .isEqualTo(StressFailure.THROTTLED);
        assertThat(StressFailure.of(new TimeoutException())).isEqualTo(StressFailure.TIMED_OUT);
        assertThat(StressFailure.of(new NullPointerException())).isEqualTo(StressFailure.OTHER);
    }
}
