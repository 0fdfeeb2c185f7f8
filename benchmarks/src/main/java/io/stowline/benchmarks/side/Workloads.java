package io.stowline.benchmarks.side;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Advisor;
import io.stowline.benchmarks.side.bare.BareClient;
import io.stowline.benchmarks.side.bare.BareDownload;
import io.stowline.benchmarks.side.bare.BareExchange;
import io.stowline.benchmarks.side.bare.BareIngest;
import io.stowline.benchmarks.side.bare.BareRead;
import io.stowline.benchmarks.side.bare.BareReceive;
import io.stowline.benchmarks.side.bare.BareSend;
import io.stowline.benchmarks.side.bare.BareUpload;
import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.BestVariant;
import io.stowline.benchmarks.side.work.BlobSizes;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.benchmarks.side.work.Cities;
import io.stowline.benchmarks.side.work.Counted;
import io.stowline.benchmarks.side.work.Orders;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.benchmarks.side.work.TransferFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The work of each contender in each scenario. Clients are made when they are first needed and live until the end, so
 * that no thread ends in between.
 */
final class Workloads implements AutoCloseable {

    private static final int MANY = 32;
    private static final int BATCHES = 8;
    private static final int GETS = 16;

    private final Account near;
    private final @Nullable Account far;
    private final int rows;
    private final BlobSizes sizes;
    private final List<Runnable> open = new ArrayList<>();
    private @Nullable SdkSide sdk;
    private @Nullable StowlineSide many;
    private @Nullable StowlineSide few;
    private @Nullable TransferFiles files;

    /**
     * Makes the workloads. The far account responds late; without one the near account is no stub, and only real
     * clients can talk to it.
     */
    Workloads(Account near, @Nullable Account far, int rows, BlobSizes sizes) {
        this.near = near;
        this.far = far;
        this.rows = rows;
        this.sizes = sizes;
    }

    void prepare() {
        many().prepare(rows);
    }

    Map<Contender, Task> of(Scenario scenario) throws IOException, InterruptedException {
        return switch (scenario) {
            case POINT_READ ->
                three(many().pointReads(MANY, rows), sdk().pointReads(MANY, rows), MANY, new BareRead(near, rows));
            case POINT_READ_METERED -> two(metered().pointReads(MANY, rows), sdk().pointReads(MANY, rows));
            case POINT_READ_ADVISED -> advised(side -> side.pointReads(MANY, rows));
            case UPSERT -> two(many().upserts(MANY), sdk().upserts(MANY));
            case ONE_READ -> two(many().readsOneByOne(rows), sdk().readsOneByOne(rows));
            case ONE_UPSERT -> two(many().direct(), sdk().upsertsOneByOne());
            case INGEST -> three(few().ingest(), sdk().ingest(BATCHES), BATCHES, new BareIngest(near));
            case SCAN -> two(few().scan(), scan(sdk(), false));
            case PROJECTED -> two(few().projected(), scan(sdk(), true));
            case SINGLES -> two(many().singles(), sdk().upserts(MANY));
            case SINGLES_ADVISED -> advised(StowlineSide::singles);
            case READING_TRANSACTIONS -> two(few().readings().transactions(BATCHES), sdk().readings(BATCHES));
            case READING_SUBMISSIONS -> two(few().readings().submissions(), sdk().readings(BATCHES));
            case READING_MONOS -> two(few().readings().monos(), sdk().readings(BATCHES));
            case READING_STREAM -> two(few().readings().stream(), sdk().readings(BATCHES));
            case QUEUE_SEND -> three(many().sends(MANY), new SdkQueue(near).sends(MANY), MANY, new BareSend(near));
            case QUEUE_RECEIVE ->
                three(many().receives(), new SdkQueue(near).receives(), Orders.RECEIVED, new BareReceive(near));
            case QUEUE_CONSUME ->
                two(
                        many().consumption(() -> requests(Account.CONSUMED)),
                        new SdkQueue(near).consumption(() -> requests(Account.CONSUMED)));
            case BLOB_GET -> three(many().gets(GETS), new SdkBlobs(near).gets(GETS), GETS, new BareDownload(near));
            case BLOB_PUT -> three(many().puts(GETS), new SdkBlobs(near).puts(GETS, false), GETS, new BareUpload(near));
            case BLOB_PUT_CHECKED ->
                three(many().puts(GETS), new SdkBlobs(near).puts(GETS, true), GETS, new BareUpload(near));
            case BLOB_FILE_UP -> transfers(stowline().fileUp(), peer().fileUp(true));
            case BLOB_FILE_UP_SUMS -> transfers(stowline().fileUp(), peer().fileUp(false));
            case BLOB_FILE_DOWN -> transfers(stowline().fileDown(false), peer().fileDown(false));
            case BLOB_FILE_DOWN_SUMS -> transfers(stowline().fileDown(true), peer().fileDown(true));
            case BLOB_DIRECTORY_UP -> transfers(stowline().directoryUp(), peer().directoryUp(true));
            case BLOB_DIRECTORY_UP_SUMS -> transfers(stowline().directoryUp(), peer().directoryUp(false));
            case BLOB_DIRECTORY_DOWN -> transfers(stowline().directoryDown(false), peer().directoryDown(false));
            case BLOB_DIRECTORY_DOWN_SUMS -> transfers(stowline().directoryDown(true), peer().directoryDown(true));
            case BLOB_STREAM -> transfers(stowline().stream(), peer().stream(true));
            case BLOB_STREAM_SUMS -> transfers(stowline().stream(), peer().stream(false));
            case BLOB_STREAM_DEFAULT -> transfers(stowline().stream(), peer().defaultStream());
            case BLOB_TEXT -> transfers(stowline().text(true), peer().gzipByHand());
            case BLOB_TEXT_PLAIN -> transfers(stowline().text(true), stowline().text(false));
            case BLOB_COPY -> transfers(stowline().copy(false), peer().copy());
            case BLOB_COPY_STREAMED -> transfers(stowline().copy(true), peer().copy());
            case TABLE_EXPORT ->
                tables(stowlineTables().exported(sizes.rows()), sdkTables().exported(sizes.rows()));
            case TABLE_EXPORT_MANY ->
                tables(stowlineTables().exported(sizes.manyRows()), sdkTables().exported(sizes.manyRows()));
            case TABLE_IMPORT ->
                tables(stowlineTables().imported(sizes.rows()), sdkTables().imported(sizes.rows()));
            case TABLE_IMPORT_MANY ->
                tables(stowlineTables().imported(sizes.manyRows()), sdkTables().imported(sizes.manyRows()));
            case IDLE -> two(many().throughIdleWriter(), many().direct());
            case DISTANT -> distant();
        };
    }

    private Map<Contender, Task> distant() throws InterruptedException {
        if (far == null) {
            throw new IllegalArgumentException("there is no server with a latency of its own");
        }
        StowlineSide stowline = new StowlineSide(far, BATCHES);
        open.add(stowline::close);
        Map<Contender, Task> tasks = two(stowline.ingest(), new SdkSide(far).ingest(BATCHES));
        tasks.put(Contender.BARE, bare(far, BATCHES, new BareIngest(far)));
        tasks.put(Contender.ALONE, bare(far, 1, new BareIngest(far)));
        return tasks;
    }

    /** The requests to the consumed queue or to the container, as the stub counts them. */
    private long requests(String of) throws IOException {
        URI count = URI.create(near.endpoint() + "/" + of + Account.COUNT);
        try (InputStream in = count.toURL().openStream()) {
            return Long.parseLong(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    private Map<Contender, Task> transfers(Task stowline, Task peer) {
        Callable<Long> requests = () -> requests(Blobs.CONTAINER);
        return two(new Counted(stowline, requests), new Counted(peer, requests));
    }

    private Map<Contender, Task> tables(Task stowline, Task peer) {
        Callable<Long> requests = () -> requests(Cities.TABLE);
        return two(new Counted(stowline, requests), new Counted(peer, requests));
    }

    private StowlineTables stowlineTables() throws IOException {
        return few().tables(files());
    }

    private SdkTables sdkTables() throws IOException {
        return new SdkTables(near, BATCHES, files());
    }

    private StowlineTransfers stowline() throws IOException {
        return many().transfers(sizes, files());
    }

    private SdkTransfers peer() throws IOException {
        return new SdkTransfers(near, sizes, files());
    }

    private TransferFiles files() throws IOException {
        if (files == null) {
            files = new TransferFiles(sizes);
        }
        return files;
    }

    private static Task scan(SdkSide sdk, boolean projected) {
        return new BestVariant(sdk.blockingScan(projected), sdk.reactiveScan(projected));
    }

    private static Map<Contender, Task> two(Task stowline, Task peer) {
        Map<Contender, Task> tasks = new EnumMap<>(Contender.class);
        tasks.put(Contender.STOWLINE, stowline);
        tasks.put(Contender.PEER, peer);
        return tasks;
    }

    private Map<Contender, Task> three(Task stowline, Task peer, int inFlight, BareExchange exchange)
            throws InterruptedException {
        Map<Contender, Task> tasks = two(stowline, peer);
        if (far != null) {
            tasks.put(Contender.BARE, bare(near, inFlight, exchange));
        }
        return tasks;
    }

    private Task bare(Account account, int inFlight, BareExchange exchange) throws InterruptedException {
        BareClient client = new BareClient(account, inFlight, exchange);
        open.add(client::close);
        return client;
    }

    private SdkSide sdk() {
        if (sdk == null) {
            sdk = new SdkSide(near);
        }
        return sdk;
    }

    private StowlineSide many() {
        if (many == null) {
            many = new StowlineSide(near, MANY);
            open.add(many::close);
        }
        return many;
    }

    private StowlineSide metered() {
        StowlineSide metered = StowlineSide.metered(near, MANY);
        open.add(metered::close);
        return metered;
    }

    /** Returns one task with an advisor, with a closed one and without one. */
    private Map<Contender, Task> advised(Function<StowlineSide, Task> task) {
        Advisor closed = Advisor.create();
        closed.close();
        Advisor advisor = Advisor.create();
        open.add(() -> {
            AdviceReport.Totals totals = advisor.report().totals();
            System.err.printf("  the advisor has %,d attempts, %,d missed%n", totals.attempts(), totals.missed());
        });
        Map<Contender, Task> tasks = two(task.apply(advised(advisor)), task.apply(many()));
        tasks.put(Contender.OFF, task.apply(advised(closed)));
        return tasks;
    }

    private StowlineSide advised(Advisor advisor) {
        StowlineSide advised = StowlineSide.advised(near, MANY, advisor);
        open.add(advised::close);
        return advised;
    }

    private StowlineSide few() {
        if (few == null) {
            few = new StowlineSide(near, BATCHES);
            open.add(few::close);
        }
        return few;
    }

    @Override
    public void close() throws IOException {
        open.forEach(Runnable::run);
        if (files != null) {
            files.close();
        }
    }
}
