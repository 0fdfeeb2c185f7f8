package io.stowline.benchmarks.side;

import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Latencies;
import io.stowline.benchmarks.side.work.Orders;
import io.stowline.benchmarks.side.work.Pump;
import io.stowline.benchmarks.side.work.Readings;
import io.stowline.benchmarks.side.work.Repetition;
import io.stowline.benchmarks.side.work.Task;
import java.util.ArrayList;
import java.util.List;
import reactor.netty.resources.LoopResources;

/** The workloads as one would write them by hand with azure-data-tables, at their best. */
final class SdkSide {

    private static final int BATCH = 100;

    private final TableAsyncClient written;
    private final TableAsyncClient read;
    private final TableClient blocking;
    private final TableClient blockingWritten;

    SdkSide(Account account) {
        TableServiceClientBuilder builder = new TableServiceClientBuilder()
                .endpoint(account.endpoint())
                .credential(account.credential())
                .httpClient(http());
        this.written = builder.buildAsyncClient().getTableClient(Account.WRITTEN);
        this.read = builder.buildAsyncClient().getTableClient(Account.READ);
        this.blocking = builder.buildClient().getTableClient(Account.READ);
        this.blockingWritten = builder.buildClient().getTableClient(Account.WRITTEN);
    }

    /**
     * Returns a client with one event loop for each core: its default has four where there is one core, which is
     * slower.
     */
    static HttpClient http() {
        LoopResources loops = LoopResources.create("sdk", Runtime.getRuntime().availableProcessors(), true);
        return new NettyAsyncHttpClientBuilder()
                .eventLoopGroup(loops.onClient(true))
                .build();
    }

    Task pointReads(int inFlight, int rows) {
        return new Pump(inFlight, 1, n -> read.getEntity(Orders.partition(n % rows), Orders.row(n % rows)));
    }

    Task upserts(int inFlight) {
        return new Pump(
                inFlight,
                1,
                n -> written.upsertEntityWithResponse(
                        Orders.entity(Orders.partition(n), n), TableEntityUpdateMode.REPLACE));
    }

    /** Reads one row after the other, blocking. */
    Task readsOneByOne(int rows) {
        return Latencies.each(n -> blocking.getEntity(Orders.partition(n % rows), Orders.row(n % rows)));
    }

    /** Upserts one row after the other, blocking. */
    Task upsertsOneByOne() {
        return Latencies.each(n -> blockingWritten.upsertEntityWithResponse(
                Orders.entity(Orders.partition(n), n), TableEntityUpdateMode.REPLACE, null, null));
    }

    /** Groups by hand: each transaction has a hundred entities of one partition. */
    Task ingest(int inFlight) {
        return transactions(inFlight, Orders::entity);
    }

    /** Groups entities of more types by hand. */
    Task readings(int inFlight) {
        return transactions(inFlight, Readings::entity);
    }

    private Task transactions(int inFlight, EntityOf entity) {
        return new Pump(inFlight, BATCH, n -> written.submitTransaction(group(n, entity)));
    }

    private static List<TableTransactionAction> group(long n, EntityOf entity) {
        String partition = Orders.partition(n);
        List<TableTransactionAction> actions = new ArrayList<>(BATCH);
        for (int i = 0; i < BATCH; i++) {
            actions.add(new TableTransactionAction(
                    TableTransactionActionType.UPSERT_REPLACE, entity.make(partition, n * BATCH + i)));
        }
        return actions;
    }

    Task blockingScan(boolean projected) {
        return new Repetition(() -> blocking.listEntities(options(projected), null, null).stream()
                .mapToLong(SdkSide::quantity)
                .filter(quantity -> quantity > 0)
                .count());
    }

    Task reactiveScan(boolean projected) {
        return new Repetition(() -> {
            Long count = read.listEntities(options(projected))
                    .filter(entity -> quantity(entity) > 0)
                    .count()
                    .block();
            return count == null ? 0 : count;
        });
    }

    private static ListEntitiesOptions options(boolean projected) {
        ListEntitiesOptions options = new ListEntitiesOptions();
        return projected ? options.setSelect(Orders.BRIEF) : options;
    }

    private static long quantity(TableEntity entity) {
        return (Integer) entity.getProperty("quantity");
    }

    /** A function that makes an entity of a partition by its number. */
    @FunctionalInterface
    private interface EntityOf {

        TableEntity make(String partition, long n);
    }
}
