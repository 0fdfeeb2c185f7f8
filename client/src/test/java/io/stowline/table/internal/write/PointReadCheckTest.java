package io.stowline.table.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.error.FailureDetails;
import io.stowline.error.ProtocolException;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.request.QueryClass;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QuerySpec;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.PageTrail;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

class PointReadCheckTest {

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final TableOperations operations = Operations.client(bench.pipeline());

    private Outcome<?> find() {
        return bench.start(operations.find("p", "r", null, MetadataLevel.NONE));
    }

    @Test
    void theEntityIsAccepted() {
        wire.responds(200, "{\"odata.metadata\":\"x\",\"RowKey\":\"r\",\"PartitionKey\":\"p\",\"Text\":\"x\"}");

        assertThat(find().value()).isNotNull();
    }

    @ParameterizedTest
    @DisplayName("MAP-2: a response with other keys than those asked for, or without them, is not the entity")
    @CsvSource(
            delimiter = ';',
            value = {
                "{'PartitionKey':'q','RowKey':'r'};PartitionKey is 'q' instead of 'p'",
                "{'PartitionKey':'p','RowKey':'R'};RowKey is 'R' instead of 'r'",
                "{'PartitionKey':'p','RowKey':null};RowKey is 'null' instead of 'r'",
                "{'RowKey':'r'};it has no PartitionKey",
                "{'PartitionKey':'p'};it has no RowKey",
                "{};it has no PartitionKey"
            },
            quoteCharacter = '"')
    void otherKeys(String json, String wrong) {
        wire.responds(200, json.replace('\'', '"'));

        assertThat(find().error()).isInstanceOf(ProtocolException.class).hasMessageContaining(wrong);
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: the error of a response that cannot be read names operation, table, keys and both ids")
    @ValueSource(strings = {"<html>Please log in</html>", "{\"PartitionKey\":\"p\",\"RowKey\":\"other\"}"})
    void namesWhatWasRequested(String page) {
        wire.responds(200, page, "x-ms-request-id", "theirs");
        FailureDetails failure = find().storageError().failure();

        assertThat(failure.operation()).isEqualTo("find");
        assertThat(failure.resource()).isEqualTo("notes(p, r)");
        assertThat(failure.status()).isEqualTo(200);
        assertThat(failure.requestId()).isEqualTo("theirs");
        assertThat(failure.clientRequestId()).isEqualTo(wire.last().header("x-ms-client-request-id"));
        assertThat(failure.attempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-7: the error of a page that cannot be read names the query, its table and both ids")
    void namesTheQuery() {
        wire.responds(200, "{}", "x-ms-request-id", "theirs");
        QuerySpec all =
                new QuerySpec(null, null, MetadataLevel.NONE, null, null, QueryClass.TABLE_SCAN, false, null, 0);
        QueryPage page = bench.start(operations.page(all, PageTrail.start(Schedulers.parallel()), null))
                .value();

        assertThat(catchThrowable(() -> RowDecoder.rows(page, Operations.CODEC.reader())))
                .isInstanceOf(ProtocolException.class)
                .hasMessageStartingWith("query notes: the response is ")
                .hasMessageContaining("last response 200")
                .hasMessageContaining("no list of rows")
                .hasMessageContaining("a response of 2 bytes")
                .hasMessageContaining(
                        "client-request-id " + wire.last().header("x-ms-client-request-id") + "; request-id theirs");
    }
}
