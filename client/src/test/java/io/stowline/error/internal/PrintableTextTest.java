package io.stowline.error.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.BadRequestException;
import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.TransactionFailedException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PrintableTextTest {

    private static FailureDetails failure(String resource, String message) {
        return new FailureDetails(
                "upload",
                resource,
                400,
                "InvalidInput",
                message,
                1,
                0,
                Duration.ZERO,
                null,
                "id",
                null,
                "a retry cannot help");
    }

    @Test
    @DisplayName("RETRY-7: neither a name nor a text of the service breaks the line or drives the terminal")
    void oneLine() {
        FailureDetails failure =
                failure("photos/a\n2026 ERROR forged\r\u001b[31m\u0085\u2028\u202e.jpg", "no\tgood\u0000");
        BadRequestException error = new BadRequestException(failure, null);

        assertThat(error.getMessage())
                .contains("photos/a\\n2026 ERROR forged\\r\\u001B[31m\\u0085\\u2028\\u202E.jpg")
                .contains("no\\tgood\\u0000")
                .isEqualTo(failure.describe());
        assertThat(failure).hasToString(failure.describe());
        assertThat(new OutcomeUnknownException(failure, "seen\nthere", error)).hasMessageContaining("seen\\nthere");
        assertThat(new TransactionFailedException(0, error).getMessage()).doesNotContain("\n");
    }

    @Test
    @DisplayName("RETRY-7: what is plain stays as it is, and what is endless is cut")
    void plain() {
        assertThat(PrintableText.of("Größe 漢字 \\n 'ok'")).isEqualTo("Größe 漢字 \\n 'ok'");
        assertThat(PrintableText.of("x".repeat(6_000))).hasSize(6_000);
        assertThat(PrintableText.of("x".repeat(6_001))).hasSize(6_001).endsWith("…");
        assertThat(PrintableText.of("\n".repeat(10_000))).hasSize(12_001);
    }
}
