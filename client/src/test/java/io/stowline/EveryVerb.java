package io.stowline;

import static io.stowline.blob.BlobTagFilter.tag;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.BlobWriter;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.PageBlob;
import io.stowline.caching.Freshness;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.service.AnalyticsLogging;
import io.stowline.service.AnalyticsMetrics;
import io.stowline.service.Cors;
import io.stowline.service.ServiceProperties;
import io.stowline.service.ServiceType;
import io.stowline.service.SoftDelete;
import io.stowline.service.StaticWebsite;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Each verb of the three services with the blocking faces, by the name of its method; a number tells apart ways that send other requests. */
final class EveryVerb {

    /** Views and facts, which send nothing themselves or only by other verbs of the list. */
    static final List<String> SILENT = List.of(
            "name",
            "reactive",
            "unwrap",
            "toString",
            "of",
            "sas",
            "withLease",
            "leader",
            "withHeader",
            "withRetry",
            "withReadPreference",
            "withMarkers",
            "withScanPolicy",
            "withEnvelope",
            "withCodec",
            "withEncoding",
            "as",
            "property",
            "snapshotOf",
            "versionOf",
            "series",
            "indexed",
            "consume",
            "consumeBatches");

    private static final byte[] FEW = {1, 2, 3};
    private static final byte[] MANY = new byte[(1 << 20) + 1];
    private static final Map<String, String> METADATA = Map.of("a", "b");

    private EveryVerb() {}

    /** A verb, with all that it sends. */
    @FunctionalInterface
    interface Verb {
        void call() throws IOException;
    }

    static Map<String, Verb> ofTables(Stowline storage) {
        Table<Entity> table = storage.table("people");
        Map<String, Verb> verbs = new LinkedHashMap<>();
        verbs.put("listTables", storage::listTables);
        ofServices(storage, ServiceType.TABLE, verbs);
        verbs.put("create", table::create);
        verbs.put("createIfMissing", table::createIfMissing);
        verbs.put("exists", table::exists);
        verbs.put("insert", () -> table.insert(person("1")));
        verbs.put("claim", () -> table.claim(person("claimed")));
        verbs.put("insertOrMerge", () -> table.insertOrMerge(person("1")));
        verbs.put("insertOrReplace", () -> table.insertOrReplace(person("1")));
        verbs.put("find", () -> table.find("p q", "1"));
        verbs.put("findAll", () -> table.findAll(List.of(new EntityKey("p q", "1"), new EntityKey("p q", "2"))));
        verbs.put("merge", () -> table.merge("p q", "1").set("n", 2).update());
        verbs.put("merge 2", () -> table.merge(stored(table)));
        verbs.put("replace", () -> table.replace(stored(table)));
        verbs.put("modify", () -> table.modify("p q", "1", entity -> entity));
        verbs.put("query", () -> table.query().partition("p q").list());
        verbs.put("query 2", () -> table.query().partition("p q").deleteAll());
        verbs.put("transaction", () -> table.transaction("p q")
                .insert(person("3"))
                .insert(person("4"))
                .commit());
        verbs.put("writer", () -> {
            try (TableWriter<Entity> writer = table.writer()) {
                writer.insert(person("5"));
                writer.insert(person("6"));
            }
        });
        verbs.put("cached", () -> table.cached(Freshness.revalidated()).find("p q", "5"));
        verbs.put("delete", () -> table.delete("p q", "5"));
        verbs.put("deleteIfExists", () -> table.deleteIfExists("p q", "5"));
        verbs.put("policies", () -> table.policies().list());
        verbs.put("policies 2", () -> table.policies().set("readers", with -> with.canQuery()));
        verbs.put("policies 3", () -> table.policies().replaceAll(List.of()));
        verbs.put("drop", table::drop);
        verbs.put("dropIfExists", table::dropIfExists);
        return verbs;
    }

    /** The properties that each service has. */
    private static void ofServices(Stowline storage, ServiceType service, Map<String, Verb> verbs) {
        Cors cors = storage.cors(service);
        ServiceProperties properties = storage.serviceProperties(service);
        verbs.put("cors rules", cors::rules);
        verbs.put("cors set", () -> cors.set(rule -> rule.allowedOrigins("*").allowedMethods("GET")));
        verbs.put("cors clear", cors::clear);
        verbs.put("service info", properties::info);
        verbs.put("service setLogging", () -> properties.setLogging(AnalyticsLogging.off()));
        verbs.put("service setHourMetrics", () -> properties.setHourMetrics(AnalyticsMetrics.off()));
        verbs.put("service setMinuteMetrics", () -> properties.setMinuteMetrics(AnalyticsMetrics.off()));
    }

    private static Entity person(String rowKey) {
        return Entity.builder("p q", rowKey).set("n", 1).build();
    }

    private static StoredEntity<Entity> stored(Table<Entity> table) {
        return table.find("p q", "1").orElseThrow();
    }

    static Map<String, Verb> ofQueues(Stowline storage) {
        MessageQueue<String> queue = storage.queue("orders");
        List<ReceivedMessage<String>> held = new ArrayList<>();
        List<SendResult> sent = new ArrayList<>();
        Map<String, Verb> verbs = new LinkedHashMap<>();
        verbs.put("listQueues", storage::listQueues);
        verbs.put("listQueues by prefixes", () -> storage.listQueues(List.of("a", "b")));
        ofServices(storage, ServiceType.QUEUE, verbs);
        verbs.put("create", queue::create);
        verbs.put("createIfMissing", queue::createIfMissing);
        verbs.put("exists", queue::exists);
        verbs.put("setMetadata", () -> queue.setMetadata(METADATA));
        verbs.put("info", queue::info);
        verbs.put("approximateCount", queue::approximateCount);
        verbs.put("send", () -> sent.add(queue.send("one")));
        verbs.put("sendAll", () -> queue.sendAll(List.of("two", "three")));
        verbs.put("peek", () -> queue.peek(1));
        verbs.put("receive", () -> held.addAll(queue.receive(2)));
        verbs.put("update", () -> held.set(0, queue.update(held.get(0), "new", Duration.ofSeconds(30))));
        verbs.put("hold", () -> queue.hold(held.get(1)).close());
        verbs.put("delete", () -> queue.delete(held.get(0)));
        verbs.put("deleteIfOurs", () -> queue.deleteIfOurs(held.get(0)));
        verbs.put("delete 2", () -> queue.delete(queue.send("four")));
        verbs.put("poison", () -> queue.poison().count());
        verbs.put("sweepBodies", () -> queue.withEnvelope(o -> o.claimCheck(storage.container("bodies")))
                .sweepBodies(Duration.ofDays(8)));
        verbs.put("clear", queue::clear);
        verbs.put("policies", () -> queue.policies().list());
        verbs.put("policies 2", () -> queue.policies().set("readers", with -> with.canPeek()));
        verbs.put("policies 3", () -> queue.policies().replaceAll(List.of()));
        verbs.put("drop", queue::drop);
        verbs.put("dropIfExists", queue::dropIfExists);
        return verbs;
    }

    static Map<String, Verb> ofBlobs(Stowline storage, Path folder) {
        BlobContainer photos = storage.container("photos");
        AppendBlob log = photos.appendBlob("log");
        BlobRevision old = photos.snapshotOf("a/b c", "2026-01-01T00:00:00.0000000Z");
        Map<String, Verb> verbs = new LinkedHashMap<>();
        verbs.put("listContainers", storage::listContainers);
        verbs.put("listContainers by prefixes", () -> storage.listContainers(List.of("a", "b")));
        ofServices(storage, ServiceType.BLOB, verbs);
        ServiceProperties properties = storage.serviceProperties(ServiceType.BLOB);
        verbs.put("service setSoftDelete", () -> properties.setSoftDelete(SoftDelete.days(7)));
        verbs.put("service setStaticWebsite", () -> properties.setStaticWebsite(StaticWebsite.of("index.html")));
        verbs.put("service setDefaultVersion", () -> properties.setDefaultVersion("2021-12-02"));
        verbs.put("create", photos::create);
        verbs.put("createIfMissing", photos::createIfMissing);
        verbs.put("exists", photos::exists);
        verbs.put("exists 2", () -> photos.exists("a/b c"));
        verbs.put("setMetadata", () -> photos.setMetadata(METADATA));
        verbs.put("info", photos::info);
        verbs.put("upload", () -> photos.upload(FEW, "a/b c"));
        verbs.put("upload 2", () -> photos.upload(MANY, "many", o -> o.blockSize(1 << 20)));
        verbs.put("upload 3", () -> photos.upload(new ByteArrayInputStream(FEW), "a/stream"));
        verbs.put("write", () -> {
            try (BlobWriter writer = photos.write("a/written")) {
                writer.write(FEW);
                writer.commit();
            }
        });
        verbs.put("download", () -> photos.download("a/b c"));
        verbs.put("downloadTo", () -> photos.downloadTo("a/b c", new ByteArrayOutputStream()));
        verbs.put("downloadTo 2", () -> photos.downloadTo("a/b c", folder.resolve("file")));
        verbs.put("open", () -> {
            try (InputStream in = photos.open("a/b c")) {
                in.readAllBytes();
            }
        });
        verbs.put("openDownload", () -> {
            try (BlobDownload download = photos.openDownload("a/b c")) {
                download.stream().readAllBytes();
            }
        });
        verbs.put("channel as stored", () -> {
            try (SeekableByteChannel channel = photos.channel("a/b c", o -> o.asStored())) {
                channel.read(ByteBuffer.allocate(3));
            }
        });
        verbs.put("channel", () -> {
            try (SeekableByteChannel channel = photos.channel("a/b c")) {
                channel.read(ByteBuffer.allocate(3));
            }
        });
        verbs.put("info 2", () -> photos.info("a/b c"));
        verbs.put("find", () -> photos.find("a/b c"));
        verbs.put("setMetadata 2", () -> photos.setMetadata("a/b c", METADATA));
        verbs.put("setMetadataOf", () -> photos.setMetadataOf("a/b c", new Facts("b")));
        verbs.put("setTags", () -> photos.setTags("a/b c", METADATA));
        verbs.put("tags", () -> photos.tags("a/b c"));
        verbs.put("findByTags", () -> photos.findByTags(tag("a").equalTo("b")).forEach(each -> {}));
        verbs.put("setTier", () -> photos.setTier("a/b c", AccessTier.COOL));
        verbs.put("setTierOfAll", () -> photos.setTierOfAll(List.of("a/b c", "many"), AccessTier.COLD));
        verbs.put("setHeaders", () -> photos.setHeaders("a/b c", h -> h.contentType("image/png")));
        verbs.put("stream", () -> photos.stream("a/").forEach(each -> {}));
        verbs.put("stream of prefixes", () -> photos.stream(List.of("a/", "b/")).forEach(each -> {}));
        verbs.put("entries", () -> photos.entries("", "/").forEach(each -> {}));
        verbs.put("tree", () -> photos.tree("a/").folders().forEach(each -> {}));
        verbs.put("walk", () -> photos.walk("", "/", entry -> true).forEach(each -> {}));
        verbs.put("lease", () -> photos.lease("a/b c", Duration.ofSeconds(30)).close());
        verbs.put("breakLease", () -> photos.breakLease("a/b c", Duration.ZERO));
        verbs.put("snapshot", () -> photos.snapshot("a/b c"));
        verbs.put("revisions", () -> photos.revisions("a/b c").forEach(each -> {}));
        verbs.put("revision download", old::download);
        verbs.put("revision info", old::info);
        verbs.put("revision promote", old::promote);
        verbs.put("revision delete", old::delete);
        verbs.put("undelete", () -> photos.undelete("a/b c"));
        verbs.put("appendBlob", log::create);
        verbs.put("appendBlob 2", () -> log.append(FEW));
        verbs.put("appendBlob 3", () -> log.append(FEW, 3));
        verbs.put("pageBlob", () -> photos.pageBlob("disk").create(1024));
        ofPages(photos.pageBlob("disk"), folder).forEach((name, verb) -> verbs.put("pageBlob " + name, verb));
        verbs.put("cached", () -> photos.cached(Freshness.revalidated()).download("a/b c"));
        verbs.put("uploadDirectory", () -> {
            Path source = Files.createDirectories(folder.resolve("source"));
            Files.write(source.resolve("x"), FEW);
            photos.uploadDirectory(source, "up/", o -> o.overwrite(Overwrite.ALWAYS))
                    .join();
        });
        verbs.put("downloadDirectory", () -> photos.downloadDirectory("up/", folder.resolve("target"), o -> o)
                .join());
        verbs.put("copyFrom", () -> photos.copyFrom(photos, "a/b c", "copied"));
        verbs.put("startCopy", () -> photos.startCopy(photos, "a/b c", "started"));
        verbs.put("pendingCopy", () -> photos.pendingCopy("started", "c-1").abort());
        verbs.put("replicas", () -> photos.replicas(List.of(storage.container("second")))
                .publish("a/b c"));
        verbs.put("replicas 2", () -> photos.replicas(List.of(storage.container("second")))
                .download("a/b c"));
        verbs.put("replicas 3", () -> photos.replicas(List.of(storage.container("second")))
                .remove("a/b c"));
        verbs.put("copyDirectory", () -> photos.copyDirectory("up/", photos, "copy/", o -> o)
                .join());
        verbs.put(
                "deleteDirectory", () -> photos.deleteDirectory("copy/", o -> o).join());
        verbs.put("delete", () -> photos.delete("many"));
        verbs.put("deleteIfExists", () -> photos.deleteIfExists("many"));
        verbs.put("deleteAll", () -> photos.deleteAll(List.of("a/stream", "a/written")));
        verbs.put("deleteAllWithSnapshots", () -> photos.deleteAllWithSnapshots(List.of("a/none")));
        verbs.put("deleteWithSnapshots", () -> photos.deleteWithSnapshots("a/b c"));
        verbs.put("deleteSnapshots", () -> photos.deleteSnapshots("a/b c"));
        verbs.put("policies", () -> photos.policies().list());
        verbs.put("policies 2", () -> photos.policies().set("readers", with -> with.canRead()));
        verbs.put("policies 3", () -> photos.policies().replaceAll(List.of()));
        verbs.put("drop", photos::drop);
        verbs.put("dropIfExists", photos::dropIfExists);
        return verbs;
    }

    private static Map<String, Verb> ofPages(PageBlob disk, Path folder) {
        Map<String, Verb> verbs = new LinkedHashMap<>();
        verbs.put("createIfMissing", () -> disk.createIfMissing(1024));
        verbs.put("info", disk::info);
        verbs.put("write", () -> disk.write(0, new byte[512]));
        verbs.put("clear", () -> disk.ifSequenceNumberEqual(0).clear(0, 512));
        verbs.put("read", () -> disk.read(0, 512));
        verbs.put("resize", () -> disk.resize(512));
        verbs.put("setSequenceNumber", () -> disk.setSequenceNumber(1));
        verbs.put("raiseSequenceNumber", () -> disk.raiseSequenceNumber(2));
        verbs.put("ranges", () -> disk.ranges().forEach(each -> {}));
        verbs.put("upload", () -> {
            Path image = folder.resolve("image");
            Files.write(image, new byte[512]);
            disk.upload(image, o -> o.overwrite());
        });
        verbs.put("downloadTo", () -> disk.downloadTo(folder.resolve("back")));
        verbs.put("channel", () -> {
            try (SeekableByteChannel channel = disk.channel()) {
                channel.write(ByteBuffer.wrap(FEW));
            }
        });
        return verbs;
    }

    record Facts(String a) {}

    /** A verb whose own failure does not matter. */
    static void run(Verb verb) {
        try {
            verb.call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
