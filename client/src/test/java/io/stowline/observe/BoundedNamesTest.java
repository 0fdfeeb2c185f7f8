package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.micrometer.common.KeyValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoundedNamesTest {

    private final StowlineObservationConvention two = StowlineObservationConvention.withResourceNames(2);

    private String name(String service, String resource) {
        return two
                .getLowCardinalityKeyValues(
                        new StowlineObservationContext(new OperationInfo("acct", service, "insert", resource)))
                .stream()
                .filter(key -> key.getKey().equals("resource.name"))
                .map(KeyValue::getValue)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "table; registrations(p, r); registrations",
                "table; registrations; registrations",
                "queue; orders-2; orders-2",
                "queue; orders(17); orders",
                "blob; $web/a/b(c).txt; $web",
                "table; the list of tables; none"
            })
    void isTheFirstPartOfWhatItIsRequestedOf(String service, String resource, String name) {
        assertThat(name(service, resource)).isEqualTo(name);
    }

    @Test
    void theFirstNamesHaveTheirOwnValues() {
        assertThat(name("table", "a(1, 1)")).isEqualTo("a");
        assertThat(name("queue", "b")).isEqualTo("b");
        assertThat(name("table", "c")).isEqualTo("other");
        assertThat(name("queue", "a")).isEqualTo("other");
        assertThat(name("table", "a(2, 2)")).isEqualTo("a");
        assertThat(name("queue", "b")).isEqualTo("b");
    }

    @Test
    void keepsTheOtherKeys() {
        assertThat(two
                        .getLowCardinalityKeyValues(
                                new StowlineObservationContext(new OperationInfo("acct", "table", "insert", "a")))
                        .stream()
                        .map(KeyValue::getKey))
                .contains("account", "service", "operation", "outcome", "exception", "resource.name");
    }

    @Test
    void needsOneNameAtLeast() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StowlineObservationConvention.withResourceNames(0))
                .withMessageContaining("not 0");
    }
}
