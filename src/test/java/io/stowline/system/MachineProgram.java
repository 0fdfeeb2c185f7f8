package io.stowline.system;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.core.credential.AzureSasCredential;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.sas.AccountSasPermission;
import com.azure.storage.common.sas.AccountSasResourceType;
import com.azure.storage.common.sas.AccountSasService;
import com.azure.storage.common.sas.AccountSasSignatureValues;
import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Item;
import io.stowline.caching.Freshness;
import io.stowline.error.StorageException;
import io.stowline.journal.Journal;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.key.KeyFormat;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.TimeSeries;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.WriterJournal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that uses the main verbs of each service and writes what it has read back to a file. It leaves nothing behind, so that each run
 * against one emulator has the same result, whatever the settings of its machine are.
 */
final class MachineProgram {

    /** The source in the folder of a run. */
    static final String SOURCE = "source";

    static final String FOREIGN = "foreign";

    static final String RESULT = "result.txt";

    /** The machine's forms of a number, a case, a charset, a zone and the names of files. */
    static final String MACHINE = "machine.txt";

    private static final String TEXT = "İstanbul ışık 日本 😀 \u0661\u06f2\u0969 it's 100% a+b&c=d";
    private static final Instant TIME = Instant.parse("2026-11-28T23:45:06.7891234Z");

    private final Stowline storage;
    private final Path folder;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    private MachineProgram(Stowline storage, Path folder) {
        this.storage = storage;
        this.folder = folder;
    }

    /** Takes the connection string, the account's name and key, and the folder of the run. */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[3]);
        String machine =
                String.format("%d %s %s", 123, "title".toUpperCase(Locale.getDefault()), Charset.defaultCharset()) + " "
                        + ZoneId.systemDefault() + " " + System.getProperty("sun.jnu.encoding");
        Files.write(folder.resolve(MACHINE), machine.getBytes(UTF_8));
        try (Stowline storage = Stowline.builder()
                .connectionString(args[0])
                .cache(cache -> cache.disk(folder.resolve("cache"), 1 << 20))
                .build()) {
            MachineProgram program = new MachineProgram(storage, folder);
            program.keys();
            program.tables();
            program.journal();
            program.queues();
            program.blobs();
            program.directories();
            program.errors();
            program.signatures(args[1], args[2]);
            Files.write(folder.resolve(RESULT), String.join("\n", program.lines).getBytes(UTF_8));
        }
    }

    private void show(String name, Object value) {
        lines.add(name + " = " + value);
    }

    private void keys() {
        KeyFormat format = KeyFormat.hashed(16)
                .number("n", 9)
                .newestFirst("at")
                .time("time")
                .escaped("text")
                .uuid("id");
        String key = format.format(1_234_567L, TIME, TIME, TEXT + "/\\#?", new UUID(1, 2));
        show("key", key);
        show("parsed key", format.parse(key));
    }

    enum Kind {
        INITIAL,
        TITLE
    }

    record Row(
            @PartitionKey String part,
            @RowKey String row,
            String title,
            int count,
            long size,
            double share,
            boolean iffy,
            Instant instant,
            UUID id,
            BigDecimal exact,
            Duration lasting,
            LocalDate day,
            Kind kind) {

        static Row of(int number) {
            return new Row(
                    "part " + TEXT,
                    "row " + number,
                    TEXT,
                    -1_234_567 - number,
                    9_876_543_210_123L + number,
                    1234.5 + number,
                    number % 2 == 0,
                    TIME.plusSeconds(number),
                    new UUID(number, 9),
                    new BigDecimal("12345678901234567890.1234567890"),
                    Duration.ofSeconds(100_000 + number, 5),
                    LocalDate.of(2026, 2, 1 + number),
                    Kind.TITLE);
        }
    }

    private void tables() {
        Table<Row> rows = storage.table("Machine", Row.class);
        rows.create();
        rows.insert(Row.of(0));
        var transaction = rows.transaction(Row.of(0).part());
        for (int number = 1; number < 6; number++) {
            transaction = transaction.insert(Row.of(number));
        }
        transaction.commit();
        StoredEntity<Row> third = rows.find(Row.of(0).part(), "row 3").orElseThrow();
        rows.replace(third.with(Row.of(3)));
        rows.merge(Row.of(0).part(), "row 4").set("count", 1_000_000).update();
        rows.delete(Row.of(0).part(), "row 5");
        show(
                "cached",
                rows.cached(Freshness.fresh(Duration.ofMinutes(1)))
                        .find(Row.of(0).part(), "row 1")
                        .get()
                        .value());
        rows.query().list().forEach(row -> show("row", row));
        List<Filter> filters = List.of(
                rows.property("title").equalTo(TEXT),
                rows.property("count").atLeast(-1_234_568),
                rows.property("size").greaterThan(9_876_543_210_124L),
                rows.property("share").lessThan(1236.5),
                rows.property("instant").between(TIME, TIME.plusSeconds(2)),
                rows.property("id").equalTo(new UUID(2, 9)),
                rows.property("day").atLeast(LocalDate.of(2026, 2, 4)),
                rows.property("iffy").isTrue(),
                Filter.raw("count ge -2000000 and title eq 'no'").not());
        for (Filter filter : filters) {
            show("filter " + filter.toOData(), rows.query().where(filter).count());
        }
        TimeSeries<Double> series =
                storage.table("Machine").series("temperature", Double.class, TimeSeries.Layout.HOURS_OF_DAY);
        series.put("s", TIME, 20.5);
        show("series", series.read("s", TIME.minusSeconds(100_000), TIME.plusSeconds(100_000)));
        storage.table("Machine")
                .query()
                .rowPrefix("2")
                .list()
                .forEach(entity -> show("stored", entity.rowKey() + new TreeMap<>(entity.properties())));
        show("tables", storage.listTables().contains("Machine"));
        rows.drop();
    }

    /** Operations that one writer leaves on the disk are sent by the next one. */
    private void journal() throws InterruptedException {
        Table<Entity> table = storage.table("Journaled");
        table.create();
        Path records = folder.resolve("journal");
        Journal left = Journal.open(records);
        TableWriter<Entity> leaving = table.writer(WriterJournal.of(left), with -> with.linger(Duration.ofMinutes(5))
                .closeTimeout(Duration.ofMillis(1)));
        for (int number = 0; number < 9; number++) {
            leaving.insert(Entity.builder("p", TEXT + number)
                    .set("Number", (long) number)
                    .build());
        }
        left.close();
        try {
            leaving.close();
        } catch (UncollectedFailuresException expected) {
            // A close that gives up may be late to find what it leaves; the replay counts it.
        }
        try (Journal journal = Journal.open(records);
                TableWriter<Entity> writer = table.writer(WriterJournal.of(journal), with -> with)) {
            show("replayed", writer.awaitReplay().total());
            show("outstanding", journal.outstandingRecords());
        }
        table.query().list().forEach(entity -> show("journaled", entity.rowKey() + entity.properties()));
        table.drop();
    }

    private void queues() {
        for (QueueMessageEncoding encoding : QueueMessageEncoding.values()) {
            MessageQueue<String> queue = storage.queue("machine").withEncoding(encoding);
            queue.create();
            queue.setMetadata(Map.of("index", "I 1"));
            show("queue", queue.info().metadata());
            queue.send(TEXT, with -> with.timeToLive(Duration.ofHours(1)));
            show("peeked", queue.peek(1).get(0).body());
            ReceivedMessage<String> message =
                    queue.receive(1, Duration.ofMinutes(1)).get(0);
            show("received", message.body() + " " + message.raw() + " " + message.dequeueCount());
            ReceivedMessage<String> longer = queue.update(message, TEXT + "!", Duration.ofSeconds(30));
            queue.delete(longer);
            MessageQueue<Row> typed =
                    storage.queue("machine", Row.class).withEncoding(encoding).withEnvelope(with -> with.type("ROW"));
            typed.send(Row.of(7));
            show("event", typed.receive().orElseThrow().body());
            show("count", queue.approximateCount());
            queue.drop();
        }
    }

    private static String shown(BlobInfo blob) {
        return blob.name() + " " + blob.size() + " " + blob.headers().contentType() + " "
                + new TreeMap<>(blob.metadata());
    }

    private void blobs() throws IOException {
        BlobContainer container = storage.container("machine");
        container.create();
        container.setMetadata(Map.of("Title", "I 1"));
        show("container", new TreeMap<>(container.info().metadata()));
        byte[] bytes = (TEXT + "\n").repeat(3000).getBytes(UTF_8);
        container.upload(bytes, "I/" + TEXT, with -> with.blockSize(64 * 1024)
                .contentType("text/plain; charset=utf-8")
                .cacheControl("max-age=3600")
                .metadata(Map.of("index", "12", "title", "I i"))
                .tags(Map.of("Index", "12 I", "kind", "title")));
        container.appendBlob("log").createIfMissing();
        container.appendBlob("log").append(bytes);
        show("info", shown(container.info("I/" + TEXT)));
        show("tags", new TreeMap<>(container.tags("I/" + TEXT)));
        show("same", Arrays.equals(container.download("I/" + TEXT), bytes));
        show("range", new String(container.download("I/" + TEXT, with -> with.range(10, 4_000)), UTF_8).length());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        container.downloadTo("I/" + TEXT, out, with -> with.rangeSize(64 * 1024));
        show("downloaded", Arrays.equals(out.toByteArray(), bytes));
        container.downloadTo("log", folder.resolve("log.bin"));
        show("file", Files.size(folder.resolve("log.bin")));
        show(
                "cached",
                container
                        .cached(Freshness.fresh(Duration.ofMinutes(1)))
                        .download("log")
                        .get()
                        .length);
        container.setHeaders("log", headers -> headers.contentLanguage("tr").contentDisposition("inline"));
        container.snapshot("log");
        show("revisions", container.revisions("log").count());
        container.deleteSnapshots("log");
        container.stream().forEach(blob -> show("blob", shown(blob)));
        container.tree("").walk().forEach(entry -> show("entry", entry.name()));
        for (int number = 0; number < 5; number++) {
            container.upload(new byte[number], "many/" + number + TEXT);
        }
        show(
                "deleted",
                container
                        .deleteAll(container.stream("many/").map(BlobInfo::name).toList())
                        .size());
        container.drop();
    }

    private void directories() throws IOException {
        BlobContainer container = storage.container("folders");
        container.create();
        for (int round = 0; round < 2; round++) {
            show(
                    "upload",
                    counts(container
                            .uploadDirectory(folder.resolve(SOURCE), "up", MachineProgram::settings)
                            .join()));
        }
        container.stream().forEach(blob -> show("uploaded", blob.name() + " " + blob.size()));
        container.upload("I".getBytes(UTF_8), "up/title/INDEX.TXT");
        for (int round = 0; round < 2; round++) {
            show(
                    "download",
                    counts(container
                            .downloadDirectory("up", folder.resolve("target"), MachineProgram::settings)
                            .join()));
        }
        show(
                "mirror",
                counts(container
                        .downloadDirectory("up/title", folder.resolve("target"), with -> settings(with)
                                .mirror())
                        .join()));
        try (Stream<Path> files = Files.walk(folder.resolve("target"))) {
            show("target", files.filter(Files::isRegularFile).count());
        }
        show("emptied", counts(container.deleteDirectory("up", with -> with).join()));
        foreign(container);
        container.drop();
    }

    /** Names that some machines cannot express have separate lines. */
    private void foreign(BlobContainer container) {
        TransferReport up = container
                .uploadDirectory(folder.resolve(FOREIGN), FOREIGN, MachineProgram::settings)
                .join();
        show(FOREIGN + " upload", up.transferred() + " " + up.failed());
        up.failures().forEach(item -> show(FOREIGN + " failed", item.error().getMessage()));
        container.upload(new byte[1], FOREIGN + "/" + TEXT);
        container.upload(new byte[1], FOREIGN + "/ascii.txt");
        TransferReport down = container
                .downloadDirectory(FOREIGN, folder.resolve("target"), MachineProgram::settings)
                .join();
        show(FOREIGN + " download", down.transferred() + " " + down.failed());
        down.failures().forEach(item -> show(FOREIGN + " failed", item.error().getMessage()));
    }

    private static DirectorySettings.Builder settings(DirectorySettings.Builder with) {
        return with.overwrite(Overwrite.IF_DIFFERENT).collectFailures();
    }

    private static String counts(TransferReport report) {
        return report.transferred() + " " + report.unchanged() + " " + report.skipped() + " " + report.deleted() + " "
                + report.failures().stream().map(Item::name).collect(Collectors.joining(","));
    }

    private void errors() {
        try {
            storage.container("missing").download("I/" + TEXT);
        } catch (StorageException e) {
            show("error", e.failure().status() + " " + e.failure().errorCode());
        }
        try {
            storage.table("T\u0661");
        } catch (IllegalArgumentException e) {
            show("refused", e.getMessage());
        }
    }

    /** A signature of another program, and what the service makes of it. */
    private void signatures(String account, String key) throws IOException {
        OffsetDateTime expiry = OffsetDateTime.parse("2090-01-02T03:04:05Z");
        String sas = new BlobServiceClientBuilder()
                .endpoint(storage.endpoints().get("blob").toString())
                .credential(new StorageSharedKeyCredential(account, key))
                .buildClient()
                .generateAccountSas(new AccountSasSignatureValues(
                        expiry,
                        AccountSasPermission.parse("rwdlacup"),
                        AccountSasService.parse("bqt"),
                        AccountSasResourceType.parse("sco")));
        show("signature", sas);
        Stowline.Builder builder = Stowline.builder().accountName(account).allowSasOverHttp();
        Map<String, URI> endpoints = storage.endpoints();
        builder.tableEndpoint(endpoints.get("table").toString());
        builder.queueEndpoint(endpoints.get("queue").toString());
        builder.blobEndpoint(endpoints.get("blob").toString());
        try (Stowline signed = builder.credential(new AzureSasCredential(sas)).build()) {
            BlobContainer container = signed.container("signed");
            show("made", container.createIfMissing());
            container.upload(new byte[] {0, -1}, "I " + TEXT);
            show("read", container.download("I " + TEXT).length);
            container.drop();
            Table<Entity> table = signed.table("Signed");
            table.create();
            table.insert(Entity.builder("p", TEXT).set("i", 1).build());
            show("found", table.find("p", TEXT).orElseThrow().value().properties());
            table.drop();
        }
    }
}
