package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.error.AuthenticationException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.projection.Mapping;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.query.PointReads;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Reads of many entities by their keys, over a service that responds at once. */
class PointReadsTest {

    private static final AtomicInteger DECODED = new AtomicInteger();

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final AtomicInteger responses = new AtomicInteger();
    private final AtomicInteger maxUndecoded = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();
    private Function<Integer, Integer> status = number -> 200;

    /** A row that counts how often it is decoded. */
    record Row(@PartitionKey String partition, @RowKey String row) {

        Row {
            DECODED.incrementAndGet();
            if (row.equals("bad")) {
                throw new IllegalStateException("a bad row");
            }
        }
    }

    private Table<Row> table() {
        DECODED.set(0);
        RetrySettings once = RetrySettings.builder().retries(0).build();
        ClientSettings settings = Bench.settings(1_000, once);
        TableService service = new TableService(
                Bench.account(),
                SimulatedConnection.open(
                        new SimulatedConnection.Machine(time, Bench.START, new Random(1), Runnable::run),
                        settings,
                        true,
                        this::respond),
                once,
                ScanPolicy.ALLOW);
        return DefaultTable.of(service, "rows", Row.class, Mapping.standard());
    }

    private Mono<HttpResponse> respond(HttpRequest request, SimulatedConnection.Line line) {
        String url = request.getUrl().toString();
        String row = url.replaceAll(".*RowKey='([^']*)'.*", "$1");
        return Mono.defer(() -> {
                    line.begin();
                    int number = responses.incrementAndGet();
                    maxUndecoded.accumulateAndGet(number - DECODED.get(), Math::max);
                    int code = status.apply(number);
                    if (code == 0) {
                        return Mono.never();
                    }
                    String json = code == 200
                            ? "{\"PartitionKey\":\"p\",\"RowKey\":\"" + row + "\"}"
                            : Bench.jsonError("AuthorizationFailure", "no");
                    HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.ETAG, "W/\"1\"");
                    return Mono.just(SimulatedConnection.response(
                            request, code, headers, json.getBytes(StandardCharsets.UTF_8)));
                })
                .doOnCancel(cancelled::incrementAndGet);
    }

    private static List<EntityKey> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new EntityKey("p", "r" + i))
                .toList();
    }

    private static List<StoredEntity<Row>> read(Table<Row> table, List<EntityKey> keys, boolean reactive) {
        return reactive ? table.reactive().findAll(keys).block(Duration.ofSeconds(60)) : table.findAll(keys);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("reads by keys decode each response as it comes, so that no more wait than are in flight")
    void decodesAsTheyCome(boolean reactive) {
        List<StoredEntity<Row>> found = read(table(), keys(2_000), reactive);

        assertThat(found)
                .extracting(each -> each.value().row())
                .containsExactlyElementsOf(
                        keys(2_000).stream().map(EntityKey::rowKey).toList());
        assertThat(DECODED).hasValue(2_000);
        assertThat(maxUndecoded.get()).isLessThanOrEqualTo(PointReads.IN_FLIGHT + 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a read by keys that fails ends the call and cancels the others")
    void failsAsAWhole(boolean reactive) {
        status = number -> number == 20 ? 403 : number >= 10 ? 0 : 200;
        Table<Row> table = table();

        assertThatExceptionOfType(AuthenticationException.class).isThrownBy(() -> read(table, keys(200), reactive));
        assertThat(cancelled.get()).isPositive();
        assertThat(responses.get()).isLessThan(60);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a row that cannot be read ends a read by keys and cancels the others")
    void unreadableRow(boolean reactive) {
        status = number -> number > 20 ? 0 : 200;
        Table<Row> table = table();
        List<EntityKey> keys = new ArrayList<>(keys(200));
        keys.set(3, new EntityKey("p", "bad"));

        assertThatExceptionOfType(UnreadableEntityException.class)
                .isThrownBy(() -> read(table, keys, reactive))
                .satisfies(e -> assertThat(e.rowKey()).isEqualTo("bad"));
        assertThat(responses.get()).isLessThan(60);
    }

    @Test
    @DisplayName("RETRY-8: an interrupt ends a blocking read by keys, cancels its reads and restores the flag")
    void interrupted() {
        Thread caller = Thread.currentThread();
        status = number -> {
            if (number == 10) {
                caller.interrupt();
            }
            return number >= 10 ? 0 : 200;
        };
        Table<Row> table = table();

        assertThatExceptionOfType(StorageInterruptedException.class).isThrownBy(() -> table.findAll(keys(200)));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(cancelled.get()).isPositive();
    }

    @Test
    @DisplayName("the list of a read by keys cannot be changed")
    void givesAListThatStays() {
        List<StoredEntity<Row>> found = table().findAll(keys(3));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> found.remove(0));
    }
}
