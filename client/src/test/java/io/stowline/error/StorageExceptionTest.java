package io.stowline.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StorageExceptionTest {

    private static final FailureDetails FULL = new FailureDetails(
            "insert",
            "t(p, r)",
            409,
            "EntityAlreadyExists",
            "The entity exists.",
            3,
            1,
            Duration.ofMillis(1_234),
            Duration.ofSeconds(5),
            "mine",
            "theirs",
            "a retry cannot help");

    @Test
    @DisplayName("RETRY-7: one line tells everything")
    void describesEverything() {
        assertThat(FULL.describe())
                .isEqualTo("insert t(p, r): 409 EntityAlreadyExists The entity exists. [a retry cannot help; attempts"
                        + " 3 (1 may have been applied without a response); elapsed 1234 ms; the service requested"
                        + " a wait of 5000 ms; client-request-id mine; request-id theirs]");
    }

    @Test
    @DisplayName("RETRY-7: what is not known is left out")
    void leavesOutWhatIsNotKnown() {
        FailureDetails bare =
                new FailureDetails("find", "t", 0, null, "reset", 1, 0, Duration.ZERO, null, "mine", null, "ending");

        assertThat(bare.describe())
                .isEqualTo("find t: reset [ending; attempts 1; elapsed 0 ms; client-request-id mine]");
    }

    @Test
    @DisplayName("RETRY-7: the status of a success stands behind the message, which it does not refuse")
    void successIsNoRefusal() {
        FailureDetails read = new FailureDetails(
                "upload", "b", 200, null, "there is a blob", 1, 0, Duration.ZERO, null, "mine", null, "end");

        assertThat(read.describe())
                .isEqualTo("upload b: there is a blob [end; attempts 1; last response 200; elapsed 0 ms;"
                        + " client-request-id mine]");
    }

    @Test
    void sameFactsForAnotherOperation() {
        FailureDetails other = FULL.of("delete", "t(p, s)");

        assertThat(other.operation()).isEqualTo("delete");
        assertThat(other.resource()).isEqualTo("t(p, s)");
        assertThat(other.of("insert", "t(p, r)")).isEqualTo(FULL);
    }

    @Test
    void needsWhatIsAlwaysKnown() {
        assertThatNullPointerException().isThrownBy(() -> FULL.of(null, "x"));
        assertThatNullPointerException().isThrownBy(() -> FULL.of("x", null));
    }

    @Test
    void transactionNamesItsOperation() {
        ConflictException cause = new ConflictException(FULL, null);
        TransactionFailedException failed = new TransactionFailedException(7, cause);

        assertThat(failed.index()).isEqualTo(7);
        assertThat(failed.failure()).isSameAs(FULL);
        assertThat(failed).hasCause(cause).hasMessage("operation 7 of the transaction failed: " + FULL.describe());
    }

    @Test
    void interruptionTellsWhatIsOpen() {
        assertThat(new StorageInterruptedException(new InterruptedException()))
                .hasMessageContaining("may have been applied")
                .hasCauseInstanceOf(InterruptedException.class);
    }
}
