package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.FailureDetails;
import io.stowline.error.ProtocolException;
import io.stowline.transport.internal.error.FailureFacts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EndRulesTest {

    private static FailureDetails failed(int status, @Nullable String code, @Nullable String requestId) {
        return FailureFacts.of("insert", "runners")
                .status(status, code)
                .ids("c", requestId)
                .because("refused", "a retry cannot help");
    }

    @Test
    @DisplayName("WORLD-4: a gateway's refusal neither pauses a writer nor ends an item, but for its size")
    void gateway() {
        ProtocolException forbidden = new ProtocolException(failed(403, null, null), null);
        assertThat(EndRules.pauses(forbidden)).isFalse();
        assertThat(EndRules.isFinal(forbidden)).isFalse();
        assertThat(EndRules.isFinal(new BadRequestException(failed(400, null, null), null)))
                .isFalse();
        assertThat(EndRules.isFinal(new BadRequestException(failed(413, null, null), null)))
                .isTrue();
    }

    @Test
    void service() {
        assertThat(EndRules.pauses(
                        new AuthenticationException(failed(403, "AuthorizationPermissionMismatch", "r"), null)))
                .isTrue();
        assertThat(EndRules.isFinal(new BadRequestException(failed(400, "InvalidInput", "r"), null)))
                .isTrue();
        assertThat(EndRules.isFinal(new BadRequestException(failed(400, null, "r"), null)))
                .isTrue();
    }
}
