package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import io.stowline.StorageRetryPolicy;
import io.stowline.retry.Backoff;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** The SDK's clients of tables alone, and with {@link StorageRetryPolicy}, when responses are lost. */
@AzuriteTest
@Timeout(180)
class ForeignTableIT {

    private static final HttpClient NETTY = new NettyAsyncHttpClientBuilder().build();

    private final LosingClient losing = new LosingClient(NETTY);
    private final String name = "n" + UUID.randomUUID().toString().replace("-", "");
    private String azurite;

    @BeforeEach
    void prepare(TestStorage storage) {
        azurite = storage.connectionString();
    }

    private TableClientBuilder table(HttpClient http) {
        return new TableClientBuilder()
                .connectionString(azurite)
                .tableName(name)
                .httpClient(http);
    }

    private TableClient alone() {
        return table(losing)
                .retryOptions(new RetryOptions(new FixedDelayOptions(2, Duration.ofMillis(1))))
                .buildClient();
    }

    private TableClient withThePolicy(HttpClient http) {
        StorageRetryPolicy policy = StorageRetryPolicy.builder()
                .retry(retry ->
                        retry.backoff(Backoff.fixed(Duration.ofMillis(1))).retries(2))
                .build();
        return table(http)
                .retryOptions(StorageRetryPolicy.sdkRetryOff())
                .addPolicy(policy)
                .buildClient();
    }

    private static TableEntity entity(String row) {
        return new TableEntity("p", row).addProperty("a", 1);
    }

    @Test
    @DisplayName("RETRY-11: the SDK alone reports an insert of its own as a conflict, and a transaction of its own as"
            + " rolled back")
    void sdkAloneReportsItsOwnDoing() {
        TableClient table = alone();
        table.createTable();
        losing.loseTheNext();
        assertThatExceptionOfType(TableServiceException.class)
                .isThrownBy(() -> table.createEntity(entity("1")))
                .satisfies(e -> assertThat(e.getResponse().getStatusCode()).isEqualTo(409));
        losing.loseTheNext();
        assertThatExceptionOfType(TableTransactionFailedException.class)
                .isThrownBy(() -> table.submitTransaction(
                        List.of(new TableTransactionAction(TableTransactionActionType.CREATE, entity("2")))))
                .withMessageContaining("rolled back");

        assertThat(table.listEntities()).hasSize(2);
    }

    @Test
    @DisplayName("RETRY-11: with the policy the response is not made up: the lost response is what the caller sees")
    void lostResponsesOfTables() {
        TableClient table = withThePolicy(losing);
        table.createTable();

        losing.loseTheNext();
        assertThat(catchThrowable(() -> table.createEntity(entity("1")))).hasRootCauseInstanceOf(IOException.class);
        assertThat(losing.sent()).isEqualTo(1);
        losing.loseTheNext();
        assertThat(catchThrowable(() -> table.submitTransaction(
                        List.of(new TableTransactionAction(TableTransactionActionType.CREATE, entity("2"))))))
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(losing.sent()).isEqualTo(1);
        losing.loseTheNext();
        table.upsertEntity(entity("3"));
        assertThat(losing.sent()).isEqualTo(2);

        assertThat(table.listEntities()).hasSize(3);
    }

    private static Arguments repeated(String what, Consumer<TableClient> request) {
        return Arguments.of(what, request, 3);
    }

    private static Arguments once(String what, Consumer<TableClient> request) {
        return Arguments.of(what, request, 1);
    }

    static Stream<Arguments> tableRequests() {
        return Stream.of(
                repeated("get", table -> table.getEntity("p", "r")),
                repeated("list", table -> table.listEntities().forEach(entity -> {})),
                repeated("insert or merge", table -> table.upsertEntity(entity("r"))),
                repeated(
                        "insert or replace",
                        table -> table.upsertEntityWithResponse(
                                entity("r"), TableEntityUpdateMode.REPLACE, null, Context.NONE)),
                repeated("update", table -> table.updateEntity(entity("r"), TableEntityUpdateMode.REPLACE)),
                repeated("set access policies", table -> table.setAccessPolicies(List.of())),
                once("insert", table -> table.createEntity(entity("r"))),
                once(
                        "update of a known one",
                        table -> table.updateEntityWithResponse(
                                entity("r").addProperty("odata.etag", "W/\"1\""),
                                TableEntityUpdateMode.MERGE,
                                true,
                                null,
                                Context.NONE)),
                once("delete", table -> table.deleteEntity("p", "r")),
                once(
                        "transaction",
                        table -> table.submitTransaction(List.of(
                                new TableTransactionAction(TableTransactionActionType.UPSERT_MERGE, entity("r"))))),
                once("create table", TableClient::createTable),
                once("delete table", TableClient::deleteTable));
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("RETRY-11: what of a table is sent again after lost answers")
    @MethodSource("tableRequests")
    void tableRequestsAfterLostResponses(String what, Consumer<TableClient> request, int expected) {
        AtomicInteger sent = new AtomicInteger();
        HttpClient dead = lost -> {
            sent.incrementAndGet();
            return Mono.error(new IOException("connection reset"));
        };
        TableClient table = withThePolicy(dead);

        assertThat(catchThrowable(() -> request.accept(table))).hasRootCauseInstanceOf(IOException.class);
        assertThat(sent).hasValue(expected);
    }
}
