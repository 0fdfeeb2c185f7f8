package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/** Listing of the blobs of a container, a page at a time. */
final class MemoryListing {

    private static final int PAGE = 5_000;

    private MemoryListing() {}

    /** This account has no snapshots, so that a listing has none; the state of a copy is read by its blob. */
    private static List<String> included(StorageRequest request) {
        String include = request.parameter("include");
        List<String> parts = include == null || include.isEmpty() ? List.of() : List.of(include.split(",", -1));
        if (!Set.of("metadata", "copy", "snapshots").containsAll(parts)) {
            throw RefusedOperation.unknown(request);
        }
        return parts;
    }

    static StubResponse of(StorageRequest request, NavigableMap<String, MemoryBlob> blobs) {
        List<String> include = included(request);
        String prefix = request.parameter("prefix") == null ? "" : String.valueOf(request.parameter("prefix"));
        String delimiter = request.parameter("delimiter");
        String marker = request.parameter("marker");
        boolean metadata = include.contains("metadata");
        int max = Math.min(PAGE, MemoryStorage.number(request, "maxresults", PAGE));
        StringBuilder items = new StringBuilder();
        String folder = null;
        String next = "";
        int count = 0;
        String first = marker == null || marker.compareTo(prefix) < 0 ? prefix : marker;
        for (Map.Entry<String, MemoryBlob> blob : blobs.tailMap(first, true).entrySet()) {
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
                            : "<BlobPrefix>" + XmlDocument.element("Name", shown) + "</BlobPrefix>");
        }
        return MemoryResponse.xml(
                200,
                "<EnumerationResults><Blobs>" + items + "</Blobs>" + XmlDocument.element("NextMarker", next)
                        + "</EnumerationResults>");
    }
}
