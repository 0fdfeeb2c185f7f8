package io.stowline.table.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.table.internal.request.Operations;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.FakeWire;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TableHeaderTest {

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final TableOperations operations = Operations.client(bench.pipeline());

    @Test
    void allAttemptsAndReadBacksCarryIt() {
        wire.breaks(new IOException("reset"))
                .responds(409, Bench.jsonError("EntityAlreadyExists", "text"))
                .responds(404, Bench.jsonError("ResourceNotFound", "text"));
        bench.start(operations.header("x-ms-tenant", "a").write(Operations.insert("r0")));
        bench.pass(Duration.ofSeconds(10));

        assertThat(wire.sent()).hasSize(3).allSatisfy(sent -> assertThat(sent.header("x-ms-tenant"))
                .isEqualTo("a"));
        assertThat(wire.last().method()).isEqualTo("GET");
    }

    @Test
    void theOtherSettingsOfAViewStay() {
        wire.responds(204, "", "ETag", "W/\"7\"");
        TableOperations view = operations
                .with(operations.retry().toBuilder().retries(1).build())
                .header("x-ms-tenant", "a")
                .header("x-b", "2");
        bench.start(view.with(view.markers()).write(Operations.insert("r0"))).value();

        assertThat(view.retry().retries()).isEqualTo(1);
        assertThat(wire.last().header("x-ms-tenant")).isEqualTo("a");
        assertThat(wire.last().header("x-b")).isEqualTo("2");
    }

    @Test
    void aViewWithoutItDoesNotCarryIt() {
        operations.header("x-ms-tenant", "a");
        wire.responds(204, "", "ETag", "W/\"7\"");
        bench.start(operations.write(Operations.insert("r0"))).value();

        assertThat(wire.last().header("x-ms-tenant")).isNull();
    }

    @Test
    void refusesWhatIsNotAllowed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> operations.header("If-Match", "*"))
                .withMessageContaining("If-Match");
    }
}
