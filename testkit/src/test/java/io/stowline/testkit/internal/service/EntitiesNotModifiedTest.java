package io.stowline.testkit.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.strict.StrictProbe;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EntitiesNotModifiedTest {

    private static final StrictProbe READ = StrictProbe.table("GET", "/T(PartitionKey='p',RowKey='r')");
    private static final StubResponse ENTITY =
            StubResponse.of(200).header("ETag", "W/\"1\"").body("application/json", "{\"a\":1}");

    private final ServiceExchange exchange = new ServiceExchange(new EntitiesNotModified(), request -> ENTITY);

    @Test
    @DisplayName("CACHE-1: the read of an entity that the client has is answered 304")
    void respondsNotModified() throws IOException {
        StubResponse response = exchange.send(READ.header("If-None-Match", "W/\"1\""));

        assertThat(response.status()).isEqualTo(304);
        assertThat(response.bodyLength()).isZero();
        assertThat(response.header("ETag")).isEqualTo("W/\"1\"");
        assertThat(response.header("Content-Type")).isNull();
        assertThat(response.header("x-ms-error-code")).isEqualTo("ConditionNotMet");
    }

    @Test
    void respondsWhatHasChanged() throws IOException {
        assertThat(exchange.send(READ.header("If-None-Match", "W/\"2\"")).text())
                .isEqualTo("{\"a\":1}");
        assertThat(exchange.send(READ).status()).isEqualTo(200);
    }

    @Test
    void leavesAllElseAlone() throws IOException {
        StrictProbe query = StrictProbe.table("GET", "/T()").header("If-None-Match", "W/\"1\"");
        StrictProbe blob =
                StrictProbe.blob("GET", "/c/b(PartitionKey='p',RowKey='r')").header("If-None-Match", "W/\"1\"");

        assertThat(exchange.send(query).status()).isEqualTo(200);
        assertThat(exchange.send(blob).status()).isEqualTo(200);
    }

    @Test
    void leavesErrorsAlone() throws IOException {
        ServiceExchange missing = new ServiceExchange(
                new EntitiesNotModified(), request -> StubResponse.of(404).header("ETag", "W/\"1\""));

        assertThat(missing.send(READ.header("If-None-Match", "W/\"1\"")).status())
                .isEqualTo(404);
    }
}
