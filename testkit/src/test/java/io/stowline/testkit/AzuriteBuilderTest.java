package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AzuriteBuilderTest {

    final Azurite.Builder builder = Azurite.builder();

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "UPPER", "with-dash", "colon:name", "1234567890123456789012345"})
    void refusesABadAccountName(String name) {
        assertThatThrownBy(() -> builder.account(name, "a2V5"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("account name must be 3 to 24 lower-case letters and digits: '" + name + "'");
    }

    @Test
    void refusesABadKeyWithoutShowingIt() {
        assertThatThrownBy(() -> builder.account("good", "not*base64"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the key of account 'good' is not Base64");
        assertThatThrownBy(() -> builder.account("good", "")).hasMessage("the key of account 'good' is empty");
    }

    @Test
    void refusesAnAccountThatIsThere() {
        builder.account("good", "a2V5");

        assertThatThrownBy(() -> builder.account("good", "a2V5")).hasMessageContaining("'good'");
        assertThatThrownBy(() -> builder.account("devstoreaccount1", "a2V5")).hasMessageContaining("taken already");
    }

    @Test
    void refusesTimesThatAreTooShort() {
        assertThatThrownBy(() -> builder.keepAliveTimeout(Duration.ofMillis(999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("keepAliveTimeout must be at least 1 s: PT0.999S");
        assertThatThrownBy(() -> builder.startTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("startTimeout must be positive: PT0S");
        assertThatThrownBy(() -> builder.startTimeout(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
    }

    @Test
    void acceptsTheShortestTimes() {
        assertThat(builder.keepAliveTimeout(Duration.ofSeconds(1)).startTimeout(Duration.ofMillis(1)))
                .isSameAs(builder);
    }
}
