package io.stowline.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestIdsTest {

    @Test
    void areUuidsOfVersionFour() {
        for (int i = 0; i < 1_000; i++) {
            UUID id = UUID.fromString(RequestIds.next());
            assertThat(id.version()).isEqualTo(4);
            assertThat(id.variant()).isEqualTo(2);
        }
    }

    @Test
    void neverComeTwice() {
        Set<String> ids = IntStream.range(0, 200_000)
                .parallel()
                .mapToObj(i -> RequestIds.next())
                .collect(Collectors.toSet());
        assertThat(ids).hasSize(200_000).allMatch(id -> id.length() == 36);
    }
}
