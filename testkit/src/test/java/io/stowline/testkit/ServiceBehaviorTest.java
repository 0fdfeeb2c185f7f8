package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.testkit.internal.Stage;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceBehaviorTest {

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void refusesFiguresBelowOne(int figure) {
        assertThatThrownBy(() -> ServiceBehavior.emptyPagesEvery(figure)).hasMessage("n must be at least 1: " + figure);
        assertThatThrownBy(() -> ServiceBehavior.smallPages(figure)).hasMessage("n must be at least 1: " + figure);
        assertThatThrownBy(() -> ServiceBehavior.beingDeleted(figure))
                .hasMessage("requests must be at least 1: " + figure);
        assertThatThrownBy(() -> ServiceBehavior.throttled(figure, Duration.ZERO))
                .hasMessage("everyNth must be at least 1: " + figure);
    }

    @Test
    void refusesANegativeWait() {
        assertThatThrownBy(() -> ServiceBehavior.throttled(1, Duration.ofSeconds(-1)))
                .hasMessage("retryAfter must not be negative: PT-1S");
    }

    @Test
    void startsFromTheBeginningForEachProxy() throws IOException {
        ServiceBehavior second = ServiceBehavior.throttled(2, Duration.ZERO);
        Stage one = second.stage();
        Stage other = second.stage();

        assertThat(send(one)).isEqualTo(200);
        assertThat(send(one)).isEqualTo(503);
        assertThat(send(other)).isEqualTo(200);
    }

    @Test
    void namesItself() {
        assertThat(ServiceBehavior.emptyPages()).hasToString("ServiceBehavior[emptyPagesEvery(1)]");
        assertThat(ServiceBehavior.clockBehind(Duration.ofHours(1)).toString()).contains("PT-1H");
        assertThat(ServiceBehavior.entitiesNotModified()).hasToString("ServiceBehavior[entitiesNotModified]");
        assertThat(ServiceBehavior.jsonErrors()).hasToString("ServiceBehavior[jsonErrors]");
    }

    private static int send(Stage stage) throws IOException {
        SentRequest request = SentRequest.of("GET", "/a", Map.of(), new byte[0]);
        return stage.response(request, passed -> StubResponse.of(200)).status();
    }
}
