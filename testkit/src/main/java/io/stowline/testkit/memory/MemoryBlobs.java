package io.stowline.testkit.memory;

import io.stowline.testkit.memory.MemoryBlob.BlobKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The blob service: containers, and which blob a request concerns. Not thread-safe. */
final class MemoryBlobs {

    private static final int PAGE = 5_000;

    private final ServiceTimes times;
    private final Map<String, MemoryContainer> containers = new TreeMap<>();

    MemoryBlobs(ServiceTimes times) {
        this.times = times;
    }

    void clear() {
        containers.clear();
    }

    /** A container with its blobs in the order of their names, and the blocks of blobs that have no list yet. */
    private static final class MemoryContainer {
        private final MemoryBlob.Version version;
        private Map<String, String> metadata;
        private final NavigableMap<String, MemoryBlob> blobs = new TreeMap<>();
        private final Map<String, Map<String, byte[]>> uncommitted = new HashMap<>();

        MemoryContainer(MemoryBlob.Version version, Map<String, String> metadata) {
            this.version = version;
            this.metadata = metadata;
        }
    }

    MemoryResponse respond(MemoryRequest request) {
        List<String> steps = request.steps();
        if (steps.isEmpty()) {
            if (request.has("comp", "list") && request.method().equals("GET")) {
                return containers(request);
            }
            throw request.unknown();
        }
        return steps.size() == 1 ? container(request, steps.get(0)) : blob(request, there(steps.get(0)), steps.get(1));
    }

    private MemoryResponse containers(MemoryRequest request) {
        String prefix = request.parameter("prefix");
        StringBuilder xml = new StringBuilder("<EnumerationResults><Containers>");
        containers.forEach((name, container) -> {
            if (prefix == null || name.startsWith(prefix)) {
                xml.append("<Container>")
                        .append(MemoryXml.element("Name", name))
                        .append("<Properties>")
                        .append(container.version.xml())
                        .append("</Properties>")
                        .append(MemoryXml.metadata(container.metadata))
                        .append("</Container>");
            }
        });
        return new MemoryResponse(200)
                .xml(xml.append("</Containers><NextMarker/></EnumerationResults>")
                        .toString());
    }

    private MemoryContainer there(String name) {
        MemoryContainer container = containers.get(name);
        if (container == null) {
            throw new RefusedOperation(404, "ContainerNotFound", "The specified container does not exist.");
        }
        return container;
    }

    private MemoryResponse container(MemoryRequest request, String name) {
        if (!request.has("restype", "container")) {
            throw request.unknown();
        }
        String part = request.parameter("comp");
        if (part != null && part.equals("list") && request.method().equals("GET")) {
            return blobs(request, there(name));
        }
        if (part != null && part.equals("metadata") && request.method().equals("PUT")) {
            there(name).metadata = request.metadata();
            return new MemoryResponse(200);
        }
        if (part != null) {
            throw request.unknown();
        }
        return switch (request.method()) {
            case "PUT" -> create(request, name);
            case "GET", "HEAD" -> {
                MemoryContainer container = there(name);
                MemoryResponse response = container.version.on(new MemoryResponse(200));
                container.metadata.forEach((key, value) -> response.header("x-ms-meta-" + key, value));
                yield response;
            }
            case "DELETE" -> {
                there(name);
                containers.remove(name);
                yield new MemoryResponse(202);
            }
            default -> throw request.unknown();
        };
    }

    private MemoryResponse create(MemoryRequest request, String name) {
        if (containers.containsKey(name)) {
            throw new RefusedOperation(409, "ContainerAlreadyExists", "The specified container already exists.");
        }
        MemoryContainer container = new MemoryContainer(MemoryBlob.Version.next(times), request.metadata());
        containers.put(name, container);
        return container.version.on(new MemoryResponse(201));
    }

    /** No blob of this account has a snapshot or is the target of a copy, so that a listing has none of these. */
    private static List<String> included(MemoryRequest request) {
        String include = request.parameter("include");
        List<String> parts = include == null || include.isEmpty() ? List.of() : List.of(include.split(",", -1));
        if (!Set.of("metadata", "copy", "snapshots").containsAll(parts)) {
            throw request.unknown();
        }
        return parts;
    }

    private static MemoryResponse blobs(MemoryRequest request, MemoryContainer container) {
        List<String> include = included(request);
        String prefix = request.parameter("prefix") == null ? "" : String.valueOf(request.parameter("prefix"));
        String delimiter = request.parameter("delimiter");
        String marker = request.parameter("marker");
        boolean metadata = include.contains("metadata");
        int max = Math.min(PAGE, request.number("maxresults", PAGE));
        StringBuilder items = new StringBuilder();
        String folder = null;
        String next = "";
        int count = 0;
        String first = marker == null || marker.compareTo(prefix) < 0 ? prefix : marker;
        for (Map.Entry<String, MemoryBlob> blob :
                container.blobs.tailMap(first, true).entrySet()) {
            String name = blob.getKey();
            if (!name.startsWith(prefix)) {
                break;
            }
            int cut = delimiter == null ? -1 : name.indexOf(delimiter, prefix.length());
            String shown = cut < 0
                    ? name
                    : name.substring(0, cut + String.valueOf(delimiter).length());
            if (shown.equals(folder)) {
                continue;
            }
            if (count++ == max) {
                next = name;
                break;
            }
            folder = cut < 0 ? null : shown;
            items.append(
                    cut < 0
                            ? blob.getValue().xml(name, metadata)
                            : "<BlobPrefix>" + MemoryXml.element("Name", shown) + "</BlobPrefix>");
        }
        return new MemoryResponse(200)
                .xml("<EnumerationResults><Blobs>" + items + "</Blobs>" + MemoryXml.element("NextMarker", next)
                        + "</EnumerationResults>");
    }

    private MemoryResponse blob(MemoryRequest request, MemoryContainer container, String name) {
        String part = request.parameter("comp");
        if (request.parameter("snapshot") != null
                || request.parameter("versionid") != null
                || request.header("x-ms-copy-source") != null
                || request.header("x-ms-lease-action") != null) {
            throw request.unknown();
        }
        MemoryBlob known = container.blobs.get(name);
        if (request.method().equals("PUT")) {
            return put(request, container, name, known, part);
        }
        if (part != null && part.equals("blocklist") && request.method().equals("GET")) {
            return blocks(container, name, known);
        }
        if (part != null && !part.equals("metadata")) {
            throw request.unknown();
        }
        MemoryBlob blob = there(known);
        blob.check(request);
        return switch (request.method()) {
            case "GET" -> part == null ? blob.read(request) : blob.facts();
            case "HEAD" -> blob.facts();
            case "DELETE" -> {
                container.blobs.remove(name);
                yield new MemoryResponse(202);
            }
            default -> throw request.unknown();
        };
    }

    private static MemoryBlob there(@Nullable MemoryBlob blob) {
        if (blob == null) {
            throw new RefusedOperation(404, "BlobNotFound", "The specified blob does not exist.");
        }
        return blob;
    }

    private MemoryResponse put(
            MemoryRequest request,
            MemoryContainer container,
            String name,
            @Nullable MemoryBlob known,
            @Nullable String part) {
        String step = part == null ? "" : part;
        return switch (step) {
            case "" -> {
                MemoryBlob.checkWrite(known, request);
                BlobKind kind = BlobKind.of(request);
                MemoryBlob made = MemoryBlob.made(kind, request, request.body(), MemoryBlob.Version.next(times));
                container.blobs.put(name, made);
                container.uncommitted.remove(name);
                yield made.written(201);
            }
            case "block" -> {
                MemoryBlob.checkMd5(request);
                if (known != null && !known.isOf(BlobKind.BLOCK)) {
                    throw new RefusedOperation(409, "InvalidBlobType", "The blob type is invalid for this operation.");
                }
                container
                        .uncommitted
                        .computeIfAbsent(name, key -> new TreeMap<>())
                        .put(String.valueOf(request.parameter("blockid")), request.body());
                yield new MemoryResponse(201);
            }
            case "blocklist" -> {
                MemoryBlob.checkWrite(known, request);
                Map<String, byte[]> blocks = container.uncommitted.getOrDefault(name, Map.of());
                MemoryBlob made = MemoryBlob.ofBlocks(request, blocks, known, MemoryBlob.Version.next(times));
                container.blobs.put(name, made);
                container.uncommitted.remove(name);
                yield made.written(201);
            }
            case "appendblock" -> {
                MemoryBlob blob = there(known);
                blob.check(request);
                yield blob.append(request, times);
            }
            case "metadata", "properties" -> {
                MemoryBlob blob = there(known);
                blob.check(request);
                yield blob.change(request, step.equals("metadata"), times);
            }
            default -> throw request.unknown();
        };
    }

    private static MemoryResponse blocks(MemoryContainer container, String name, @Nullable MemoryBlob known) {
        Map<String, byte[]> uncommitted = container.uncommitted.get(name);
        if (known == null && uncommitted == null) {
            throw new RefusedOperation(404, "BlobNotFound", "The specified blob does not exist.");
        }
        StringBuilder xml = new StringBuilder("<BlockList><CommittedBlocks>");
        if (known != null) {
            known.blocks().forEach((id, block) -> xml.append(block(id, block)));
        }
        xml.append("</CommittedBlocks><UncommittedBlocks>");
        if (uncommitted != null) {
            uncommitted.forEach((id, block) -> xml.append(block(id, block)));
        }
        return new MemoryResponse(200)
                .xml(xml.append("</UncommittedBlocks></BlockList>").toString());
    }

    private static String block(String id, byte[] content) {
        return "<Block>" + MemoryXml.element("Name", id) + MemoryXml.element("Size", Integer.toString(content.length))
                + "</Block>";
    }
}
