package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.ResourceAddress;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Copies onto blobs of the memory account: the sources that they read, and those that a test keeps pending. Not thread-safe. */
final class MemoryCopies {

    private static final String SOURCE = "x-ms-copy-source";
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");

    private final String account;
    private final ServiceTimes times;
    private final Function<ResourceAddress, @Nullable MemoryBlob> blobs;
    private final Map<MemoryBlob, byte[]> pending = new LinkedHashMap<>();
    private boolean paused;

    MemoryCopies(String account, ServiceTimes times, Function<ResourceAddress, @Nullable MemoryBlob> blobs) {
        this.account = account;
        this.times = times;
        this.blobs = blobs;
    }

    static boolean isMeantBy(StorageRequest request) {
        return request.header(SOURCE) != null;
    }

    /** Keeps later copies by Copy Blob pending. */
    void hold() {
        paused = true;
    }

    /** Ends the pending copies. */
    void end(String status) {
        paused = false;
        pending.forEach((target, content) -> target.endCopy(status, content, times));
        pending.clear();
    }

    void clear() {
        paused = false;
        pending.clear();
    }

    /** Returns the source of a copy, in the version that the request names. */
    MemoryBlob source(StorageRequest request) {
        ResourceAddress address = ResourceAddress.inAccount(account, request.header(SOURCE, ""));
        MemoryBlob source = address == null ? null : blobs.apply(address);
        if (source == null || source.isPending()) {
            throw new RefusedOperation(404, "CannotVerifyCopySource", "The specified resource does not exist.");
        }
        String match = MemoryConditions.quoted(request.header("x-ms-source-if-match"));
        String noneMatch = MemoryConditions.quoted(request.header("x-ms-source-if-none-match"));
        String etag = source.version().etag();
        if ((match != null && !match.equals("*") && !match.equals(etag))
                || (noneMatch != null && (noneMatch.equals("*") || noneMatch.equals(etag)))) {
            throw new RefusedOperation(
                    412, "SourceConditionNotMet", "The source condition specified using HTTP headers is not met.");
        }
        return source;
    }

    /** Returns the bytes of a block, which are a range of the source or all of it. */
    byte[] block(StorageRequest request) {
        byte[] all = source(request).content();
        String given = request.header("x-ms-source-range");
        if (given == null) {
            return all;
        }
        Matcher range = RANGE.matcher(given);
        if (!range.matches() || Long.parseLong(range.group(2)) >= all.length) {
            throw new RefusedOperation(
                    416, "InvalidRange", "The range specified is invalid for the current size of the resource.");
        }
        return Arrays.copyOfRange(all, Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)) + 1);
    }

    /** Starts a copy, which ends at once unless a test keeps it pending. */
    MemoryBlob started(StorageRequest request) {
        MemoryBlob source = source(request);
        MemoryBlob target = source.copied(request, UUID.randomUUID().toString(), times);
        if (paused) {
            pending.put(target, source.content());
        } else {
            target.endCopy("success", source.content(), times);
        }
        return target;
    }

    StubResponse abort(StorageRequest request, MemoryBlob target) {
        if (!target.isPending()) {
            throw new RefusedOperation(409, "NoPendingCopyOperation", "There is currently no pending copy operation.");
        }
        if (!target.isCopy(request.parameter("copyid"))) {
            throw new RefusedOperation(
                    409, "CopyIdMismatch", "The specified copy ID did not match the copy ID of the blob.");
        }
        target.endCopy("aborted", new byte[0], times);
        pending.remove(target);
        return StubResponse.of(204);
    }
}
