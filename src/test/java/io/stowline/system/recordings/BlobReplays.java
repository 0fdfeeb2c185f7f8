package io.stowline.system.recordings;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.service.ServiceType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Verbs of blobs that can meet the recorded responses of the blob service; those with content are {@link ContentReplays}. */
final class BlobReplays {

    private static final Set<String> NO_VERB = Set.of("lease", "copy", "properties/account", "acl", "incrementalcopy");

    private BlobReplays() {}

    static ReplayPlan of(ServiceRecording recording) {
        List<String> path = recording.target().segments();
        String comp = recording.target().parameter("comp");
        if (path.isEmpty()) {
            if ("list".equals(comp)) {
                return ContainerReplays.names(recording, "listContainers", Stowline::listContainers);
            }
            return "batch".equals(comp)
                    ? ContainerReplays.batch(recording)
                    : ServiceReplays.of(recording, ServiceType.BLOB);
        }
        String container = path.get(0);
        if (!container.matches("\\$(root|web|logs)|(?=.{3,63}$)[a-z0-9](-?[a-z0-9])*")) {
            return ReplayPlan.refused("blobs: a container's name that the client refuses before it sends");
        }
        if (recording.target().is("restype", "container")) {
            return ContainerReplays.of(recording, container);
        }
        if (recording.target().is("restype", "account")) {
            return ReplayPlan.refused("blobs: no verb for properties of the account");
        }
        String all = recording.target().decodedPath();
        String name = all.substring(all.indexOf(container) + container.length() + 1);
        return blob(recording, container, name, comp);
    }

    private static ReplayPlan blob(ServiceRecording recording, String container, String name, @Nullable String comp) {
        if (comp == null) {
            return switch (recording.method()) {
                case "HEAD" -> facts(recording, container, name);
                case "DELETE" -> deletion(recording, container, name);
                case "GET" -> ContentReplays.read(recording, container, name);
                default -> ContentReplays.write(recording, container, name);
            };
        }
        if (NO_VERB.contains(comp)) {
            return ReplayPlan.refused("blobs: no verb for " + comp + " of a blob");
        }
        return switch (recording.method() + " " + comp) {
            case "PUT metadata" -> metadata(recording, container, name);
            case "PUT properties" ->
                recording.request().contains("x-ms-blob-content-length")
                                || recording.request().contains("x-ms-sequence-number-action")
                        ? PageReplays.properties(recording, container, name)
                        : headers(recording, container, name);
            case "PUT page" -> PageReplays.write(recording, container, name);
            case "GET pagelist" -> PageReplays.ranges(recording, container, name);
            case "PUT tier" ->
                ReplayPlan.of(
                        ContainerReplays.bare(recording, "setTier", container, c -> c.setTier(name, AccessTier.COOL)));
            case "PUT undelete" ->
                ReplayPlan.of(ContainerReplays.bare(recording, "undelete", container, c -> c.undelete(name)));
            case "PUT snapshot" -> snapshot(recording, container, name);
            case "GET blocklist" -> ContentReplays.leftBlocks(recording, container, name);
            case "PUT block" -> ContentReplays.block(recording, container, name);
            case "PUT blocklist" -> ContentReplays.blockList(recording, container, name);
            case "PUT appendblock" -> ContentReplays.append(recording, container, name);
            default -> ReplayPlan.refused("blobs: no verb for " + recording.method() + " " + comp + " of a blob");
        };
    }

    /** A verb with a result, or the recorded refusal. */
    static Replay either(
            ServiceRecording recording,
            String verb,
            String container,
            Function<BlobContainer, ?> call,
            @Nullable Object expected) {
        return Replay.of(
                        recording,
                        "BlobContainer." + verb,
                        storage -> call.apply(storage.container(container)),
                        recording.isError() ? VerbOutcome.refusal(recording) : VerbOutcome.of(expected))
                .sending(0, recording);
    }

    private static ReplayPlan facts(ServiceRecording recording, String container, String name) {
        String snapshot = recording.target().parameter("snapshot");
        BlobInfo expected = recording.isError()
                ? null
                : BlobOracle.ofHeaders(name, recording.response().headers());
        if (snapshot != null) {
            return ReplayPlan.of(either(
                            recording,
                            "revision.properties",
                            container,
                            c -> c.snapshotOf(name, snapshot).info(),
                            expected)
                    .requesting(0, "snapshot", snapshot));
        }
        if (recording.status() == 304) {
            return ReplayPlan.refused("blobs: no verb asks for properties under a condition");
        }
        ReplayPlan plan = ReplayPlan.of(either(recording, "info", container, c -> c.info(name), expected));
        boolean missing = recording.status() == 404
                && !"ContainerNotFound".equals(recording.response().headers().value("x-ms-error-code"));
        return switch (missing ? 404 : recording.status() == 404 ? 0 : recording.status()) {
            case 200 ->
                plan.and(
                        ContainerReplays.valued(
                                recording, "find", container, c -> c.find(name).orElseThrow(), expected),
                        ContainerReplays.valued(recording, "exists", container, c -> c.exists(name), true));
            case 404 ->
                plan.and(
                        ContainerReplays.valued(
                                recording, "find", container, c -> c.find(name).isPresent(), false),
                        ContainerReplays.valued(recording, "exists", container, c -> c.exists(name), false));
            default -> plan.and(ContainerReplays.bare(recording, "find", container, c -> c.find(name)));
        };
    }

    private static ReplayPlan deletion(ServiceRecording recording, String container, String name) {
        String snapshot = recording.target().parameter("snapshot");
        if (snapshot != null) {
            return ReplayPlan.of(
                    ContainerReplays.bare(recording, "revision.delete", container, c -> c.snapshotOf(name, snapshot)
                                    .delete())
                            .requesting(0, "snapshot", snapshot));
        }
        String kept = recording.request().value("x-ms-delete-snapshots", "");
        if (!kept.isEmpty()) {
            Consumer<BlobContainer> call =
                    kept.equals("only") ? c -> c.deleteSnapshots(name) : c -> c.deleteWithSnapshots(name);
            return ReplayPlan.of(ContainerReplays.bare(
                    recording, kept.equals("only") ? "deleteSnapshots" : "deleteWithSnapshots", container, call));
        }
        if (recording.status() == 412) {
            return ReplayPlan.of(ContainerReplays.bare(
                    recording, "delete(etag)", container, c -> c.delete(name, CannedResponse.ETAG)));
        }
        ReplayPlan plan = ReplayPlan.of(ContainerReplays.bare(recording, "delete", container, c -> c.delete(name)));
        boolean missing = recording.status() == 404;
        return missing || !recording.isError()
                ? plan.and(ContainerReplays.valued(
                        recording, "deleteIfExists", container, c -> c.deleteIfExists(name), !missing))
                : plan;
    }

    private static ReplayPlan metadata(ServiceRecording recording, String container, String name) {
        Object etag = recording.isError() ? null : recording.header("ETag");
        Map<String, String> metadata = Map.of("a", "b");
        return recording.status() == 412
                ? ReplayPlan.of(either(
                        recording,
                        "setMetadata(etag)",
                        container,
                        c -> c.setMetadata(name, metadata, CannedResponse.ETAG).etag(),
                        etag))
                : ReplayPlan.of(either(
                        recording,
                        "setMetadata",
                        container,
                        c -> c.setMetadata(name, metadata).etag(),
                        etag));
    }

    private static ReplayPlan headers(ServiceRecording recording, String container, String name) {
        Object etag = recording.isError() ? null : recording.header("ETag");
        return ReplayPlan.of(either(
                recording,
                "setHeaders",
                container,
                c -> c.setHeaders(name, headers -> headers.contentLanguage("en"))
                        .etag(),
                etag));
    }

    private static ReplayPlan snapshot(ServiceRecording recording, String container, String name) {
        Object id = recording.isError() ? null : recording.header("x-ms-snapshot");
        return ReplayPlan.of(
                either(recording, "snapshot", container, c -> c.snapshot(name).id(), id));
    }
}
