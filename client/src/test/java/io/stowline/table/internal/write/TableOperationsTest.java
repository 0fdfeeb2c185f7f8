package io.stowline.table.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.ProtocolException;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.client.NameListing;
import io.stowline.transport.internal.http.FakeWire;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class TableOperationsTest {

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final TableOperations operations = Operations.client(bench.pipeline());

    private <A> A value(Mono<A> mono) {
        return bench.start(mono).value();
    }

    @Test
    void createsATable() {
        wire.responds(204, "");
        value(operations.create());

        assertThat(wire.last().method()).isEqualTo("POST");
        assertThat(wire.last().url()).isEqualTo(Bench.ROOT + "/Tables?timeout=30");
        assertThat(wire.last().body()).isEqualTo("{\"TableName\":\"notes\"}");
        assertThat(wire.last().header("Accept")).isEqualTo("application/json;odata=nometadata");
        assertThat(wire.last().header("DataServiceVersion")).isEqualTo("3.0");
    }

    @Test
    void createIfMissingSaysWhetherItDid() {
        wire.responds(204, "")
                .responds(409, Bench.jsonError("TableAlreadyExists", "text"))
                .responds(409, Bench.jsonError("OtherConflict", "text"));

        assertThat(value(operations.createIfMissing())).isTrue();
        assertThat(value(operations.createIfMissing())).isFalse();
        assertThat(bench.start(operations.createIfMissing()).error()).isInstanceOf(ConflictException.class);
    }

    @Test
    @DisplayName("RETRY-3: a table that is still being deleted is worth waiting for when it is made anew")
    void createWaitsForTheOldOneToGo() {
        wire.responds(409, Bench.jsonError("TableBeingDeleted", "text")).responds(204, "");
        var made = bench.start(operations.createIfMissing());
        bench.pass(Duration.ofSeconds(2));

        assertThat(made.value()).isTrue();
    }

    @Test
    void deletesATable() {
        wire.responds(204, "").responds(204, "").responds(404, Bench.jsonError("ResourceNotFound", "text"));

        value(operations.delete());
        assertThat(wire.last().method()).isEqualTo("DELETE");
        assertThat(wire.last().url()).isEqualTo(Bench.ROOT + "/Tables(%27notes%27)?timeout=30");
        assertThat(value(operations.deleteIfExists())).isTrue();
        assertThat(value(operations.deleteIfExists())).isFalse();
    }

    @Test
    @DisplayName("T: a write gives the new ETag, a deletion none")
    void writeGivesTheEtag() {
        wire.responds(204, "", "ETag", "W/\"7\"").responds(204, "");

        assertThat(value(operations.write(Operations.insert("r")))).isEqualTo(WriteResult.confirmed("W/\"7\"", false));
        assertThat(value(operations.write(Operations.operation(EntityVerb.DELETE, "p", "r", ""))))
                .isEqualTo(WriteResult.confirmed("", false));
        assertThat(wire.last().header("If-Match")).isEqualTo("W/\"1\"");
    }

    @Test
    @DisplayName("OUTCOME-3: a missing entity is nothing, a missing table is an error")
    void findTellsEntityFromTable() {
        wire.responds(404, Bench.jsonError("ResourceNotFound", "text"))
                .responds(404, Bench.jsonError("TableNotFound", "text"));

        assertThat(value(operations.find("p", "r", null, MetadataLevel.NONE))).isNull();
        assertThat(bench.start(operations.find("p", "r", null, MetadataLevel.NONE))
                        .error())
                .isInstanceOf(NotFoundException.class);
    }

    @Test
    @DisplayName("MAP-4: keys with quotes, blanks and other scripts stand encoded in the address")
    void findEncodesItsKeys() {
        wire.responds(200, "{\"PartitionKey\":\"O'Neil\",\"RowKey\":\"東 京\"}");
        value(operations.find("O'Neil", "東 京", List.of("RowKey", "Text"), MetadataLevel.MINIMAL));

        assertThat(wire.last().url())
                .isEqualTo(Bench.ROOT + "/notes(PartitionKey='O%27%27Neil',RowKey='%E6%9D%B1%20%E4%BA%AC')"
                        + "?$select=RowKey%2CText&timeout=30");
        assertThat(wire.last().header("Accept")).isEqualTo("application/json;odata=minimalmetadata");
    }

    @Test
    @DisplayName("RETRY-7: each subscription is an operation of its own")
    void eachSubscriptionIsAnOperation() {
        wire.responds(204, "", "ETag", "1").responds(204, "", "ETag", "2");
        Mono<WriteResult> write = operations.write(Operations.insert("r"));

        assertThat(wire.sent()).isEmpty();
        assertThat(value(write).etag()).isEqualTo("1");
        assertThat(value(write).etag()).isEqualTo("2");
        assertThat(wire.sent().get(0).header("x-ms-client-request-id"))
                .isNotEqualTo(wire.sent().get(1).header("x-ms-client-request-id"));
    }

    @Test
    void otherSettingsServeTheSameTable() {
        TableOperations impatient =
                operations.with(RetrySettings.builder().backoff(Backoff.none()).build());
        wire.responds(503, Bench.jsonError("ServerBusy", "text"));

        bench.start(impatient.write(Operations.insert("r"))).error();
        assertThat(wire.sent()).hasSize(1);
        assertThat(impatient.table()).isEqualTo("notes");
        assertThat(operations.retry()).isEqualTo(RetrySettings.defaults());
    }

    @Test
    @DisplayName("MAP-5: the names of the tables are read over all pages, an empty one and an empty token included")
    void listsTables() {
        NameListing<Continuation> list =
                TableListing.of(Operations.requests(), bench.pipeline(), RetrySettings.defaults());
        String next = "x-ms-continuation-NextTableName";
        wire.responds(200, "{\"value\":[{\"TableName\":\"a\"},{\"TableName\":\"b\"}]}", next, "")
                .responds(200, "{\"value\":[]}", next, "c d")
                .responds(200, "{\"value\":[{\"TableName\":\"c\"}]}");

        assertThat(value(list.names())).containsExactly("a", "b", "c");
        assertThat(wire.sent())
                .extracting(FakeWire.Sent::url)
                .containsExactly(
                        Bench.ROOT + "/Tables?timeout=30",
                        Bench.ROOT + "/Tables?NextTableName=&timeout=30",
                        Bench.ROOT + "/Tables?NextTableName=c%20d&timeout=30");
    }

    @Test
    @DisplayName("MAP-5: a list of tables that goes in circles ends at once")
    void listInACircle() {
        NameListing<Continuation> list =
                TableListing.of(Operations.requests(), bench.pipeline(), RetrySettings.defaults());
        String next = "x-ms-continuation-NextTableName";
        for (int i = 0; i < 10; i++) {
            wire.responds(200, "{\"value\":[]}", next, "b" + i % 2);
        }

        assertThat(bench.start(list.names()).error())
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("would never end");
        assertThat(wire.sent()).hasSizeLessThan(6);
    }

    @Test
    void listThatIsCutIsReadAgain() {
        NameListing<Continuation> list =
                TableListing.of(Operations.requests(), bench.pipeline(), RetrySettings.defaults());
        wire.responds(200, "{\"value\":[{\"TableName\":\"a").responds(200, "{\"value\":[{\"TableName\":\"a\"}]}");
        var names = bench.start(list.names());
        bench.pass(Duration.ofSeconds(2));

        assertThat(names.value()).containsExactly("a");
    }
}
