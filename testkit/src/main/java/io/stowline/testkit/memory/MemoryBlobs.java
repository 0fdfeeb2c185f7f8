package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.HttpDate;
import io.stowline.testkit.internal.wire.ResourceAddress;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Blob service: containers, and which blob a request concerns. Not thread-safe. */
final class MemoryBlobs {

    private static final String PUBLIC_ACCESS = "x-ms-blob-public-access";

    private final ServiceTimes times;
    private final Map<String, MemoryContainer> containers = new TreeMap<>();
    private final MemoryCopies copies;

    MemoryBlobs(String account, ServiceTimes times) {
        this.times = times;
        this.copies = new MemoryCopies(account, times, this::find);
    }

    void clear() {
        containers.clear();
        copies.clear();
    }

    /** Removes all blobs with their leases, and the blocks of blobs that have no list yet. */
    void empty() {
        for (MemoryContainer container : containers.values()) {
            container.blobs.clear();
            container.uncommitted.clear();
            container.leases.clear();
        }
        copies.clear();
    }

    MemoryCopies copies() {
        return copies;
    }

    private @Nullable MemoryBlob find(ResourceAddress address) {
        MemoryContainer container = containers.get(address.name());
        return container == null ? null : container.blobs.get(address.inner());
    }

    /** A container with its blobs in the order of their names, and the blocks of blobs that have no list yet. */
    private static final class MemoryContainer {
        private MemoryVersion version;
        private Map<String, String> metadata;
        private final MemoryPolicies policies = new MemoryPolicies();
        private @Nullable String publicAccess;
        private final NavigableMap<String, MemoryBlob> blobs = new TreeMap<>();
        private final Map<String, Map<String, byte[]>> uncommitted = new HashMap<>();
        private final Map<String, MemoryLease> leases = new HashMap<>();

        MemoryContainer(MemoryVersion version, Map<String, String> metadata, @Nullable String publicAccess) {
            this.version = version;
            this.metadata = metadata;
            this.publicAccess = publicAccess;
        }

        StubResponse stored(String name, MemoryBlob blob) {
            blobs.put(name, blob);
            uncommitted.remove(name);
            return blob.written(blob.status());
        }
    }

    StubResponse respond(StorageRequest request) {
        ResourceAddress address = ResourceAddress.of(request);
        if (address.name().isEmpty()) {
            if (request.has("comp", "list") && request.method().equals("GET")) {
                return MemoryXml.list(
                        request,
                        "Container",
                        containers,
                        container -> "<Properties>" + container.version.xml() + "</Properties>"
                                + MemoryXml.metadata(container.metadata));
            }
            throw RefusedOperation.unknown(request);
        }
        return address.inner().isEmpty()
                ? container(request, address.name())
                : blob(request, there(address.name()), address.inner());
    }

    private MemoryContainer there(String name) {
        MemoryContainer container = containers.get(name);
        if (container == null) {
            throw new RefusedOperation(404, "ContainerNotFound", "The specified container does not exist.");
        }
        return container;
    }

    private StubResponse container(StorageRequest request, String name) {
        if (!request.has("restype", "container")) {
            throw RefusedOperation.unknown(request);
        }
        String part = request.parameter("comp");
        if (part != null && part.equals("list") && request.method().equals("GET")) {
            return MemoryListing.of(request, there(name).blobs);
        }
        if (part != null && part.equals("metadata") && request.method().equals("PUT")) {
            there(name).metadata = request.metadata();
            return StubResponse.of(200);
        }
        if (MemoryPolicies.isMeantBy(request)) {
            return policies(request, there(name));
        }
        if (part != null) {
            throw RefusedOperation.unknown(request);
        }
        return switch (request.method()) {
            case "PUT" -> create(request, name);
            case "GET", "HEAD" -> {
                MemoryContainer container = there(name);
                yield MemoryResponse.withMetadata(container.version.on(StubResponse.of(200)), container.metadata);
            }
            case "DELETE" -> {
                there(name);
                containers.remove(name);
                yield StubResponse.of(202);
            }
            default -> throw RefusedOperation.unknown(request);
        };
    }

    private StubResponse policies(StorageRequest request, MemoryContainer container) {
        if (request.method().equals("GET")) {
            StubResponse list = container.version.on(container.policies.list());
            return container.publicAccess == null ? list : list.header(PUBLIC_ACCESS, container.publicAccess);
        }
        String since = request.header("If-Unmodified-Since");
        Instant changed = container.version.changed().truncatedTo(ChronoUnit.SECONDS);
        if (since != null && changed.isAfter(HttpDate.parse(since).orElse(Instant.MAX))) {
            throw new RefusedOperation(
                    412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.");
        }
        container.policies.replace(request);
        container.publicAccess = request.header(PUBLIC_ACCESS);
        container.version = MemoryVersion.next(times);
        return container.version.on(StubResponse.of(200));
    }

    private StubResponse create(StorageRequest request, String name) {
        if (containers.containsKey(name)) {
            throw new RefusedOperation(409, "ContainerAlreadyExists", "The specified container already exists.");
        }
        MemoryContainer container =
                new MemoryContainer(MemoryVersion.next(times), request.metadata(), request.header(PUBLIC_ACCESS));
        containers.put(name, container);
        return container.version.on(StubResponse.of(201));
    }

    private StubResponse blob(StorageRequest request, MemoryContainer container, String name) {
        String part = request.parameter("comp");
        if (request.parameter("snapshot") != null || request.parameter("versionid") != null) {
            throw RefusedOperation.unknown(request);
        }
        MemoryBlob known = container.blobs.get(name);
        MemoryLease lease = container.leases.computeIfAbsent(name, key -> new MemoryLease(times));
        if (request.header(MemoryLease.ACTION) != null) {
            return there(known).version().on(lease.respond(request));
        }
        if (known != null && Set.of("PUT", "DELETE").contains(request.method())) {
            lease.checkWrite(request);
            if (request.has("comp", "copy")) {
                return copies.abort(request, known);
            }
            known.checkNotPending();
        }
        if (request.method().equals("PUT")) {
            return put(request, container, name, known, part);
        }
        if (part != null && part.equals("blocklist") && request.method().equals("GET")) {
            return blocks(container, name, known);
        }
        if (part != null && !Set.of("metadata", "pagelist").contains(part)) {
            throw RefusedOperation.unknown(request);
        }
        MemoryBlob blob = there(known);
        MemoryConditions.check(request, blob.version());
        if (part != null && part.equals("pagelist") && request.method().equals("GET")) {
            return blob.listPages(request);
        }
        return switch (request.method()) {
            case "GET" -> part == null ? blob.read(request) : blob.properties();
            case "HEAD" ->
                blob.properties()
                        .header("x-ms-lease-state", lease.state())
                        .header("x-ms-lease-status", lease.isActive() ? "locked" : "unlocked");
            case "DELETE" -> {
                container.blobs.remove(name);
                container.leases.remove(name);
                yield StubResponse.of(202);
            }
            default -> throw RefusedOperation.unknown(request);
        };
    }

    private static MemoryBlob there(@Nullable MemoryBlob blob) {
        if (blob == null) {
            throw new RefusedOperation(404, "BlobNotFound", "The specified blob does not exist.");
        }
        return blob;
    }

    private StubResponse put(
            StorageRequest request,
            MemoryContainer container,
            String name,
            @Nullable MemoryBlob known,
            @Nullable String part) {
        String step = part == null ? "" : part;
        return switch (step) {
            case "" -> {
                MemoryConditions.checkWrite(request, known);
                yield container.stored(name, made(request));
            }
            case "block" -> {
                byte[] block = MemoryCopies.isMeantBy(request)
                        ? copies.block(request)
                        : MemoryBlob.checked(request).toArray();
                if (known != null && !known.isOf(BlobKind.BLOCK)) {
                    throw MemoryBlob.otherKind();
                }
                container
                        .uncommitted
                        .computeIfAbsent(name, key -> new TreeMap<>())
                        .put(String.valueOf(request.parameter("blockid")), block);
                yield StubResponse.of(201);
            }
            case "blocklist" -> {
                MemoryConditions.checkWrite(request, known);
                Map<String, byte[]> blocks = container.uncommitted.getOrDefault(name, Map.of());
                MemoryBlob made = MemoryBlob.ofBlocks(request, blocks, known, MemoryVersion.next(times));
                yield container.stored(name, made);
            }
            case "appendblock" -> {
                MemoryBlob blob = there(known);
                MemoryConditions.check(request, blob.version());
                yield blob.append(request, times);
            }
            case "page" -> {
                MemoryBlob blob = there(known);
                MemoryConditions.check(request, blob.version());
                yield blob.writePages(request, times);
            }
            case "metadata", "properties" -> {
                MemoryBlob blob = there(known);
                MemoryConditions.check(request, blob.version());
                yield blob.change(request, step.equals("metadata"), times);
            }
            default -> throw RefusedOperation.unknown(request);
        };
    }

    private MemoryBlob made(StorageRequest request) {
        if (MemoryCopies.isMeantBy(request) && request.header("x-ms-blob-type") == null) {
            return copies.started(request);
        }
        BlobKind kind = BlobKind.of(request);
        if (MemoryCopies.isMeantBy(request)) {
            MemoryBlob source = copies.source(request);
            MemoryBlob made = MemoryBlob.made(kind, request, source.content(), MemoryVersion.next(times));
            return "false".equals(request.header("x-ms-copy-source-blob-properties")) ? made : made.described(source);
        }
        return MemoryBlob.made(kind, request, MemoryBlob.checked(request).toArray(), MemoryVersion.next(times));
    }

    private static StubResponse blocks(MemoryContainer container, String name, @Nullable MemoryBlob known) {
        Map<String, byte[]> uncommitted = container.uncommitted.get(name);
        if (uncommitted == null) {
            there(known);
        }
        StringBuilder xml = new StringBuilder("<BlockList><CommittedBlocks>");
        if (known != null) {
            known.blocks().forEach((id, block) -> xml.append(block(id, block)));
        }
        xml.append("</CommittedBlocks><UncommittedBlocks>");
        if (uncommitted != null) {
            uncommitted.forEach((id, block) -> xml.append(block(id, block)));
        }
        return MemoryResponse.xml(
                200, xml.append("</UncommittedBlocks></BlockList>").toString());
    }

    private static String block(String id, byte[] content) {
        return "<Block>" + XmlDocument.element("Name", id)
                + XmlDocument.element("Size", Integer.toString(content.length)) + "</Block>";
    }
}
