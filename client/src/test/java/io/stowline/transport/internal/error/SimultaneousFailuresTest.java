package io.stowline.transport.internal.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Exceptions;

class SimultaneousFailuresTest {

    @Test
    @DisplayName("RETRY-7: of requests that fail at the same moment one failure is reported, with its facts")
    void firstOfSeveral() {
        IllegalStateException one = new IllegalStateException("one");
        IllegalStateException other = new IllegalStateException("other");

        assertThat(SimultaneousFailures.first(Exceptions.multiple(one, other))).isSameAs(one);
        assertThat(one).hasSuppressedException(other);
        assertThat(SimultaneousFailures.first(other)).isSameAs(other).hasNoSuppressedExceptions();
    }
}
