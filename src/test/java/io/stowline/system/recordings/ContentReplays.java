package io.stowline.system.recordings;

import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.CachedContainer;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.error.ConflictException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/** Verbs that read or write the content of blobs and can meet the recorded responses. */
final class ContentReplays {

    private static final String COPY_SOURCE = "x-ms-copy-source";
    private static final CannedResponse MADE = CannedResponse.of(201, "")
            .with("ETag", CannedResponse.ETAG)
            .with("Last-Modified", "Fri, 10 Nov 2017 02:43:23 GMT");

    private static final CannedResponse MISSING = CannedResponse.of(404, "").with("x-ms-error-code", "BlobNotFound");

    private static final CannedResponse NO_BLOCKS = CannedResponse.of(
                    200, "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList><UncommittedBlocks /></BlockList>")
            .with("Content-Type", "application/xml");

    private ContentReplays() {}

    static ReplayPlan read(ServiceRecording recording, String container, String name) {
        String snapshot = recording.target().parameter("snapshot");
        if (recording.status() == 304) {
            CannedResponse first = CannedResponse.of(206, "abc")
                    .with("ETag", CannedResponse.ETAG)
                    .with("Last-Modified", "Fri, 10 Nov 2017 02:43:23 GMT")
                    .with("Content-Range", "bytes 0-2/3")
                    .with("x-ms-blob-type", "BlockBlob");
            return revalidated(
                    recording, "cached.download", container, cached -> hex(cached.download(name)), first, "616263");
        }
        if (snapshot != null) {
            return ReplayPlan.of(BlobReplays.either(
                            recording,
                            "revision.download",
                            container,
                            c -> HexFormat.of()
                                    .formatHex(c.snapshotOf(name, snapshot).download()),
                            HexFormat.of().formatHex(recording.response().body()))
                    .requesting(0, "snapshot", snapshot));
        }
        if (recording.status() == 416) {
            return outOfRange(recording, container, name);
        }
        return recording.status() == 206
                ? range(recording, container, name)
                : ReplayPlan.of(BlobReplays.either(
                        recording,
                        "downloadTo",
                        container,
                        c -> content(c, name, 0, 0),
                        recording.isError()
                                ? null
                                : List.of(
                                        BlobOracle.ofHeaders(
                                                name,
                                                recording.response().headers(),
                                                recording.response().body().length,
                                                "Content-MD5"),
                                        HexFormat.of()
                                                .formatHex(recording.response().body()))));
    }

    /**
     * A read-back of the blob shows that it ends before the range: there are no bytes, of an empty one and of a shorter
     * one.
     */
    private static ReplayPlan outOfRange(ServiceRecording recording, String container, String name) {
        CannedResponse empty = CannedResponse.blob("0");
        CannedResponse shorter = CannedResponse.blob("3");
        return ReplayPlan.of(
                ContainerReplays.valued(
                                recording,
                                "downloadTo",
                                container,
                                c -> content(c, name, 0, 0),
                                List.of(BlobOracle.ofHeaders(name, empty.headers()), ""))
                        .looking(empty),
                ContainerReplays.valued(
                                recording,
                                "downloadTo(range)",
                                container,
                                c -> content(c, name, 10, 1),
                                List.of(BlobOracle.ofHeaders(name, shorter.headers()), ""))
                        .looking(shorter),
                // The blob has grown since: the refusal stands.
                ContainerReplays.bare(recording, "downloadTo(range)", container, c -> content(c, name, 2, 1))
                        .looking(shorter));
    }

    private static CachedRead<String> hex(CachedRead<byte[]> read) {
        return read.map(HexFormat.of()::formatHex);
    }

    private static ReplayPlan range(ServiceRecording recording, String container, String name) {
        HeaderFields headers = recording.response().headers();
        String range = recording.header("Content-Range");
        long from = Long.parseLong(range.substring(6, range.indexOf('-')));
        long last = Long.parseLong(range.substring(range.indexOf('-') + 1, range.indexOf('/')));
        BlobInfo info = BlobOracle.ofRange(name, headers);
        String bytes = HexFormat.of().formatHex(recording.response().body());
        Replay part = ContainerReplays.valued(
                recording,
                "downloadTo(range)",
                container,
                c -> content(c, name, from, last - from + 1),
                List.of(info, bytes));
        return from == 0 && last == info.size() - 1
                ? ReplayPlan.of(
                        part,
                        ContainerReplays.valued(
                                recording, "downloadTo", container, c -> content(c, name, 0, 0), List.of(info, bytes)),
                        ContainerReplays.valued(
                                recording,
                                "download",
                                container,
                                c -> HexFormat.of().formatHex(c.download(name)),
                                bytes),
                        ContainerReplays.valued(recording, "open", container, c -> opened(c, name), bytes))
                : ReplayPlan.of(part);
    }

    private static String opened(BlobContainer container, String name) {
        try (InputStream in = container.open(name)) {
            return HexFormat.of().formatHex(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Downloads a range, or without a length the whole. */
    private static List<Object> content(BlobContainer container, String name, long from, long length) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BlobInfo info = length == 0
                ? container.downloadTo(name, bytes)
                : container.downloadTo(name, bytes, o -> o.range(from, length));
        return List.of(info, HexFormat.of().formatHex(bytes.toByteArray()));
    }

    /** A cached read that the recorded 304 confirms. */
    static <T> ReplayPlan revalidated(
            ServiceRecording recording,
            String verb,
            String container,
            Function<CachedContainer, CachedRead<T>> read,
            CannedResponse first,
            T expected) {
        return ReplayPlan.of(Replay.of(
                        recording,
                        "BlobContainer." + verb,
                        storage -> {
                            CachedContainer cached =
                                    storage.container(container).cached(Freshness.revalidated());
                            cached.invalidate(recording.target().decodedPath().substring(container.length() + 2));
                            List<CachedRead<T>> reads = List.of(read.apply(cached), read.apply(cached));
                            return List.of(reads.get(1).get(), reads.get(1).outcome());
                        },
                        VerbOutcome.of(List.of(expected, CacheOutcome.REVALIDATED)))
                .after(first)
                .sending(1, recording)
                .checking(requests ->
                        CannedResponse.ETAG.equals(requests.get(1).headers().value("If-None-Match"))
                                ? null
                                : "the second request names no version: " + requests));
    }

    static ReplayPlan write(ServiceRecording recording, String container, String name) {
        String type = recording.request().value("x-ms-blob-type", "BlockBlob");
        if (type.equals("PageBlob")) {
            return PageReplays.create(recording, container, name);
        }
        if (recording.request().contains(COPY_SOURCE)
                || recording.response().headers().contains("x-ms-copy-status")) {
            return copy(recording, container, name);
        }
        return type.equals("AppendBlob") ? appendBlob(recording, container, name) : upload(recording, container, name);
    }

    private static ReplayPlan copy(ServiceRecording recording, String container, String name) {
        if (recording.isError()) {
            return ReplayPlan.refused("blobs: no verb copies with conditions of a source");
        }
        String snapshot = "2019-05-09T00:52:54.2708868Z";
        return ReplayPlan.of(
                ContainerReplays.bare(recording, "revision.promote", container, c -> c.snapshotOf(name, snapshot)
                                .promote())
                        // The service copies a page blob in place, as the recorded client did.
                        .looking(CannedResponse.blob("3").with("x-ms-blob-type", "PageBlob"))
                        .checking(requests -> RequestTarget.ofAddress(requests.get(requests.size() - 1)
                                                .headers()
                                                .value(COPY_SOURCE, "none"))
                                        .is("snapshot", snapshot)
                                ? null
                                : "the copy names another source: " + requests));
    }

    private static ReplayPlan appendBlob(ServiceRecording recording, String container, String name) {
        ReplayPlan plan =
                ReplayPlan.of(ContainerReplays.bare(recording, "appendBlob.create", container, c -> c.appendBlob(name)
                        .create()));
        return recording.isError()
                ? plan
                : plan.and(ContainerReplays.valued(
                        recording,
                        "appendBlob.createIfMissing",
                        container,
                        c -> c.appendBlob(name).createIfMissing(),
                        true));
    }

    private static BlobWriteResult uploaded(ServiceRecording recording, long size) {
        return BlobWriteResult.confirmed(
                recording.header("ETag"), HttpTimes.of(recording.header("Last-Modified")), size, false);
    }

    private static ReplayPlan upload(ServiceRecording recording, String container, String name) {
        byte[] content = recording.requestBody();
        if (recording.status() == 412) {
            return ReplayPlan.of(ContainerReplays.bare(
                    recording,
                    "upload(etag)",
                    container,
                    c -> c.upload(content, name, o -> o.ifMatch(CannedResponse.ETAG))));
        }
        return ReplayPlan.of(BlobReplays.either(
                        recording,
                        "upload",
                        container,
                        c -> c.upload(content, name),
                        recording.isError() ? null : uploaded(recording, content.length))
                .checking(requests -> Arrays.equals(content, requests.get(0).body())
                        ? null
                        : "sent " + requests.get(0).body().length + " bytes instead of " + content.length));
    }

    private static BlobWriteResult uploadBlocks(BlobContainer container, String name) {
        return container.upload(new byte[2], name, o -> o.blockSize(1).parallelism(1));
    }

    static ReplayPlan block(ServiceRecording recording, String container, String name) {
        if (recording.request().contains(COPY_SOURCE)) {
            return ReplayPlan.refused("blobs: no verb stages or appends from another address");
        }
        if (recording.isError()) {
            return ReplayPlan.of(
                    ContainerReplays.bare(recording, "upload(blocks)", container, c -> uploadBlocks(c, name))
                            .looking(MISSING)
                            .after(NO_BLOCKS));
        }
        BlobWriteResult expected = BlobWriteResult.confirmed(
                CannedResponse.ETAG, HttpTimes.of(MADE.headers().value("Last-Modified")), 2, false);
        return ReplayPlan.of(
                ContainerReplays.valued(recording, "upload(blocks)", container, c -> uploadBlocks(c, name), expected)
                        .looking(MISSING)
                        .after(NO_BLOCKS)
                        .before(recording.response(), MADE));
    }

    /** An upload of blocks looks for blocks of an earlier one. Those of another client have ids of another length. */
    static ReplayPlan leftBlocks(ServiceRecording recording, String container, String name) {
        XmlTree uncommitted = XmlTree.of(recording.response().body()).child("UncommittedBlocks");
        if (uncommitted == null) {
            return ReplayPlan.refused("blobs: no verb asks for committed blocks alone");
        }
        VerbOutcome expected = uncommitted.children().isEmpty()
                ? VerbOutcome.of(BlobWriteResult.confirmed(
                        CannedResponse.ETAG, HttpTimes.of(MADE.headers().value("Last-Modified")), 2, false))
                : new VerbOutcome.Failure(
                        ConflictException.class, 200, null, recording.header(CannedResponse.REQUEST_ID), -1);
        Replay replay = Replay.of(
                        recording,
                        "BlobContainer.upload(left blocks)",
                        storage -> uploadBlocks(storage.container(container), name),
                        expected)
                .looking(MISSING)
                .sending(0, recording);
        return ReplayPlan.of(uncommitted.children().isEmpty() ? replay.before(MADE, MADE, MADE) : replay);
    }

    /** Blocks that are gone before their commit are the work of another upload. */
    static ReplayPlan blockList(ServiceRecording recording, String container, String name) {
        boolean gone = recording.response().text().contains("InvalidBlockList");
        VerbOutcome expected = gone
                ? new VerbOutcome.Failure(
                        ConflictException.class,
                        400,
                        "InvalidBlockList",
                        recording.header(CannedResponse.REQUEST_ID),
                        -1)
                : recording.isError() ? VerbOutcome.refusal(recording) : VerbOutcome.of(uploaded(recording, 2));
        return ReplayPlan.of(Replay.of(
                        recording,
                        "BlobContainer.upload(block list)",
                        storage -> uploadBlocks(storage.container(container), name),
                        expected)
                .looking(MISSING)
                .after(NO_BLOCKS, MADE, MADE)
                .sending(3, recording));
    }

    static ReplayPlan append(ServiceRecording recording, String container, String name) {
        if (recording.request().contains(COPY_SOURCE) || recording.status() == 304) {
            return ReplayPlan.refused("blobs: no verb stages or appends from another address");
        }
        String offset = recording.response().headers().value("x-ms-blob-append-offset", "3");
        byte[] bytes = recording.requestBody().length == 0 ? new byte[] {1} : recording.requestBody();
        CannedResponse end = CannedResponse.blob(offset).with("x-ms-blob-type", "AppendBlob");
        long from = Long.parseLong(offset);
        Function<BlobContainer, BlobWriteResult> call = c -> {
            AppendBlob blob = c.appendBlob(name);
            return blob.append(bytes);
        };
        Replay replay = BlobReplays.either(
                        recording,
                        "appendBlob.append",
                        container,
                        call,
                        recording.isError()
                                ? null
                                : BlobWriteResult.appended(
                                        recording.header("ETag"),
                                        HttpTimes.of(recording.header("Last-Modified")),
                                        from,
                                        from + bytes.length))
                .looking(end)
                .sending(0, recording)
                .checking(requests -> requests.size() == 1
                                && offset.equals(requests.get(0).headers().value("x-ms-blob-condition-appendpos"))
                        ? null
                        : "the append names no position: " + requests);
        return ReplayPlan.of(replay);
    }
}
